"""A session's log in passages."""

from octochat.context.session.content import Text, ToolCall
from octochat.context.session.events import Entry, Replied, Returned
from octochat.memory.passages import passages


def test_the_call_of_a_result_is_looked_for_from_the_end_of_the_log_before() -> None:
    class Looked(list[Entry]):
        deepest = 99

        def __reversed__(self):
            for entry in super().__reversed__():
                self.deepest = min(self.deepest, entry.id)
                yield entry

    calls = [
        Entry(n, 0.0, 0, Replied((ToolCall(f"c{n}", "read", {"file_path": f"{n}.py"}),)))
        for n in range(1, 9)
    ]
    before = Looked(calls)
    (found,) = passages([Entry(9, 0.0, 0, Returned("c7", (Text("the seventh"),)))], before)
    assert (found.unit, found.path, before.deepest) == (7, "7.py", 7)
    (alone,) = passages([Entry(9, 0.0, 0, Returned("gone", (Text("nobody asked"),)))], before)
    assert (alone.unit, alone.path) == (9, "")
