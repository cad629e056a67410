"""Where secrets lie: files of the person's, files of a project, variables. It reads none of them.

Source: docs/permissions.md#the-sandbox.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from octochat.text.secrets import names_secret

_OF_HOME = (
    ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".netrc", ".git-credentials", ".pgpass",
    ".my.cnf", ".npmrc", ".yarnrc.yml", ".pypirc", ".vault-token", ".password-store", ".mozilla",
    ".thunderbird", ".claude", ".codex", ".gemini", ".anthropic", ".oci",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".composer/auth.json",
    ".terraform.d/credentials.tfrc.json", ".local/share/keyrings",
    ".config/gcloud", ".config/gh", ".config/glab-cli", ".config/hub", ".config/git/credentials",
    ".config/op", ".config/containers", ".config/helm", ".config/doctl", ".config/rclone",
    ".config/sops", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware",
    "Library/Keychains", "Library/Cookies", "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox", "Library/Application Support/com.apple.TCC",
)  # fmt: skip
"""From the person's home folder on."""
_DOTENV = re.compile(r"\.env(\.(?!example$|sample$|template$|dist$|schema$).+)?|\.envrc")
_CONNECTIONS = frozenset({
    "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TMUX", "STY", "DOCKER_HOST", "KUBECONFIG",
})  # fmt: skip
"""Variables that lead to programs outside."""
_LOGIN = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


def of_home(home: Path) -> Iterator[Path]:
    """What lies in a home folder, whether it is there or not."""
    return (home / name for name in _OF_HOME)


def is_dotenv(name: str) -> bool:
    """Whether a file of this name holds a project's secrets, as `.env` does."""
    return _DOTENV.fullmatch(name) is not None


def without_secrets(env: Mapping[str, str]) -> dict[str, str]:
    """Variables without those that hold a secret by their name or value, or lead outside."""
    return {name: value for name, value in env.items() if not _secret(name, value)}


def _secret(name: str, value: str) -> bool:
    return name in _CONNECTIONS or names_secret(name) or bool(_LOGIN.search(value))
