"""What looks like a secret, and what only seems to."""

import pytest

from octochat.text.secrets import masked, names_secret

BODY = "Ab3" * 14
KEYS = (
    f"sk-ant-api03-{BODY}",
    f"sk-proj-{BODY}",
    f"ghp_{BODY}",
    f"github_pat_{BODY}",
    f"glpat-{BODY}",
    f"xoxb-1234-{BODY}",
    f"hf_{BODY}",
    f"npm_{BODY}",
    f"sk_live_{BODY}",
    f"AIza{BODY}",
    f"AIzaSyA-{BODY}",
    f"sk-svcacct-{BODY}",
    f"sk-admin-{BODY}",
    f"xapp-1-A0123-456-{BODY}",
    "AKIAIOSFODNN7EXAMPLE",
    f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{BODY}",
    f"-----BEGIN OPENSSH PRIVATE KEY-----\n{BODY}\n{BODY}==\n-----END OPENSSH PRIVATE KEY-----",
    f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{BODY}",
)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_of_a_known_shape_is_masked_wherever_it_stands(key: str) -> None:
    for before, after in (("", ""), ("TOKEN=", "\n"), ('{"a": "', '"}'), ("https://x:", "@host")):
        text, number = masked(f"{before}{key}{after}")
        assert number == 1
        assert BODY not in text
        assert "IOSFODNN7" not in text
        assert text.startswith(before)


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn is not scikit-learn-contrib-and-much-more-than-that",
        "the task-force and ask-me-anything-about-this-long-hyphenated-name-x",
        "0123456789abcdef0123456789abcdef01234567",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "eyJ is how such a token begins",
        "AKIA and ASIAN",
    ],
)
def test_what_is_no_key_stays(text: str) -> None:
    assert masked(text) == (text, 0)


@pytest.mark.parametrize(
    "name",
    [
        "GITHUB_TOKEN",
        "GH_TOKEN",
        "OPENAI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "PGPASSWORD",
        "AWS_SESSION_TOKEN",
        "DB_PASSWORD",
        "MYSQL_PWD",
        "SECRET_KEY_BASE",
        "PRIVATE_KEY_PEM",
        "DB_PWD",
        "NPM_CONFIG__AUTH",
        "API_KEY_PROD",
        "AWS_SECRET_ACCESS_KEY_DEV",
        "APP_SECRET_STAGING",
        "OPENAI_KEY2",
        "SENTRY_DSN",
        "NPM_TOKEN",
        "CLIENT_SECRET",
        "SECRET_KEY_BASE64",
        "SECRETS",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "VAULT_TOKEN",
        "GITLAB_PAT",
        "SSH_KEY_FILE",
        "my_api_key",
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert names_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "LANG",
        "TERM",
        "PWD",
        "OLDPWD",
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "SSH_AUTH_SOCK",
        "SSH_AGENT_PID",
        "GOPATH",
        "NVM_DIR",
        "PYENV_ROOT",
        "JAVA_HOME",
        "CARGO_HOME",
        "CI",
        "GITHUB_ACTIONS",
        "HTTP_PROXY",
        "https_proxy",
        "NO_PROXY",
        "TOKENIZERS_PARALLELISM",
        "KEYBOARD",
        "GIT_ASKPASS",
        "SSH_ASKPASS",
        "AWS_PROFILE",
        "AWS_REGION",
        "KUBECONFIG",
        "DISPLAY",
        "MONKEY",
        "PATTERN",
        "DATABASE_URL",
        "COMPASS",
        "XDG_RUNTIME_DIR",
        "LD_LIBRARY_PATH",
    ],
)
def test_names_that_a_developer_needs(name: str) -> None:
    assert not names_secret(name)
