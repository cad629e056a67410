"""`octochat skills`: what there is here, and what is odd about it."""

from pathlib import Path

from tests.e2e.home import home


def test_check_tells_each_oddity_and_why_a_skill_was_left_out(tmp_path: Path) -> None:
    at = home(tmp_path)
    (at.project / ".git").mkdir()
    below = at.project / "a" / "b"
    below.mkdir(parents=True)
    for name, text in (("odd", "name: Odd\ndescription: x"), ("bad", "name: bad")):
        folder = at.project / ".claude/skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\n{text}\n---\nDo it.\n")
    ran = at.run("skills", "check", cwd=below)
    said = ran.stdout.decode()
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert "Odd, usable: " in said
    assert 'its name is not that of its folder, "odd"' in said
    assert f"left out: {at.project}/.claude/skills/bad/SKILL.md\n  it has no description" in said
    assert said.endswith("1 of them odd; 1 left out.\n")
    (at.project / ".claude/skills/bad/SKILL.md").unlink()
    assert at.run("skills", "check", cwd=below).returncode == 0
    assert b"- Odd: x\n" in at.run("skills", cwd=below).stdout
