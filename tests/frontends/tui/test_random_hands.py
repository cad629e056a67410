"""Whatever a person does, the app goes on, and says the same when the session is resumed."""

import re
from pathlib import Path
from random import Random

import pytest
from textual import events
from textual.pilot import OutOfBounds

from octochat.frontends.tui.transcript.model import TranscriptModel
from tests.frontends.tui.stage import Stage, on_stage

SEEDS = 3
STEPS = 40
SIZES = ((80, 24), (120, 40), (60, 15), (200, 60), (30, 8))
CONFIG = """
[compression]
require_benefit = false
note_max_tokens = 600

[[compression.pressure_levels]]
threshold = 9000
target_ratio = 2.0

[tui]
keys = "{keys}"
"""
WORDS = """\
read README.md
run make
count to 60
count to 2000
write a.txt: hello
replace hello with 日本語 in a.txt
list files
use skill debugging
recall 2
read long.txt
read nowhere.txt
hello 🎉 [bold]x[/red]
read README.md and run make
!echo hi
!seq 1 500
/info
/context
/done
/done go on
/compact
/restore
/undo
/retry
/pin
/unpin 2
/knowledge add the port is 8080
/knowledge drop 1
/skill use debugging
/skill forget debugging
/model
/strategies
/show 2
/fork
/export
/search read
/rename A title
/clear
/resume
/find note
/copy
/theme textual-light
/whatif
/help
/max-cost 1
/nonsense
/pin x
""".splitlines()
KEYS = re.findall(
    r"\S+",
    "enter escape up down left right tab shift+tab pageup pagedown ctrl+home ctrl+end ctrl+f "
    "ctrl+up ctrl+p f1 ctrl+r y n a s p e m c g G j k space backspace home end ctrl+a ctrl+e "
    "ctrl+u ctrl+w ctrl+k ctrl+y alt+enter shift+enter ctrl+z ctrl+o ctrl+j delete 1 / @ !",
)


@pytest.mark.parametrize("keymap", ["default", "vim", "emacs"])
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_random_hands_break_nothing(tmp_path: Path, seed: int, keymap: str) -> None:
    settings = tmp_path / "config" / "octochat" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(CONFIG.format(keys=keymap), "utf-8")
    chance = Random(f"{seed}{keymap}")
    async with on_stage(tmp_path, chance.choice(SIZES)) as stage:
        (stage.folder / "long.txt").write_text("a note with some more words\n" * 400, "utf-8")
        for _ in range(STEPS):
            await anything(stage, chance)
        await calm(stage)
        await stage.types("count to 3")
        await stage.pilot.press("ctrl+end")
        await stage.until(lambda: "1 2 3" in stage.text())
        await stage.rest()
        assert seen(stage.transcript.model) == seen(told_again(stage))


async def anything(stage: Stage, chance: Random) -> None:
    """One thing that a person could do."""
    pilot, editor = stage.pilot, stage.app.prompt.editor
    kinds = ["say"] * 28 + ["keys"] * 30 + ["click"] * 8 + ["scroll"] * 5 + ["wait"] * 8
    match chance.choice([*kinds, "resize", "paste", "paste"]):
        case "say":
            if chance.random() < 4 / 5:
                editor.focus()
            editor.insert(chance.choice(WORDS))
            await pilot.press("enter")
        case "keys":
            await pilot.press(*chance.choices(KEYS, k=chance.choice((1, 4))))
        case "click":
            width, height = stage.app.size
            place = (chance.randrange(width), chance.randrange(height))
            try:
                await pilot.click(offset=place, times=chance.choice((1, 1, 2)))
            except OutOfBounds:  # the screen is another one by now
                return
        case "scroll":
            by = chance.choice((-1000, -20, -3, 3, 20, 1000))
            stage.transcript.scroll_relative(y=by, animate=False)
        case "resize":
            await pilot.resize_terminal(*chance.choice(SIZES))
        case "paste":
            editor.post_message(events.Paste("line of a paste\n" * chance.choice((1, 3, 200))))
        case _:
            await pilot.pause(chance.choice((0.01, 0.3)))
    await pilot.pause(0)


async def calm(stage: Stage) -> None:
    """Close every screen, stop the work, empty the queue and the input."""
    app = stage.app

    def still() -> bool:
        if len(app.screen_stack) > 1:
            app.pop_screen()
        elif app.prompt.busy:
            app.interrupt()
            app.prompt.drafts.hold()
        else:
            return True
        return False

    await stage.until(still)
    app.prompt.editor.text = ""
    await stage.pilot.pause()


def told_again(stage: Stage) -> TranscriptModel:
    """The session as it is shown when it is resumed."""
    model = TranscriptModel(lambda: 0.0)
    for entry in stage.session.engine.log.entries:
        model.show(entry)
    model.rest()
    return model


def seen(model: TranscriptModel) -> list[tuple[int, str, str]]:
    """What the log has made of a model; a new session begins with a welcome in its stead."""
    return [
        (card.entry, type(card).__name__, card.text())
        for card in model.cards
        if card.entry is not None and card.entry > 1
    ]
