"""Files that hold secrets by their name are asked about, also where reading is free otherwise."""

from pathlib import Path

import pytest

from octochat.permissions.danger import dangers
from octochat.permissions.rules import Allowed, Ask, Rules, decide
from octochat.permissions.secret_files import is_plain_git_config
from octochat.permissions.widths import widths
from octochat.tools.base import Access
from tests.permissions.test_rules import FOLDER, at, rules
from tests.tools.toolbox import toolbox

SECRET = (".env", "src/.env.local", ".ENV", ".envrc", "id_rsa", "keys/id_ed25519", "server.pem",
          "a.key", ".netrc", ".git/config", ".git/modules/sub/config")  # fmt: skip
PLAIN = (".env.example", "id_rsa.pub", "config", "src/config", "environment", "pem.py", ".git/HEAD")


@pytest.mark.parametrize("name", SECRET)
def test_only_a_rule_that_names_it_allows_to_read_it(name: str) -> None:
    access = at("read", name)
    for given in (rules(), rules(allow="read"), rules(allow="read(**)")):
        assert decide(access, "read", given) == Ask()
        assert not given.searchable("grep", FOLDER / name)
        assert given.searchable("glob", FOLDER / name)
    named = rules(allow=f"read({name})")
    assert decide(access, "read", named) == Allowed()
    assert named.searchable("grep", FOLDER / name)
    assert decide(access, "read", rules(), "allow-all") == Allowed()
    assert [str(width[0]) for width in widths(access, "read", rules())] == [f"read({name})"]
    assert dangers(access) == ("reads a file that may hold secrets, and shows it to the model",)


@pytest.mark.parametrize("name", PLAIN)
def test_others_are_free(name: str) -> None:
    assert decide(at("read", name), "read", rules()) == Allowed()
    assert rules().searchable("grep", FOLDER / name)


@pytest.mark.parametrize(
    ("line", "free"),
    [
        ("cat .env", False),
        ("head -n 1 < .env", False),
        ("grep -r x .", False),
        ("grep -rn x", False),
        ("grep -rn -A 3 x src", True),
        ("grep -rn x src", True),
        ("grep -e x -r src", False),
        ("grep -rn x src keys", False),
        ("rg x", False),
        ("rg x src", True),
        ("ls -a", True),
    ],
)
def test_of_the_shell_what_is_seen_to_read_them(tmp_path: Path, line: str, *, free: bool) -> None:
    for name in ("src", "keys"):
        (tmp_path / name).mkdir()
    for name in (".env", "keys/a.pem", "src/a.py"):
        (tmp_path / name).write_text("x")
    found = decide(Access("run", line, place=tmp_path), "bash", Rules(tmp_path))
    assert found == (Allowed() if free else Ask())


@pytest.mark.parametrize(
    ("url", "free"), [("https://x.test/a", True), ("https://me:pw@x.test/a", False)]
)
def test_a_search_through_all_is_asked_about_if_git_knows_a_login(
    tmp_path: Path, url: str, *, free: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    found = decide(Access("run", "grep -r x .", place=tmp_path), "bash", Rules(tmp_path))
    assert found == (Allowed() if free else Ask())


@pytest.mark.parametrize(("size", "free"), [(100_000, True), (100_001, False)])
def test_a_git_configuration_that_is_too_long_to_look_into_is_not_taken_for_plain(
    tmp_path: Path, size: int, *, free: bool
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("#" * size)
    assert is_plain_git_config(tmp_path / ".git/config") is free


async def test_grep_leaves_them_out_and_says_so(tmp_path: Path) -> None:
    given = Rules(tmp_path / "work")
    box = toolbox(tmp_path, readable=lambda path: given.searchable("grep", path))
    (box.folder / ".env").write_text("PASSWORD=x")
    (box.folder / "a").write_text("PASSWORD from .env")
    told = await box.text("grep", pattern="PASSWORD")
    assert told == "a\n1\tPASSWORD from .env\n[1 match in 1 file; left out: 1 not allowed]"
