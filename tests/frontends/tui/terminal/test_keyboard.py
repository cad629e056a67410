"""Esc interrupts at once; a terminal that goes away ends the app."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from queue import Queue
from threading import Thread

import pytest
from textual import constants
from textual.app import App
from textual.events import Key
from textual.message import Message

from octochat.frontends.tui.terminal import keyboard
from octochat.frontends.tui.terminal.keyboard import KeyboardDriver

AN_HOUR = 3600.0
SOON = 60.0
"""Seconds after which something has not happened."""


class Watched(App[None]):
    """An app of which we see what it is asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Queue[object] = Queue()

    def call_later(self, callback: object, *args: object, **kwargs: object) -> bool:
        self.asked.put(callback)
        return True


class Listener(KeyboardDriver):
    """A keyboard whose keys end up in a queue."""

    heard: Queue[Message]

    def process_message(self, message: Message) -> None:
        self.heard.put(message)

    def key(self) -> str:
        message = self.heard.get(timeout=SOON)
        assert isinstance(message, Key)
        return message.key


@contextmanager
def listening(app: Watched | None = None, early: bytes = b"") -> Generator[tuple[Listener, int]]:
    """A keyboard, and where a person types, until the terminal goes away.

    `early` was typed before anybody listened.
    """
    read, write = os.pipe()
    os.write(write, early)
    listener = Listener(app or Watched())
    listener.fileno, listener.heard = read, Queue()
    thread = Thread(target=listener.run_input_thread)
    thread.start()
    try:
        yield listener, write
    finally:
        os.close(write)
        thread.join(SOON)
        os.close(read)


async def test_an_escape_alone_is_a_key_before_the_round_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keyboard, "ROUND", AN_HOUR)
    monkeypatch.setattr(constants, "ESCAPE_DELAY", 0.01)
    with listening() as (listener, person):
        os.write(person, b"\x1b")
        assert listener.key() == "escape"


async def test_an_escape_that_begins_a_sequence_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(constants, "ESCAPE_DELAY", AN_HOUR)
    with listening() as (listener, person):
        os.write(person, b"\x1b")
        os.write(person, b"[A")
        assert listener.key() == "up"


async def test_an_escape_and_what_is_typed_right_after_it_are_keys_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(constants, "ESCAPE_DELAY", AN_HOUR)
    with listening() as (listener, person):
        os.write(person, b"\x1bhi\x1b")
        assert [listener.key() for _ in "ehi"] == ["escape", "h", "i"]
        os.write(person, b"b")
        assert [listener.key() for _ in "eb"] == ["escape", "b"]


async def test_a_character_in_two_pieces_is_one_key() -> None:
    with listening() as (listener, person):
        first, second = "é".encode()[:1], "é".encode()[1:]
        os.write(person, first)
        os.write(person, second + b"b")
        assert listener.key() == "é"
        assert listener.key() == "b"


async def test_a_terminal_that_goes_away_ends_the_app() -> None:
    app = Watched()
    with listening(app) as (listener, person):
        os.write(person, b"a")
        assert listener.key() == "a"
        assert app.asked.empty()
    assert app.asked.get(timeout=SOON) == app.exit


async def test_return_sends_also_what_was_typed_before_the_screen_stood() -> None:
    with listening(early=b"a\nb\n") as (listener, person):
        assert [listener.key() for _ in range(4)] == ["a", "enter", "b", "enter"]
        os.write(person, b"\n")
        assert listener.key() == "ctrl+j"
