"""Keys as people set them: with line ends, in pieces, and never in what is told."""

import httpx2
import pytest

from octochat.models.claude.credentials import NO_KEY, Credentials
from octochat.models.claude.sdk import Api
from octochat.models.port import ModelError

SECRET = "sk-ant-api03-kestrel"


def test_white_space_around_a_key_does_not_count() -> None:
    said = Credentials.of({"ANTHROPIC_API_KEY": f" {SECRET}\r\n", "ANTHROPIC_BASE_URL": "\n"})
    assert (said.key, said.url, said.lack) == (SECRET, "", None)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("ANTHROPIC_API_KEY", f"{SECRET}\n{SECRET}", "a line end"),
        ("ANTHROPIC_API_KEY", f"key: {SECRET}", "white space"),
        ("ANTHROPIC_AUTH_TOKEN", f"{SECRET}\x00", "a character that no key has"),
        ("ANTHROPIC_AUTH_TOKEN", f"“{SECRET}”", "a character that no key has"),
        ("ANTHROPIC_BASE_URL", "localhost:8000", "no address"),
        ("ANTHROPIC_BASE_URL", "http://", "no address"),
        ("ANTHROPIC_BASE_URL", "http://host:99999", "no address"),
        ("ANTHROPIC_BASE_URL", "http://host:0", "no address"),
        ("ANTHROPIC_BASE_URL", "ftp://host", "no address"),
        ("ANTHROPIC_BASE_URL", "http://ho st", "no address"),
        ("ANTHROPIC_BASE_URL", "http://hö..st", "no address"),
    ],
)
def test_what_cannot_be_sent_is_said_without_the_key(name: str, value: str, told: str) -> None:
    lack = Credentials.of({name: value}).lack
    assert lack is not None
    assert lack.what.startswith(name)
    assert told in lack.what
    assert SECRET not in repr(lack)
    with pytest.raises(ModelError) as raised:
        Api({name: value}, timeout=1.0)
    assert lack.what in str(raised.value)


def test_nothing_set_is_no_key() -> None:
    assert Credentials.of({"ANTHROPIC_API_KEY": " \n"}).lack is NO_KEY


def test_a_key_that_a_server_or_the_network_quotes_is_not_told() -> None:
    said = Credentials(SECRET, "token-1")
    assert said.hidden(f"invalid x-api-key: {SECRET}, token-1") == (
        "invalid x-api-key: [key], [key]"
    )


def test_who_shows_a_login_shows_its_address_alone() -> None:
    assert repr(Credentials(SECRET, "token-1", "http://x")) == "Credentials(url='http://x')"


async def test_an_error_of_the_network_does_not_tell_the_key() -> None:
    api = Api({"ANTHROPIC_API_KEY": SECRET, "ANTHROPIC_BASE_URL": "http://localhost:9"}, 1.0)
    with pytest.raises(ModelError) as raised, api._failures("claude"):  # pyright: ignore[reportPrivateUsage]
        raise httpx2.ConnectError(f"illegal header value {SECRET}")
    await api.close()
    assert SECRET not in f"{raised.value} {raised.value.detail}"
    assert "[key]" in str(raised.value)
