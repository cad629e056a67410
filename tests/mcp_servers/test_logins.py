"""Servers that want a login: docs/mcp.md#servers-that-want-a-login."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

from octochat.mcp.login_file import LoginFile
from tests.e2e.home import home
from tests.mcp_servers.guarded import KNOWN, SECRET
from tests.mcp_servers.serving import guarding, http
from tests.mcp_servers.talk import Talk, talking
from tests.waiting import soon

pytestmark = pytest.mark.usefixtures("no_browser")


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)


def fetched(address: str) -> str:
    """What a browser shows in the end; redirects are followed."""
    with urlopen(address) as answer:
        return answer.read().decode()


def seen(url: str) -> dict[str, int]:
    """What the server has done for logins."""
    return json.loads(fetched(url.replace("/mcp", "/seen")))


async def address_of(talk: Talk, command: str = "/mcp login web") -> str:
    told = await talk.reads(command)
    found = re.search(r"^http\S+$", told, re.MULTILINE)
    assert found, told
    return found[0]


async def log_in(talk: Talk) -> str:
    """The person does as they are told; what the browser shows in the end."""
    told = await talk.reads("/mcp login web")
    first = told.splitlines()[0]
    short = first.removeprefix("Log in to web: ")
    assert len(first) < 60, "it fits into a line"
    page = await soon(asyncio.to_thread(fetched, short))
    await soon(talk.servers.settled(60))
    return page


def file_of(talk: Talk, url: str) -> LoginFile:
    return LoginFile(talk.at.data / "logins", "web", url)


@asynccontextmanager
async def guarded(
    tmp_path: Path, patch: pytest.MonkeyPatch, more: str = "", back: int = 1
) -> AsyncGenerator[tuple[Talk, str]]:
    with guarding("web", back) as url:
        async with talking(tmp_path, patch, http("web", url, more)) as talk:
            yield talk, url


async def test_a_server_that_wants_a_login_says_so_and_is_there_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, url):
        assert "it wants a login (/mcp login web)" in await talk.reads("/mcp")
        assert seen(url) == {}, "nobody is registered who has not asked for it"
        assert await log_in(talk) == "You are logged in. Close this page and go back to octochat."
        assert await talk.calls("web", "peek") == "seen"
        assert "You are logged in to web." in talk.lines
        assert seen(url) == {"registered": 1, "authorized": 1, "scopes use": 1}
        file = file_of(talk, url).path
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700
        assert await talk.reads("/mcp login web") == "No login: web is ready and asks for no login."


async def test_the_next_session_is_logged_in_and_renews_what_has_run_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, url):
        await log_in(talk)
        for renewed in (0, 1):
            if renewed:
                file_of(talk, url).add(ends=1.0)
            before = file_of(talk, url).read()["tokens"]
            await talk.session.close()
            talk.session = talk.at.open(talk.yes, model="claude-sonnet-5")
            await soon(talk.servers.settled(60))
            assert await talk.calls("web", "peek") == "seen"
            assert seen(url).get("renewed", 0) == renewed
            assert (file_of(talk, url).read()["tokens"] == before) == (not renewed)
        assert seen(url)["authorized"] == 1


async def test_a_token_that_is_refused_in_the_middle_is_renewed_without_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, url):
        await log_in(talk)
        assert await talk.calls("web", "revoke") == "revoked"
        told = await talk.calls("web", "peek")
        assert told == "seen" or "web did not do it" in told
        await soon(talk.servers.settled(60))
        assert await talk.calls("web", "peek") == "seen"
        assert (seen(url)["renewed"], seen(url)["authorized"]) == (1, 1)


async def test_a_login_that_has_ended_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, url):
        await log_in(talk)
        assert await talk.calls("web", "revoke_all") == "revoked"
        told = await talk.calls("web", "peek")
        assert "/mcp login web" in told
        await soon(talk.servers.settled(60))
        assert any("it wants a login (/mcp login web)" in line for line in talk.lines)
        await log_in(talk)
        assert await talk.calls("web", "peek") == "seen"
        assert (seen(url)["registered"], seen(url)["authorized"]) == (1, 2)


async def test_who_logs_out_is_logged_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, url):
        assert await talk.reads("/mcp logout web") == "There was no login."
        assert (
            await talk.reads("/mcp logout nobody") == "There is no server nobody. There are: web."
        )
        await log_in(talk)
        told = await talk.reads("/mcp logout web")
        assert told == "The login to web is removed from this machine; the server was not told."
        assert not file_of(talk, url).path.exists()
        await soon(talk.servers.settled(60))
        assert "/mcp login web" in await talk.calls("web", "peek")


async def test_the_address_may_be_typed_where_the_browser_is_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, url):
        address = await address_of(talk)
        assert await address_of(talk) == address, "asked again, it is the same login"
        back = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        foreign = f"{back}?code=stolen&state=wrong"
        assert "does not belong" in await talk.reads(f"/mcp login web {foreign}")
        with pytest.raises(HTTPError, match="404"):
            await asyncio.to_thread(fetched, foreign)
        state = parse_qs(urlsplit(address).query)["state"][0]
        denied = f"{back}?error=access_denied&error_description=not+today&state={state}"
        assert "a line will say" in await talk.reads(f"/mcp login web {denied}")
        await soon(talk.servers.settled(60))
        await talk.says("go on")
        assert any("the login was refused: not today" in line for line in talk.lines)
        assert not file_of(talk, url).signed_in


async def test_a_client_that_the_person_has_registered_is_used_with_its_secret_and_scopes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        back = free.getsockname()[1]
    monkeypatch.setenv("CLIENT_PASS", SECRET)
    more = (
        f'oauth = {{ client_id = "{KNOWN}", client_secret_env = "CLIENT_PASS", '
        f'scopes = ["use", "more"], port = {back} }}'
    )
    async with guarded(tmp_path, monkeypatch, more, back) as (talk, url):
        await log_in(talk)
        assert await talk.calls("web", "peek") == "seen"
        assert seen(url) == {"authorized": 1, "scopes use more": 1}
        assert SECRET not in file_of(talk, url).path.read_text()
        file_of(talk, url).add(ends=1.0)
        await talk.session.close()
        talk.session = talk.at.open(talk.yes, model="claude-sonnet-5")
        await soon(talk.servers.settled(60))
        assert await talk.calls("web", "peek") == "seen"
        assert seen(url)["renewed"] == 1


async def test_a_server_that_registers_nobody_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch, back=0) as (talk, _):
        told = await soon(talk.reads("/mcp login web"))
        assert told.startswith("No login: Registration failed")
        assert "register octochat there and give [mcp_servers.web.oauth] client_id" in told


async def test_a_browser_is_opened_only_where_there_is_one_and_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guarded(tmp_path, monkeypatch) as (talk, _):
        assert "/mcp login web browser opens it." in await talk.reads("/mcp login web")
        told = await talk.reads("/mcp login web browser")
        assert "There is no browser that could be opened from here." in told


def test_without_a_chat_it_is_said_where_to_log_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with guarding("web") as url:
        at = home(tmp_path / "someone", {}, http("web", url))
        done = at.run("-p", "hello", "--model", "offline")
        assert done.returncode == 0
        told = done.stderr.decode()
        assert "start octochat without -p and type /mcp login web" in told
        assert "Traceback" not in told
        refused = at.run("-p", "/mcp login web", "--model", "offline")
        assert "nobody can log in here" in refused.stdout.decode() + refused.stderr.decode()


def test_what_another_address_has_is_not_taken(tmp_path: Path) -> None:
    mine = LoginFile(tmp_path, "web", "https://one.example/mcp")
    mine.add(tokens={"access_token": "x"})
    other = LoginFile(tmp_path, "web", "https://two.example/mcp")
    assert mine.signed_in
    assert not other.signed_in
    other.path.write_text(mine.path.read_text())
    assert not other.signed_in
    other.path.write_text("{")
    assert not other.signed_in
