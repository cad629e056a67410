"""The harvest from tool calls of many agents."""

import pytest

from octochat.context.notes.artifacts import CommandRun, File, Named, harvest
from octochat.context.notes.identifiers import Identifier
from octochat.context.notes.outcomes import outcome
from octochat.context.notes.touched import Touched, touched, written_in
from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Prompted, Replied
from octochat.context.session.ran import Ran
from tests.context.notes.logs import act, log


@pytest.mark.parametrize(
    ("name", "arguments", "read", "changed"),
    [
        ("Read", {"file_path": "/a/b.py"}, ["/a/b.py"], []),
        ("read", {"filePath": "/a/b.py", "offset": 3}, ["/a/b.py"], []),
        ("view", {"path": "/a/LICENSE"}, ["/a/LICENSE"], []),
        ("Edit", {"file_path": "b.py", "old_string": "x", "new_string": "y"}, [], ["b.py"]),
        ("Write", {"file_path": "b.py", "content": ""}, [], ["b.py"]),
        ("create", {"path": "b.py", "file_text": ""}, [], ["b.py"]),
        ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": ""}, [], ["n.ipynb"]),
        ("str_replace_editor", {"command": "view", "path": "/a/b.c"}, ["/a/b.c"], []),
        (
            "str_replace_editor",
            {"command": "insert", "path": "/a/b.c", "insert_text": "x"},
            [],
            ["/a/b.c"],
        ),
        ("move_file", {"source": "a.py", "destination": "b.py"}, [], ["a.py", "b.py"]),
        ("Grep", {"pattern": "x", "path": "/a/src"}, [], []),
        ("Grep", {"pattern": "x", "path": "/a/src/b.py"}, ["/a/src/b.py"], []),
        ("get_order_details", {"order_id": "#W1"}, [], []),
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: a/b.py\n*** Move to: a/c.py\n@@\n-x\n"},
            [],
            ["a/b.py", "a/c.py"],
        ),
        ("apply_patch", {"patchText": "*** Add File: /a/new.ts\n+x"}, [], ["/a/new.ts"]),
        ("patch", {"diff": "--- a/x.py\n+++ b/x.py\n@@"}, [], ["x.py"]),
    ],
)
def test_what_a_call_touches_is_seen_in_its_arguments(
    name: str, arguments: dict[str, object], read: list[str], changed: list[str]
) -> None:
    assert touched(ToolCall("1", name, arguments)) == Touched(tuple(read), tuple(changed))


@pytest.mark.parametrize(
    ("command", "read", "changed"),
    [
        ("cd x && cat a/b.py | sed -n '1,2p'", ["a/b.py"], []),
        ("sed -i 's/a/b.py/' src/a.py", [], ["src/a.py"]),
        ("sed -n 5,9p src/a.py > out.txt 2>/dev/null", ["src/a.py"], ["out.txt"]),
        ("cat > foo.py <<'EOF'\nimport 'x/y.py'\nrm z.py\nEOF\npython foo.py", [], ["foo.py"]),
        ("grep -rn 'foo.py' src/b.ts | head", ["src/b.ts"], []),
        ("git mv a/b.py c/d.py; git rm e.md", [], ["a/b.py", "c/d.py", "e.md"]),
        ("git add a.py && git commit -m 'x.py'", [], []),
        ("cp a.json b.json", ["a.json"], ["b.json"]),
        ("cp -r setup.cfg tests $S/m/", ["setup.cfg"], []),
        ("echo hi | tee -a log/x.txt", [], ["log/x.txt"]),
        ("ls src/*.py", [], []),
        ("open /a/b.py 12", ["/a/b.py"], []),
        ("apply_patch <<'E'\n*** Update File: a/b.py\n-x\n+y\nE", [], ["a/b.py"]),
    ],
)
def test_what_a_shell_line_touches_is_seen_in_its_words(
    command: str, read: list[str], changed: list[str]
) -> None:
    found = touched(ToolCall("1", "bash", {"command": command}))
    assert set(found.read) == set(read)
    assert set(found.changed) == set(changed)


