"""What is found out about a working folder, and that nothing of it is run."""

import os
import subprocess
from pathlib import Path

import pytest

from octochat.project.surroundings import NAMED, surroundings

LONG = 60.0
"""Seconds: on a busy machine every program gets its turn."""


def git(folder: Path, *words: str) -> None:
    names = ("-c", "user.name=n", "-c", "user.email=e@e")
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-b", "trunk")
    (folder / "a.txt").write_text("one")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "The first\n\nand more")
    return folder


def facts(folder: Path, root: Path | None = None, **env: str) -> dict[str, str]:
    return surroundings(folder, root or folder, {**os.environ, **env}, LONG)


def test_branch_last_commit_and_changed_files_are_told(repository: Path) -> None:
    found = facts(repository)
    assert found["Git branch"] == "trunk"
    assert found["Last commit"].endswith(", The first")
    assert found["Changed files"] == "0"
    (repository / "a.txt").write_text("two, which is longer")
    (repository / "ö and b.txt").write_text("new")
    git(repository, "mv", "a.txt", "c.txt")
    assert facts(repository)["Changed files"] == "2 (c.txt, ö and b.txt)"
    for n in range(NAMED):
        (repository / f"x{n}").write_text("")
    assert facts(repository)["Changed files"].startswith(f"{NAMED + 2} (c.txt, ")
    assert facts(repository)["Changed files"].endswith(", …)")


def test_a_repository_without_a_commit_has_a_branch_and_a_folder_without_git_nothing(
    tmp_path: Path,
) -> None:
    assert not {"Git branch", "Last commit", "Changed files"} & facts(tmp_path).keys()
    git(tmp_path, "init", "-b", "trunk")
    found = facts(tmp_path)
    assert found["Git branch"] == "trunk"
    assert "Last commit" not in found


def test_system_and_shell_are_told_with_their_versions(tmp_path: Path) -> None:
    system = facts(tmp_path)["System"]
    assert os.uname().release in system
    assert ", bash " in system


def test_python_and_node_are_told_where_the_project_shows_them(tmp_path: Path) -> None:
    assert not {"Python", "Node"} & facts(tmp_path).keys()
    inner = tmp_path / "inner"
    (inner / ".venv").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("")
    (inner / ".venv" / "pyvenv.cfg").write_text("home = /x\nversion_info = 3.9.1.final.0\n")
    assert facts(inner, tmp_path)["Python"] == "3.9.1 in .venv"
    assert facts(tmp_path)["Python"][:2] == "3."


def test_what_does_not_answer_is_left_out(repository: Path) -> None:
    found = facts(repository, PATH="")
    assert found.keys() == {"Git branch", "System"}
    assert "bash" not in found["System"]


def trap(folder: Path, name: str) -> Path:
    """A program that leaves a trace if it is run."""
    program = folder / name
    program.write_text(f"#!/bin/sh\ntouch {folder}/ran-{name}\n")
    program.chmod(0o755)
    return program


def traces(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("ran-*"))


@pytest.mark.parametrize("key", ["core.fsmonitor", "filter.f.clean"])
def test_no_program_that_the_repository_names_is_run(repository: Path, key: str) -> None:
    outside = repository.parent
    git(repository, "config", key, str(trap(outside, "trap")))
    (repository / ".gitattributes").write_text("* filter=f")
    (repository / "a.txt").write_text("two")
    os.utime(repository / "a.txt", (1, 1))
    found = facts(repository)
    assert found["Git branch"] == "trunk"
    assert ("Changed files" in found) == (key != "filter.f.clean")
    assert traces(outside) == []


def test_no_program_of_the_repository_is_run(repository: Path) -> None:
    for name in ("git", "bash", "python3"):
        trap(repository, name)
    (repository / "setup.py").write_text("")
    folder = repository / "inner"
    folder.mkdir()
    found = facts(folder, repository, PATH=f"{repository}:.:..:{os.environ['PATH']}")
    assert found["Git branch"] == "trunk"
    assert found["Python"].startswith("3.")
    assert traces(repository) == []


def test_a_program_that_hangs_is_ended_and_left_out(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "node"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text("{}")
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    assert "Node" not in surroundings(project, project, env, 0.2)
