"""A bare Textual chat: what any such program costs. It knows no model and keeps nothing."""

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Static


class Skeleton(App[None]):
    """Says back what is typed."""

    def compose(self) -> ComposeResult:
        yield VerticalScroll()
        yield Input(placeholder="Ask anything")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self.query_one(VerticalScroll).mount(Static(event.value, markup=False))


if __name__ == "__main__":
    Skeleton().run()
