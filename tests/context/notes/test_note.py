"""The note that takes a range's place, and the summary without a model."""

from itertools import product

import pytest

from octochat.context.notes.artifacts import harvest
from octochat.context.notes.extractive import extract, extractive_note, paragraph
from octochat.context.notes.fitting import cut, longest, shares
from octochat.context.notes.note import (
    NoteParts,
    assemble,
    one_paragraph,
    originals,
)
from octochat.context.notes.requests import UserRequest, rules, user_requests
from octochat.context.notes.sections import TITLES, Statement, fitted, render
from octochat.context.notes.sentences import passages
from octochat.context.session.content import Image, Text, ToolCall
from octochat.context.session.events import Entry, Event, Knowledge, Prompted, Replied, Returned
from octochat.context.session.tags import SKILL, WORK, escaped, tagged, untagged
from tests.recordings import recorded, recordings


def measure(text: str) -> int:
    return (len(text) + 3) // 4


def log(*events: Event) -> tuple[Entry, ...]:
    return tuple(Entry(i, float(i), 0, event) for i, event in enumerate(events, 1))


def said(text: str) -> Prompted:
    return Prompted((Text(text),))


def replied(text: str, *calls: ToolCall) -> Replied:
    return Replied((Text(text), *calls))


def read(path: str, output: str = "") -> list[Event]:
    call = ToolCall(f"read-{path}", "Read", {"file_path": path})
    return [replied(f"Reading the module in {path} now.", call), Returned(call.id, (Text(output),))]


def ids(entries: tuple[Entry, ...]) -> tuple[int, ...]:
    return tuple(entry.id for entry in entries if not isinstance(entry.event, Returned))


def note(entries: tuple[Entry, ...], budget: int = 800) -> str:
    return extractive_note(entries, ids(entries), (), budget, measure)


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


def test_short_requests_stand_in_the_note_word_for_word_and_in_order() -> None:
    entries = log(
        said("First:\n  do *this*."), replied("Yes."), said("Then that."), replied("Done.")
    )
    text = note(entries)
    assert "[#1] First:\n  do *this*.\n[#3] Then that." in text


def test_long_requests_are_cut_alike_and_the_ends_are_cut_last() -> None:
    requests = tuple(UserRequest(i, f"start{i} " + "x " * 2_000 + f"end{i}") for i in range(1, 6))
    text = assemble(NoteParts(requests), 1_000, measure)
    assert measure(text) <= 1_000
    for i in range(1, 6):
        assert f"[#{i}] start{i} " in text
        assert f"end{i}" in text
    first, second = (text.split(f"[#{i}]")[1].split("[#")[0] for i in (1, 2))
    assert len(first) > 1.5 * len(second)


def test_of_too_many_requests_the_first_and_the_newest_stay() -> None:
    requests = tuple(
        UserRequest(i, f"Please look after the matter with number {i}.") for i in range(300)
    )
    text = assemble(NoteParts(requests), 500, measure)
    assert measure(text) <= 500
    assert "number 0." in text
    assert "number 299." in text
    assert "more]" in text


def test_pictures_in_a_request_are_named() -> None:
    entries = log(Prompted((Text("What is this?"), Image("image/png", "AAAA"))))
    assert user_requests(entries) == (UserRequest(1, "What is this?\n[picture]"),)


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


def test_the_persons_rules_stand_first_whole_and_once() -> None:
    entries = log(
        said("Build the shop. Never deploy on Fridays. It is for Mia. " + "Some more words. " * 90),
        replied("Yes."),
        said("Use tabs, not spaces. Never deploy on Fridays, please."),
        replied("Of course."),
        said("Go on."),
    )
    text = note(entries, 400)
    first, requests = text.split("Requests:")
    assert first.count("eploy on Fridays") == 1
    assert "Constraints" not in requests
    assert "- Use tabs, not spaces. Never deploy on Fridays, please. (#3)" in first
    assert "Mia" not in first
    assert "[#1] Build the shop." in requests


def test_a_rule_survives_five_folds_word_for_word() -> None:
    entries = log(
        said("Hello. We never touch the table `orders` by hand."),
        *(event for i in range(60) for event in (replied(f"Step {i}. " * 30), said(f"next {i}"))),
    )
    for end in (21, 41, 61, 81, 121):
        text = extractive_note(entries, tuple(range(1, end)), (), 400, measure)
        assert "- Hello. We never touch the table `orders` by hand. (#1)" in text


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


def test_what_one_part_does_not_use_the_others_get() -> None:
    parts = {"a": 0.5, "b": 0.25, "c": 0.25}
    assert shares({"a": 10, "b": 1_000, "c": 1_000}, parts, 110) == {"a": 10, "b": 50, "c": 50}
    assert shares({"a": 1, "b": 1, "c": 1}, parts, 100) == {"a": 1, "b": 1, "c": 1}
    assert shares({"a": 90, "b": 90, "c": 90}, parts, 0) == {"a": 0, "b": 0, "c": 0}
    assert shares({"a": 5}, {"a": 1.0}, 0) == {"a": 0}
    assert shares({"a": 5, "b": 99, "c": 99}, parts, 11) == {"a": 5, "b": 3, "c": 3}


def test_the_longest_fitting_beginning_is_found_exactly() -> None:
    items = [f"{i}" for i in range(200)]
    found = longest(items, lambda some: "".join(f"{i:>4}" for i in some), 57, measure)
    assert len(found) == 57
    assert longest(items, "".join, 0, measure) == []
    assert longest(items, "".join, 10_000, measure) == items