def test_a_shell_line_may_come_as_a_list_and_under_another_name() -> None:
    call = ToolCall("1", "shell", {"cmd": ["cat", "a/b.py"]})
    assert touched(call) == Touched(read=("a/b.py",))


def test_an_editor_of_the_open_file_names_it_in_its_answer() -> None:
    call = ToolCall("1", "bash", {"command": "edit 1:1\nimport x\nend_of_edit"})
    assert touched(call, "[File: /p/r.py (18 lines total)]\n1:x") == Touched(changed=("/p/r.py",))


def test_search_and_replace_blocks_in_a_reply_change_files() -> None:
    text = "Do this:\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```"
    assert written_in(text) == ("src/a.py",)


def test_what_a_reply_says_to_write_counts_as_changed() -> None:
    text = "src/a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"
    assert harvest(log(Replied((Text(text),)))).files == (File("src/a.py", 0, 1, last=0),)


def test_a_failed_change_counts_as_a_look() -> None:
    found = harvest(log(*act("Write", failed=True, file_path="a.py", content="x")))
    assert found.files == (File("a.py", reads=1, changes=0, last=1),)


def test_files_add_up_over_calls() -> None:
    events = [
        *act("Read", file_path="a.py"),
        *act("Edit", file_path="a.py", old_string="x", new_string="y"),
    ]
    assert harvest(log(*events)).files == (File("a.py", reads=1, changes=1, last=3),)


@pytest.mark.parametrize(
    ("output", "failed", "status"),
    [
        ("Exit code 2\nboom", True, 2),
        ("Chunk ID: 7\nProcess exited with code 0\nOutput:\nx", False, 0),
        ("<returncode>1</returncode>\n<output>", False, 1),
        ("ok\n<shellId: 8 completed with exit code 0>", False, 0),
        ("boom\nExit status 1\n", False, 1),
        ("boom\n[exit 7 in 0.3 s; 12 characters left out]", True, 7),
        ("boom\n[exit status 7]", True, 7),
        ("anything", True, 1),
        ("anything", False, None),
    ],
)
def test_the_exit_status_is_read_in_each_agents_words(
    output: str, failed: bool, status: int | None
) -> None:
    assert outcome(output, failed=failed) == (f"exit {status}" if status else "")


@pytest.mark.parametrize(("before", "seen"), [(600, True), (601, False)])
def test_how_it_ended_is_said_in_the_first_or_the_last_600_characters(
    before: int, seen: bool
) -> None:
    much = "x" * 9_000
    for output in (
        "exit code 3".rjust(before, "x") + much,
        much + "exit code 3".ljust(before, "x"),
    ):
        assert outcome(output, failed=False) == ("exit 3" if seen else "")


@pytest.mark.parametrize(
    ("output", "came"),
    [
        ("the person did not allow it", "refused"),
        ("this run allows no questions, and the rule bash(x) in [permissions] ask", "refused"),
        ("the rule bash(rm *) in [permissions] deny forbids it", "refused"),
        ("[interrupted by the person: the tool did not finish]", "interrupted"),
        ("[interrupted: octochat ended before the tool did]", "interrupted"),
        ("[not run: octochat ended]", "interrupted"),
        ("x\n[interrupted by the person after 12 s; a new shell is in /a]", "interrupted"),
        ("x\n[timed out after 2 m; it was killed]", "timed out"),
        ("x\n[exit 3 in 0.1 s]", "exit 3"),
        ("Command timed out after 120 s", "timed out"),
        ("boom\nExit status 3", "exit 3"),
    ],
)
def test_a_commands_outcome_is_what_happened(output: str, came: str) -> None:
    found = harvest(log(*act("bash", output, failed=True, command="make all")))
    assert [run.outcome for run in found.commands] == [came]


def test_of_a_failed_command_the_first_three_error_lines_stay() -> None:
    output = "\n".join(f"error: boat {n}" for n in range(4))
    found = harvest(log(*act("bash", output, failed=True, command="make")))
    lines = [Identifier("quoted", f"error: boat {n}") for n in range(3)]
    assert found.errors == tuple(Named(line, 1.0, last=1) for line in lines)


