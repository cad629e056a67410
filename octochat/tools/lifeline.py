"""Ends a shell and all of its session once octochat is gone, however it went: `kill -9` too.

A process in the shell's own session reads from a pipe that only octochat holds open. Unlike
`PR_SET_PDEATHSIG` this reaches what the shell has started, is not tied to a thread, and works on
every system. What a command moves to a session of its own goes on.
"""

import os

_WATCH = """\
(
  {
    read -r
    trap '' TERM
    for signal in TERM KILL; do
      for stat in /proc/[0-9]*/stat; do
        pid=${stat//[!0-9]/}; stat=$(<"$stat"); set -- ${stat##*) }
        [ "$4" = $$ ] && [ "$pid" != "$BASHPID" ] && kill -$signal "$pid"
      done
      [ $signal = KILL ] || { kill -TERM -- -$$; sleep 1; }
    done
    kill -KILL -- -$$
  } <&PIPE >/dev/null 2>&1 9>&- &
)
exec PIPE<&-
"""
"""What the shell runs first. The watcher is nobody's child, so that `wait` does not wait for it;
it ends with the session, whose number stays taken as long as it lives."""


class Lifeline:
    """A pipe from octochat to the watcher."""

    def __init__(self) -> None:
        """Lay it."""
        self.end, self._held = os.pipe()

    @property
    def watch(self) -> str:
        """What the shell that has inherited `end` is to run first."""
        return _WATCH.replace("PIPE", str(self.end))

    def inherited(self) -> None:
        """The shell has its end, or will never have one: octochat needs it no more."""
        os.close(self.end)

    def cut(self) -> None:
        """End what is left of the session. Once only."""
        os.close(self._held)