@pytest.mark.parametrize("first", ["x", "x" * 90])
def test_of_a_list_that_is_far_too_long_little_is_measured(first: str) -> None:
    measured: list[int] = []

    def counted(text: str) -> int:
        measured.append(len(text))
        return measure(text)

    items = [first] * 150 + ["word " * 8] * 100_000
    kept = longest(items, "\n".join, 5_000, counted)
    assert measure("\n".join(kept)) <= 5_000 < measure("\n".join(items[: len(kept) + 1]))
    assert max(measured) < 2.5 * 4 * 5_000


def test_a_wrong_guess_is_put_right_in_a_few_steps() -> None:
    measured: list[int] = []

    def counted(text: str) -> int:
        measured.append(len(text))
        return len(text)

    items = ["x" * 100] * 1_000 + ["x"] * 1_000  # the first ones are twice as long as all are
    assert len(longest(items, "".join, 50_000, counted)) == 500
    assert len(measured) < 15


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


def test_a_cut_keeps_head_and_tail_and_the_length() -> None:
    assert cut("short", 10) == "short"
    assert cut("a" * 50 + "b" * 50, 31) == "a" * 18 + " […] " + "b" * 8
    assert cut("a" * 50, 3) == " […] "


def test_sentences_lean_on_the_one_before_and_code_is_left_out() -> None:
    text = (
        "I looked at the cache module today. But it never expires anything at all. Fine!\n"
        "```python\nthis is no sentence at all, really not\n```\n"
        "| a table | is no | sentence either |\n"
        "- The second point is **quite** important here."
    )
    assert list(passages(text)) == [
        "I looked at the cache module today. But it never expires anything at all.",
        "The second point is quite important here.",
    ]


def test_binding_words_of_the_person_become_constraints() -> None:
    entries = log(said("Make it nice. The pages should look like the old ones."), replied("Right."))
    (line,) = extract(entries)
    assert line.title == "Constraints and preferences"
    assert line.text == "#1 The pages should look like the old ones."


def test_conclusions_and_decisions_are_worth_more_than_chatter() -> None:
    call = ToolCall("1", "Read", {"file_path": "a.py"})
    entries = log(
        said("Why does the import fail?"),
        replied("Let me check the importer module for that.", call),
        Returned("1", (Text(""),)),
        replied("The import fails because `load()` returns None when the cache is cold."),
    )
    chatter, conclusion = sorted(extract(entries), key=lambda line: line.worth)
    assert "Let me check" in chatter.text
    assert conclusion.title == "Decisions"
    assert conclusion.worth > 3 * chatter.worth


def test_the_newest_of_equal_sentences_counts_more_and_stands_once() -> None:
    entries = log(
        said("Go on with the work."),
        replied("The tests of the parser pass now."),
        said("And again."),
        replied("The tests of the printer pass now."),
        said("Once more."),
        replied("The tests of the parser pass now."),
    )
    lines = extract(entries)
    assert [line.text for line in lines] == [
        "#4 The tests of the printer pass now.",
        "#6 The tests of the parser pass now.",
    ]
    assert lines[0].worth < lines[1].worth


def test_units_that_share_a_file_lift_each_others_sentences() -> None:
    def steps(second: str) -> float:
        entries = log(
            replied("Let me look at the file there.", ToolCall("1", "Read", {"path": "a.py"})),
            replied(
                "The bug must be in `a.py:12`, found it.", ToolCall("2", "Read", {"path": second})
            ),
        )
        return extract(entries)[0].worth

    assert steps("a.py") > steps("b.py")


def test_a_paragraph_is_the_best_sentences_in_their_order() -> None:
    entries = log(
        said("Mend it."),
        replied("The cause was a missing lock in `queue.py`. It is fixed now and verified."),
        said("And the other?"),
        replied("The other one failed because of the clock."),
    )
    assert paragraph(entries, 2).startswith("The cause was")
    assert paragraph(entries, 2).endswith("because of the clock.")


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


@pytest.mark.parametrize("label", ["IMPORTANT", "Fact", "User preference", "Note to self"])
def test_what_a_person_labels_is_kept_as_a_rule(label: str) -> None:
    fact = f"{label}: the staging host is otter.internal"
    text = note(log(said(f"Hello there.\n{fact}\nIt rains."), replied("Yes."), said("Go on.")))
    assert f"- {fact} (#1)" in text
    assert "- It rains" not in text


def test_what_a_person_pastes_with_a_label_is_no_rule() -> None:
    text = note(log(said("ERROR: the disk is full\nINFO: it was tried twice"), replied("Hm.")))
    assert "Rules and wishes" not in text


def test_two_facts_with_the_same_label_both_stand() -> None:
    requests = UserRequest(1, "Safety rule: ask Ann"), UserRequest(2, "Safety rule: call Bo")
    assert [rule.text for rule in rules(requests)] == [request.text for request in requests]


def test_where_the_rules_are_too_many_the_certain_ones_stay() -> None:
    words = ["".join(letters) for letters in product("abcdefgh", repeat=3)]
    weak = [f"goal {' '.join(some)}" for some in zip(*[iter(words)] * 8, strict=False)]
    text = note(log(said("\n".join([*weak, "Never force-push."])), replied("Yes.")), 400)
    assert "- Never force-push. (#1)" in text
    first = text.split("Requests:")[0]
    assert "- goal aaa" in first
    assert "- goal hhh" not in first
    assert first.count("- goal ") < len(weak)


def test_a_short_note_says_in_a_line_what_it_is() -> None:
    short = note(log(said("Mend it."), replied("Yes.")), 300)
    assert "#1 to #2 in short; `recall` fetches them." in short
