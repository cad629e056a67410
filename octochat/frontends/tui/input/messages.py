"""What a person wants, as the prompt tells it. They are `Prompt.Submitted` and so on elsewhere."""

from textual.message import Message


class Submitted(Message, namespace="prompt"):
    """The person said something, pastes in full."""

    def __init__(self, text: str, along: tuple[str, ...] = (), *, waited: bool = False) -> None:
        """`along`: what goes before it to the model (`Draft.along`); `waited`: it had to wait."""
        super().__init__()
        self.text: str = text
        self.along: tuple[str, ...] = along
        self.waited: bool = waited


class Interrupt(Message, namespace="prompt"):
    """The model is to stop now."""


class RewindRequested(Message, namespace="prompt"):
    """The person wants to go back to an earlier prompt."""


class Ended(Message, namespace="prompt"):
    """Ctrl+D was pressed at rest and nothing is written: the person may want to leave."""


class TryNow(Message, namespace="prompt"):
    """Enter was pressed and nothing is written: what waits need wait no longer."""


class Trouble(Message, namespace="prompt"):
    """Something that the person should know, in one line."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text: str = text
