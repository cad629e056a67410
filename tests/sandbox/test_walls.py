"""Where the walls stand, which variables go, and the profile for macOS."""

from dataclasses import replace
from pathlib import Path

import pytest

from octochat.sandbox.aside import Aside
from octochat.sandbox.seatbelt import profile
from octochat.sandbox.secrets import is_dotenv, without_secrets
from octochat.sandbox.walls import Walls, walls
from tests.sandbox.ground import ground


def files(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")


def test_secrets_are_hidden_and_what_decides_is_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    around = ground(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    files(tmp_path / "home", ".ssh/id", ".netrc", ".profile")
    files(around.folder, ".env", "api/.env.test", "api/.env.example", ".mcp.json", "api/x.py")
    files(around.folder, "skills/one/SKILL.md", "sub/.vscode/tasks.json", ".git/hooks/a")
    files(around.folder, "node_modules/a/.npmrc", ".github/workflows/ci.yml", ".git/index")
    found = walls(around)
    below = [str(path.relative_to(tmp_path)) for path in found.hidden if tmp_path in path.parents]
    assert sorted(below) == ["home/.netrc", "home/.ssh", "own", "work/.env", "work/api/.env.test"]
    assert sorted(str(path.relative_to(around.folder)) for path in found.fixed) == [
        ".git/hooks",
        ".github/workflows",
        ".mcp.json",
        "skills/one",
        "sub/.vscode",
    ]
    assert set(found.pinned) == {around.folder / ".git", around.folder / ".github"}


def test_a_link_to_secrets_hides_what_it_leads_to(tmp_path: Path) -> None:
    around = ground(tmp_path)
    files(tmp_path, "elsewhere/secrets")
    (around.folder / ".env").symlink_to(tmp_path / "elsewhere/secrets")
    assert (tmp_path / "elsewhere/secrets").resolve() in walls(around).hidden


def anything(_path: Path) -> bool:
    return True


def test_a_project_whose_folder_is_octochats_own_is_no_place_to_write(tmp_path: Path) -> None:
    around = ground(tmp_path)
    assert around.folder in walls(replace(around, protected=anything)).fixed


@pytest.mark.parametrize("name", [".env", ".env.local", ".env.production", ".envrc"])
def test_dotenv_files(name: str) -> None:
    assert is_dotenv(name)


@pytest.mark.parametrize("name", [".env.example", ".environment", "env", ".env.template"])
def test_what_is_no_dotenv_file(name: str) -> None:
    assert not is_dotenv(name)


def test_variables_with_secrets_go_and_the_others_stay() -> None:
    kept = {
        "PATH": "/bin",
        "PWD": "/w",
        "LANG": "C",
        "KEYBOARD": "de",
        "GIT_AUTHOR_NAME": "x",
        "VIRTUAL_ENV": "/v",
        "REPO": "https://example.org/a:b@c",
    }
    gone = {
        "GITHUB_TOKEN": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "OPENAI_API_KEY": "x",
        "db_password": "x",
        "DATABASE_URL": "postgres://me:pw@host/db",
        "SSH_AUTH_SOCK": "/x",
        "HTTPS_PROXY": "http://me:pw@proxy:1",
    }
    assert without_secrets(kept | gone) == kept


def test_what_is_new_and_decides_is_put_aside_and_what_was_there_is_not(tmp_path: Path) -> None:
    around = ground(tmp_path)
    files(around.folder, ".vscode/tasks.json", ".git/HEAD")
    aside = Aside.now(around, walls(around))
    assert aside.put() == ()
    files(around.folder, ".mcp.json", ".git/config.worktree", ".github/workflows/x.yml", "src/a")
    gone = {str(path.relative_to(around.folder)) for path in aside.put()}
    assert gone == {".mcp.json", ".git/config.worktree", ".github/workflows"}
    assert sorted(path.name for path in around.folder.rglob("*.put-aside")) == [
        "config.worktree.put-aside",
        "mcp.json.put-aside",
        "workflows.put-aside",
    ]
    assert (around.folder / "src/a").exists()
    files(around.folder, ".mcp.json")
    assert aside.put() == (around.folder / ".mcp.json",)
    assert (around.folder / "mcp.json.put-aside1").exists()


def test_a_link_in_the_folder_makes_nobody_put_aside_what_is_elsewhere(tmp_path: Path) -> None:
    around = ground(tmp_path)
    files(tmp_path, "home/.ssh/id", "home/.vscode/a")
    (around.folder / ".vscode").symlink_to(tmp_path / "home")
    aside = Aside.now(around, walls(around))
    (around.folder / ".github").symlink_to(tmp_path / "home")
    (around.folder / ".vscode").unlink()
    files(around.folder, ".vscode/tasks.json")
    assert aside.put() == (around.folder / ".vscode",)
    assert sorted(path.name for path in (tmp_path / "home").iterdir()) == [".ssh", ".vscode"]


def test_a_link_that_looks_protected_shows_nothing_that_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    around = ground(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    files(tmp_path / "home", ".ssh/id")
    files(around.folder, "plain/b")
    (around.folder / ".vscode").symlink_to(tmp_path / "home/.ssh/id")
    (around.folder / ".idea").symlink_to("plain")
    assert walls(around).fixed == (around.folder / "plain",)


def test_a_wall_is_outdated_once_its_file_is_another(tmp_path: Path) -> None:
    around = ground(tmp_path)
    files(around.folder, ".env", "other")
    aside = Aside.now(around, walls(around))
    (around.folder / ".env").write_text("changed in place")
    assert not aside.outdated()
    (around.folder / "other").replace(around.folder / ".env")
    assert aside.outdated()


def test_the_profile_for_macos_allows_before_it_denies_and_quotes() -> None:
    folder = Path('/w/a "b"')
    text = profile(
        Walls((folder, Path("/s")), (Path("/h/.ssh"),), (folder / ".vscode",), (folder / ".git",)),
        network=False,
    )
    assert text.count("(") == text.count(")")
    written = text.index('(allow file-write* (subpath "/w/a \\"b\\"") (subpath "/s"))')
    fixed = text.index('(deny file-write* (subpath "/w/a \\"b\\"/.vscode"))')
    hidden = text.index('(deny file-read* file-write* (subpath "/h/.ssh"))')
    assert text.index("(deny default)") < written < fixed < hidden
    assert "(allow network*)" not in text
    assert "(allow network*)" in profile(Walls((), (), (), ()), network=True)
