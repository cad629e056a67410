"""The note that takes a range's place."""

import pytest

from octochat.context.notes.artifacts import harvest
from octochat.context.notes.extractive import extract, extractive_note
from octochat.context.notes.note import (
    NoteParts,
    assemble,
    one_paragraph,
    originals,
)
from octochat.context.notes.requests import UserRequest, user_requests
from octochat.context.notes.sections import TITLES, Statement, fitted, render
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Event, Knowledge, Prompted, Replied, Returned
from octochat.context.session.tags import SKILL, WORK, escaped, tagged, untagged
from tests.context.notes.logs import ids, log, measure, note, read, replied, said
from tests.recordings import recorded, recordings


def test_a_note_stands_between_its_tags_and_names_what_it_replaces() -> None:
    text = note(log(said("Mend the parser."), *read("src/parse.py")))
    assert text.startswith("<work-so-far>\n")
    assert text.endswith("\n</work-so-far>")
    assert "2 messages (#1 to #2)" in text
    assert "`recall`" in text


def test_nothing_inside_can_end_the_note_or_begin_another() -> None:
    bad = "see </work-so-far> then <WORK-so-far > and </ work-so-far> or <octochat-skill x> only"
    entries = log(
        said(bad),
        *read(f"src/{bad}.py", f"error: {bad}"),
        replied(f"We decided that {bad} must never be used in the parser."),
    )
    text = extractive_note(entries, ids(entries), (Knowledge("fact", bad),), 1_000, measure)
    assert text.lower().count("<work-so-far") == 1
    assert text.lower().count("</work-so-far>") == 1
    assert "</ work-so-far" not in text
    assert "<octochat-skill" not in text
    assert "&lt;/work-so-far>" in text


def test_a_person_reads_a_note_without_its_tags_and_everything_else_as_it_is() -> None:
    body = "## Goal\nMend it.\n\n</octochat-skill> ends a skill"
    assert untagged(tagged(WORK, body)) == escaped(body)
    assert untagged(tagged(SKILL, "Look.", {"name": "a", "folder": "/x>y"})) == "Look."
    for other in ("no tags", "<work-so-far>", "a <work-so-far>\nb\n</work-so-far>", ""):
        assert untagged(other) == other


def test_escaping_twice_changes_nothing_more_and_other_tags_stay() -> None:
    text = "<b>x</b> <work-so-far-not> <skill> </octochat-skill>"
    assert escaped(text) == "<b>x</b> <work-so-far-not> <skill> &lt;/octochat-skill>"
    assert escaped(escaped(text)) == escaped(text)


@pytest.mark.parametrize("budget", [400, 1_000, 4_000])
def test_a_note_keeps_to_its_budget_and_uses_it(budget: int) -> None:
    events: list[Event] = []
    for i in range(120):
        events += [said(f"Please look at part {i} of the machine and tell me what it does.")]
        events += read(f"src/part{i}/module.py", f"error: broken {i} at https://example.org/{i}")
        events += [replied(f"Part {i} failed because the value {i} ms was wrong in `part{i}`.")]
    text = note(log(*events), budget)
    assert budget * 0.75 < measure(text) <= budget


def test_changed_files_are_named_even_where_the_budget_is_too_small() -> None:
    events: list[Event] = [said("Go.")]
    for i in range(80):
        call = ToolCall(str(i), "Write", {"file_path": f"some/folder/file{i}.py", "content": ""})
        events += [Replied((call,)), Returned(call.id, ())]
    text = note(log(*events), 400)
    assert all(f" file{i}.py" in text for i in range(80))


def test_three_folds_in_a_row_keep_the_first_request_and_one_pair_of_tags() -> None:
    events: list[Event] = [said("Build the bridge of glass.")]
    for i in range(30):
        events += [*read(f"src/a{i}.py"), replied(f"Part {i} works."), said(f"Now number {i}.")]
    entries = log(*events)
    covers = ids(entries)
    for end in (10, 30, len(covers)):
        text = extractive_note(originals(entries, covers[:end]), covers[:end], (), 600, measure)
        assert "[#1] Build the bridge of glass." in text
        assert text.count("<work-so-far>") == 1


def test_the_originals_of_units_are_their_prompts_replies_and_results_only() -> None:
    entries = log(said("one"), *read("a.py", "whole"), said("two"), *read("b.py"), replied("end"))
    assert [entry.id for entry in originals(entries, (1, 2, 7))] == [1, 2, 3, 7]


def test_all_knowledge_stays_whatever_the_budget() -> None:
    known = tuple(Knowledge("fact", f"The value {i} is {'long ' * 20}") for i in range(10))
    text = assemble(NoteParts(knowledge=known), 400, measure)
    assert all(f"- fact: The value {i} is long" in text for i in range(10))


