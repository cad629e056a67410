from dataclasses import replace

from octochat.commands.base import Report
from octochat.commands.models import offered_models, price_line
from octochat.context.session.content import Text, Thinking
from octochat.context.session.events import Entry, ModelChanged, Replied, SkillLoaded
from octochat.models.catalogue import ModelSettings, catalogue
from octochat.models.port import Notice
from octochat.models.scripted import Line
from tests.stage import Stage, text


def staged(*talk: Line) -> Stage:
    """A session with a model `m` of its own, among those of the real table."""
    stage = Stage(talk)
    stage.session = replace(
        stage.session, known=catalogue({"m": ModelSettings(input=2, output=10)})
    )
    return stage


async def test_models_are_listed_with_prices_and_what_going_over_costs() -> None:
    stage = staged(text("a b c", fresh=9_000, output=1_000))
    await stage.say("hello")
    [report] = await stage.say("/model")
    assert isinstance(report, Report)
    rows = report.text.splitlines()
    assert rows[0].startswith("The model is m.")
    assert any(row.startswith("* m ") for row in rows)
    models = {each["name"]: each for each in report.data["models"]}
    assert models["m"]["current"]
    assert models["claude-haiku-4-5"]["switch_tokens"] == 10_000
    assert models["claude-haiku-4-5"]["switch_cost_usd"] == 10_000 * 1.25 / 1e6
    assert models["claude-opus-5-5"]["switch_tokens"] == 13_000, "its tokenizer counts more"
    assert "13.0k" not in report.text
    assert "$0.065" in next(row for row in rows if "claude-opus-5-5" in row)


async def test_before_the_first_call_going_over_costs_nothing_more() -> None:
    stage = staged(text("a b c", fresh=9_000, output=1_000))
    stage.engine.append(SkillLoaded("deploy", "how to deploy " * 99))
    (opus,) = (m for m in offered_models(stage.session) if m.name == "claude-opus-5-5")
    assert "to switch" not in price_line(stage.session, opus)
    await stage.say("hello")
    assert "to switch" in price_line(stage.session, opus)


async def test_a_name_that_nobody_knows_is_taken_and_doubted() -> None:
    stage = staged()
    changed, doubt = await stage.say("/model claude-opus-5-6")
    assert isinstance(changed, Entry)
    assert isinstance(doubt, Notice)
    assert "Did you mean claude-opus-5-5" in doubt.text
    assert "/model m goes back" in doubt.text


async def test_several_words_are_no_model() -> None:
    stage = staged()
    [refused] = await stage.say("/model opus 5.5")
    assert isinstance(refused, Notice)
    assert "one word" in refused.text
    assert stage.engine.state.model == "m"


async def test_a_change_of_model_says_what_the_next_request_writes_and_loses() -> None:
    stage = staged(text("a b c", fresh=9_000, output=1_000))
    await stage.say("hello")
    stage.engine.append(Replied((Thinking("hm", "sig"), Text("so")), model="m"))
    changed, notice = await stage.say("/model claude-opus-5-5")
    assert isinstance(changed, Entry)
    assert changed.event == ModelChanged("claude-opus-5-5", scale=1.3)
    assert isinstance(notice, Notice)
    assert "writes 13.0k tokens" in notice.text
    assert "counts 13.0k tokens, the other one 10.0k" in notice.text
    assert "thinking of 1 reply" in notice.text


async def test_before_anything_was_said_a_change_costs_nothing_and_says_nothing() -> None:
    assert len(await staged().say("/model claude-opus-5-5")) == 1


async def test_the_model_it_has_already_is_not_changed() -> None:
    stage = staged()
    [report] = await stage.say("/model m")
    assert isinstance(report, Report)
    assert "already" in report.text


async def test_strategies_are_listed_with_what_each_would_do() -> None:
    [report] = await Stage([]).say("/strategies")
    assert isinstance(report, Report)
    assert "pressure: " in report.text
    assert "now it holds" in report.text
    assert "Not in use:\n  fifo: " in report.text


async def test_the_list_fits_a_small_terminal() -> None:
    stage = staged(text("a b c", fresh=9_000, output=1_000))
    await stage.say("hello")
    [report] = await stage.say("/model")
    assert isinstance(report, Report)
    table = report.text.split("\n\n")[1].splitlines()
    assert len(table) > 10
    assert max(map(len, table)) <= 54