def test_the_same_command_stands_once_and_is_counted() -> None:
    again = act("bash", "boom", failed=True, command="make  all")
    found = harvest(log(*act("bash", "ok", command="make all"), *again))
    assert found.commands == (CommandRun("make all", "exit 1", runs=2, last=3),)


@pytest.mark.parametrize(("length", "shown"), [(200, "x" * 200), (201, "x" * 199 + "…")])
def test_a_command_of_more_than_200_characters_is_cut(length: int, shown: str) -> None:
    found = harvest(log(*act("bash", command="x" * length)))
    assert [run.line for run in found.commands] == [shown]


def test_an_error_goes_when_the_same_command_succeeds_later() -> None:
    failing = act("Bash", "Exit code 1\nE   KeyError: 'gone'", failed=True, command="pytest -x")
    assert harvest(log(*failing)).errors
    other = act("Bash", "ok", command="ls")
    assert harvest(log(*failing, *other)).errors
    assert not harvest(log(*failing, *act("Bash", "3 passed", command="pytest -x"))).errors


def test_what_was_merely_read_is_not_quoted_and_scratch_is_not_named() -> None:
    text = (
        'raise Error("the needle")\n--- a/src/app.py\n+++ b/src/app.py\n'
        "see /tmp/scratch.txt and path/to/file.py and toolu_01ABCDEFGH and src/real/one.py"
    )
    names = {n.identifier.text for n in harvest(log(*act("Read", text, file_path="x.py"))).names}
    assert names == {"src/real/one.py"}


def test_what_recall_fetched_is_not_harvested_again() -> None:
    found = harvest(log(*act("recall", "order #W1111111 in src/old/one.py", search="#W2222222")))
    assert found.names == ()


def test_what_a_tool_of_octochat_adds_to_what_it_shows_is_no_fact() -> None:
    lines = "10184\t5 files\n10185\tk = ABC-123\n"
    read = f"{lines}[lines 10184 to 10185 of 20000]"
    ran = "took 90 s\n[exit 0 in 12 s; 34,000 characters left out]"
    grep = harvest(log(*act("grep", f"a.py\n{lines}\n[17 matches in 9 files]")))
    assert {named.identifier.text for named in grep.names} == {"a.py", "5 files", "ABC-123"}
    found = harvest(log(*act("read", read, file_path="a.py")))
    assert {named.identifier.text for named in found.names} == {"5 files", "ABC-123"}
    shell = harvest(log(*act("bash", ran, command="make")))
    assert {named.identifier.text for named in shell.names} == {"90 s"}
    data = harvest(log(*act("bash", "10184\tfine", command="cat ids.tsv")))
    assert {named.identifier.text for named in data.names} == {"10184"}, "a fact of a file"


def test_an_error_word_in_a_file_that_was_read_is_no_error() -> None:
    found = harvest(log(*act("Read", "class E(ValueError): pass\nKeyError: x", file_path="e.py")))
    assert found.errors == ()


def test_names_in_arguments_are_found_however_deep() -> None:
    items: list[object] = [{"sku": "A-1234567", "count": 1}, {"of": [7654321]}, True, None]
    found = harvest(log(*act("order", items=items)))
    assert {named.identifier.text for named in found.names} >= {"A-1234567", "7654321"}


def test_words_of_people_weigh_more_than_words_of_tools() -> None:
    events = [Prompted((Text("order #W8855135"),)), *act("get", "order #W1111111", id="x")]
    weights = {n.identifier.text: n.weight for n in harvest(log(*events)).names}
    assert weights["#W8855135"] > weights["#W1111111"]
    (again,) = harvest(log(events[0], events[0])).names
    assert again.weight == 2 * weights["#W8855135"]
    ran = Prompted((Text(Ran("ls", "exit 0", "order #W7777777").text()),))
    (printed,) = harvest(log(ran)).names
    assert printed.weight == weights["#W1111111"] == weights["#W8855135"] / 4