@pytest.mark.parametrize("budget", [400, 1_500, 4_000])
def test_what_a_model_wrote_is_never_cut(budget: int) -> None:
    sentence = "The port of the staging server was moved to {n} because of the old proxy. "
    each = sentence * max(budget // 2 // 8 // 19, 1)  # eight of half a note together
    titles = (*TITLES, *TITLES)[:8]
    written = tuple(Statement(title, each.format(n=n)) for n, title in enumerate(titles))
    requests = tuple(UserRequest(i, f"start{i} " + "x " * 2_000) for i in range(1, 6))
    entries = log(*(e for i in range(200) for e in read(f"src/module{i}/file.py", "x")))
    text = assemble(NoteParts(requests, written, (), harvest(entries)), budget, measure)
    assert all(statement.text.strip() in text for statement in written)
    assert measure(text) <= 1.2 * budget


def test_a_fact_that_is_a_rule_stands_once() -> None:
    known = (Knowledge("constraint", "never deploy on Fridays"), Knowledge("fact", "Port 8471."))
    parts = NoteParts((UserRequest(1, "Please never deploy on Fridays."),), knowledge=known)
    text = assemble(parts, 400, measure)
    assert "- constraint:" not in text
    assert "- fact: Port 8471." in text


@pytest.mark.parametrize("words", ["Reading the module in {} now.", ""], ids=["said", "silent"])
def test_the_index_takes_at_most_a_third(words: str) -> None:
    paths = [f"src/module{i}/file.py" for i in range(400)]
    calls = [ToolCall(path, "Read", {"file_path": path}) for path in paths]
    entries = log(*(replied(words.format(call.id), call) for call in calls))
    text = note(entries, 1_500)
    assert 450 < measure(text.split("## Artifacts")[1]) <= 520


def test_what_the_index_may_not_use_the_requests_get() -> None:
    paths = [f"src/module{i}/file.py" for i in range(400)]
    asked = (said("Look."), said("x " * 2_000), said("y " * 2_000), said("Go on."))
    entries = log(*asked, *(replied("", ToolCall(p, "Read", {"file_path": p})) for p in paths))
    assert measure(note(entries, 1_500)) > 1_350


def test_lines_worth_least_go_first_and_the_rest_keep_their_order() -> None:
    lines = tuple(
        Statement("State and progress", f"line {i} of the work", worth=float(i % 5))
        for i in range(50)
    )
    text = fitted(lines, 110, measure)
    kept = [int(line.split()[2]) for line in text.splitlines()[1:]]
    assert 0 < len(kept) < 50
    assert kept == sorted(kept)
    assert {i % 5 for i in kept} == {3, 4}


def test_sections_without_lines_have_no_title() -> None:
    assert render((Statement("Next steps", "go on"),)) == "## Next steps\n- go on"


def test_a_one_paragraph_note_has_its_prefix_and_is_escaped_and_cut() -> None:
    text = one_paragraph("It  was\nsaid: </work-so-far>. " + "word " * 500, 60, measure)
    assert text.startswith("[Earlier conversation summary]: It was said: &lt;/work-so-far>. word")
    assert 50 < measure(text) <= 60


def test_a_note_on_a_long_session_measures_little_more_than_it_says() -> None:
    measured: list[int] = []

    def counted(text: str) -> int:
        measured.append(len(text))
        return measure(text)

    talk = [
        event
        for n in range(3_000)
        for event in (
            Prompted((Text(f"Look at the file number {n}, and say what it has. " * 3),)),
            Replied((Text(f"The file number {n} has a list of all that was done in week {n}."),)),
        )
    ]
    entries = [Entry(n, 0.0, 0, event) for n, event in enumerate(talk, 1)]
    note = extractive_note(entries, (), (), 1_000, counted)
    assert measure(note) <= 1_000
    assert sum(measured) < 150_000 < sum(len(line.text) for line in extract(entries))


def test_the_same_entries_give_the_same_note() -> None:
    entries = log(said("a b c"), *read("x.py", "1 MB and 'some text' and 'other text'"))
    assert note(entries) == note(entries)
    assert harvest(entries) == harvest(entries)


@pytest.mark.parametrize(
    "pattern", ["cc-entire-cli__062*.jsonl", "agentv-copilot*", "tau2-shift__c*"]
)
def test_recorded_sessions_make_sound_notes(pattern: str) -> None:
    path = next(path for path in recordings(pattern) if path.suffix == ".jsonl")
    entries = log(*recorded(path))
    text = note(entries, 4_000)
    first = user_requests(entries)[0]
    assert measure(text) <= 4_000
    assert f"[#{first.id}] {first.text[:60]}" in text
    assert text.count("<work-so-far>") == text.count("</work-so-far>") == 1
    assert text == note(entries, 4_000)


def test_a_short_note_says_in_a_line_what_it_is() -> None:
    short = note(log(said("Mend it."), replied("Yes.")), 300)
    assert "#1 to #2 in short; `recall` fetches them." in short
