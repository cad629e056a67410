"""Commands after a slash, files after an `@`."""

import subprocess
import threading
from pathlib import Path

from octochat.frontends.shared.drafts import DraftFile
from octochat.frontends.shared.history import History
from octochat.frontends.tui.input.choice_list import Choices
from octochat.frontends.tui.input.completion import CompletionQuery, wanted_at
from octochat.frontends.tui.input.files import Files, best, list_paths
from octochat.frontends.tui.input.prompt import PromptInput
from tests.frontends.tui.widget_stage import Stage, prompt, ready, settle


def offered(one: PromptInput) -> list[str]:
    return [row.label for row in one.query_one(Choices).rows]


def project(folder: Path) -> None:
    for name in ("src/app.py", "src/parse.py", "docs/a b.md", "junk/x.log", "README.md"):
        path = folder / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (folder / "project" / ".gitignore").write_text("junk/\n")
    subprocess.run(["git", "init", "-q"], cwd=folder / "project", check=True)


async def test_a_slash_offers_every_command_with_its_help(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press("/")
        assert offered(one) == ["/done [text]", "/help", "/info", "/model [NAME]", "/restore"]
        await pilot.press("o")
        assert offered(one) == ["/done [text]", "/info", "/model [NAME]", "/restore"]
        await pilot.press("z")
        assert offered(one) == []


async def test_enter_takes_the_command_and_sends_it_if_nothing_can_follow(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"/rest", "enter")
        await pilot.pause()
        assert [message.text for message in app.of(PromptInput.Submitted)] == ["/restore"]


async def test_enter_completes_a_command_that_takes_words(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        await pilot.press(*"/mo", "enter")
        assert one.editor.text == "/model "
        assert offered(one) == ["opus", "haiku", "offline"]
        await pilot.press("down", "enter")
        await pilot.pause()
        assert [message.text for message in app.of(PromptInput.Submitted)] == ["/model haiku"]


async def test_escape_closes_the_list_and_does_not_interrupt(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    app = Stage(one)
    async with app.run_test(message_hook=app.hear) as pilot:
        await ready(pilot, one)
        one.busy = True
        await pilot.press(*"/mo", "escape")
        await pilot.pause()
        assert offered(one) == []
        assert not app.of(PromptInput.Interrupt)
        await pilot.press("d")
        assert offered(one) == []


async def test_an_at_offers_files_that_git_does_not_ignore(tmp_path: Path) -> None:
    project(tmp_path)
    one = prompt(tmp_path)
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"see @")
        await settle(pilot)
        shown = offered(one)
        assert "src/app.py" in shown
        assert "src/" in shown
        assert not [path for path in shown if "junk" in path]
        await pilot.press(*"pars")
        await settle(pilot)
        assert offered(one) == ["src/parse.py"]
        await pilot.press("tab")
        assert one.editor.text == "see @src/parse.py "


class Slow(Files):
    """A folder that answers when it is let."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.let = threading.Event()

    def paths(self) -> tuple[str, ...]:
        self.let.wait(20)
        return ("late.py",)


async def test_files_that_come_too_late_are_not_offered(tmp_path: Path) -> None:
    slow = Slow(tmp_path)
    one = PromptInput(
        history=History(tmp_path / "h"), drafts=DraftFile(tmp_path / "d.json"), files=slow
    )
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press("@", "l", "backspace", "backspace")
        slow.let.set()
        await settle(pilot)
        assert offered(one) == []
        await pilot.press("@", "l")
        await settle(pilot)
        assert offered(one) == ["late.py"]


async def test_a_path_with_a_space_is_put_between_quotes(tmp_path: Path) -> None:
    project(tmp_path)
    one = prompt(tmp_path)
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"@abmd")
        await settle(pilot)
        await pilot.press("tab")
        assert one.editor.text == '@"docs/a b.md" '


async def test_a_click_takes_a_row(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press("/")
        await pilot.pause()
        await pilot.click(Choices, offset=(5, 3))
        await pilot.pause()
        assert one.editor.text == "/model "
        assert one.editor.has_focus


async def test_history_does_not_open_the_list(tmp_path: Path) -> None:
    one = prompt(tmp_path)
    async with Stage(one).run_test() as pilot:
        await ready(pilot, one)
        await pilot.press(*"hi", "enter", *"/info", "enter", "up")
        assert one.editor.text == "/info"
        assert offered(one) == []
        await pilot.press("up")
        assert one.editor.text == "hi"


def test_without_git_hidden_and_heavy_folders_are_left_out(tmp_path: Path) -> None:
    for name in ("a.py", ".git_not/x", "node_modules/x.js", "sub/b.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    assert list_paths(tmp_path) == ("a.py", "sub/", "sub/b.py")


def test_the_best_path_is_the_one_whose_name_begins_with_the_letters() -> None:
    paths = ["docs/prompting.md", "src/tui/prompt.py", "tests/test_prompt.py", "p/r/o/m/p/t.c"]
    assert best("prompt", paths, 3) == [
        "docs/prompting.md",
        "src/tui/prompt.py",
        "tests/test_prompt.py",
    ]
    assert best("tpr", paths, 1) == ["tests/test_prompt.py"]


def test_many_equal_letters_take_no_time() -> None:
    assert best("e" * 30 + "x", ["e" * 4_000] * 200, 5) == []


def test_an_at_inside_a_word_is_no_file() -> None:
    assert wanted_at("mail me@home", first_line=True) is None
    assert wanted_at("(@ho", first_line=True) == CompletionQuery("file", 1, "ho")


def test_a_slash_is_a_command_only_at_the_very_start() -> None:
    assert wanted_at("/usr/bin", first_line=True) is None
    assert wanted_at("see /mo", first_line=True) is None
    assert wanted_at("/mo", first_line=False) is None
