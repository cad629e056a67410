"""How many tokens texts, pictures and events weigh: counted offline, calibrated by real usage.

It knows the values of a conversation and the name of the model, nothing of logs or requests.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from pathlib import Path
from threading import Lock
from typing import Literal, TypeAlias, cast

from platformdirs import user_cache_path

from octochat.context.session.content import (
    Block,
    Image,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from octochat.context.session.events import (
    BlockRefused,
    Condensed,
    Event,
    Held,
    Hinted,
    HookRan,
    Instructed,
    KeptWarm,
    KnowledgeChanged,
    ModelChanged,
    NoteEdited,
    Opened,
    Pinned,
    Prompted,
    Recalled,
    Reminded,
    Replied,
    Returned,
    Reverted,
    Rewound,
    SkillForgotten,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolDefinition,
    ToolLoaded,
    ToolsChanged,
    ToolWithdrawn,
    Unpinned,
)
from octochat.context.session.steering import EffortChanged, ModeChanged
from octochat.models.tokens.calibration import Calibration
from octochat.models.tokens.image_size import image_size
from octochat.models.tokens.vocabulary import VocabularyError, load_encoding
from octochat.storage.data_folder import data_folder

Sort: TypeAlias = Literal["prose", "arguments", "output"]
"""What a text is: words of people and models, arguments of a tool, output of a tool."""

CHARACTERS: Mapping[Sort, float] = {"prose": 3.7, "arguments": 3.4, "output": 2.8}
"""Characters a token, as Claude billed them in recorded sessions; used without the vocabulary."""
BLOCK = 40
"""Tokens that the API adds for a block (tags, ids), as measured in recorded sessions."""
PIXELS = 750
"""Pixels a token (API documentation, "Vision")."""
IMAGE = 1_600
"""The most that a picture costs (the API scales it down), and what one of unknown size counts."""
PIECE = 4_000
"""Characters encoded at once. A run of one letter takes quadratic time, a megabyte of blanks makes
the tokenizer panic; in pieces neither happens, and a count is wrong by 0.1 % at most."""
WHOLE = 2_000_000
"""Characters up to which a text is counted in full; of a longer one as many are sampled."""
FILE = 30
"""Base64 characters of a document a token: a page of a PDF is some 2,000 tokens and 50 kB."""


class Ruler:
    """Measures in tokens as the current model bills them. Safe to use from several threads."""

    def __init__(
        self, model: str = "", *, cache: Path | None = None, calibration: Calibration | None = None
    ) -> None:
        """Nothing is read before the first use.

        `cache` is where the unpacked vocabulary is kept, and `calibration` what was learned in
        earlier sessions; both default to the user's own folders.
        """
        self.model: str = model
        """Whose tokens are counted; set it when the session changes its model."""
        self._cache = cache
        self._calibration = calibration
        self._lock = Lock()
        self._encode: Callable[[str], list[int]] | None = None
        self._reason = ""

    def load(self) -> str:
        """Load the vocabulary (0.4 s: call it in a thread after start; else the first use does).

        Returns why tokens are estimated from characters; empty where they are counted.
        """
        with self._lock:
            if self._encode is None and not self._reason:
                try:
                    cache = self._cache or user_cache_path("octochat") / "tiktoken"
                    self._encode = load_encoding(cache).encode_ordinary
                except VocabularyError as error:
                    self._reason = f"tokens are estimated from characters: {error}"
            return self._reason

    @property
    def factor(self) -> float:
        """What the model bills for one counted token."""
        return self._factors().factor(self.model)

    def scale(self, old: str, new: str) -> float:
        """Tokens of one model for a token of another, on the same content."""
        factors = self._factors()
        self.load()
        of = factors.tokenizer if self._encode is None else factors.factor
        return round(of(new) / of(old), 4)

    def text(self, text: str, sort: Sort = "output") -> int:
        """The size of a text alone. `sort` matters only where tokens are estimated."""
        return self._calibrated(self._raw(text, sort))

    def image(self, image: Image) -> int:
        """Width x height / 750, at most 1,600."""
        try:
            size = image_size(b64decode(image.data))
        except ValueError:
            size = None
        return IMAGE if size is None else min(ceil(size[0] * size[1] / PIXELS), IMAGE)

    def blocks(self, blocks: Iterable[Block]) -> int:
        """The size of blocks in a message, with what the API adds for each."""
        return sum(map(self._block, blocks))

    def tool(self, tool: ToolDefinition) -> int:
        """The size of a tool's definition."""
        text = f"{tool.name}\n{tool.description}\n{json.dumps(dict(tool.schema))}"
        return self._calibrated(BLOCK + self._raw(text, "arguments"))

    def event(self, event: Event) -> int:
        """The size of what an event adds to the view; 0 where that is nothing.

        A reply weighs what it was billed for, if that is more than what is shown of it: hidden
        thinking is in the context too.
        """
        match event:
            case Opened(system=system, tools=tools) | ToolsChanged(system=system, tools=tools):
                shown = (tool for tool in tools if tool.offer != "deferred")
                size = self.text(system, "prose") + sum(map(self.tool, shown))
            case Prompted(blocks=blocks):
                size = self.blocks(blocks)
            case Replied(blocks=blocks, stop=stop, usage=usage):
                billed = 0 if stop == "interrupted" else usage.output
                size = max(self.blocks(blocks), billed)
            case Returned(call_id=call_id, content=content):
                size = self._block(ToolResult(call_id, content))
            case SkillLoaded(body=body) | Recalled(text=body) | NoteEdited(text=body):
                size = self._block(Text(body))
            case Instructed(text=body) | Reminded(text=body) | ModeChanged(text=body):
                size = self._block(Text(body))
            case ToolLoaded(tool=tool):
                size = self.tool(tool)
            case ToolWithdrawn():
                size = self._calibrated(BLOCK)
            case Condensed(fold=fold):
                size = 0 if fold is None else self.blocks(fold.note)
            case Held() | Reverted() | Rewound() | Pinned() | Unpinned() | TaskEnded():
                size = 0
            case SkillForgotten() | KnowledgeChanged() | ModelChanged() | Titled():
                size = 0
            case Hinted() | HookRan() | KeptWarm() | EffortChanged() | BlockRefused():
                size = 0
        return size

    def learn(self, model: str, counted: int, billed: int) -> None:
        """Take in one call: what this ruler said of some content, and what the API billed for it.

        Best fed with what was new in a call: the sizes of the events since the last reply, and
        the growth of the billed prompt. Ignored while tokens are only estimated.
        """
        if self._encode is not None:
            factors = self._factors()
            factors.learn(model, counted / factors.factor(model), billed)

    def _block(self, block: Block) -> int:
        match block:
            case Text(text=text) | Thinking(text=text):
                return self._calibrated(BLOCK + self._raw(text, "prose"))
            case Image():
                return self.image(block)
            case ToolCall(name=name, arguments=arguments):
                text = name + json.dumps(dict(arguments), ensure_ascii=False)
                return self._calibrated(BLOCK + self._raw(text, "arguments"))
            case ToolResult(content=content):
                return self._calibrated(BLOCK) + sum(map(self._content, content))
            case Opaque():
                return self._calibrated(BLOCK) + self._content(block)

    def _content(self, part: Text | Image | Opaque) -> int:
        """The size of a part of a tool's result."""
        match part:
            case Text(text=text):
                return self.text(text)
            case Image():
                return self.image(part)
            case Opaque(raw=raw):
                return self._calibrated(self._document(raw))

    def _document(self, tree: object) -> float:
        """A block that is not modelled: its texts, and files by their length."""
        match tree:
            case str() if len(tree) > PIECE and " " not in tree[:PIECE]:
                return len(tree) / FILE
            case str():
                return self._raw(tree, "output")
            case Mapping():
                return sum(map(self._document, cast("Mapping[str, object]", tree).values()))
            case list():
                return sum(map(self._document, cast("list[object]", tree)))
            case _:
                return 1.0

    def _raw(self, text: str, sort: Sort) -> float:
        """Tokens before calibration."""
        self.load()
        if self._encode is None:
            return len(text) / CHARACTERS[sort]
        starts = range(0, len(text), PIECE)
        step = ceil(len(text) / WHOLE)
        pieces = [text[start : start + PIECE] for start in starts[:: max(step, 1)]]
        counted = sum(len(self._encode(piece)) for piece in pieces)
        return counted if step <= 1 else counted * len(text) / sum(map(len, pieces))

    def _calibrated(self, raw: float) -> int:
        """Tokens as billed; an estimate from characters is in those of Claude 4."""
        estimated = self._encode is None
        return ceil(raw * (self._factors().tokenizer(self.model) if estimated else self.factor))

    def _factors(self) -> Calibration:
        with self._lock:
            if self._calibration is None:
                self._calibration = Calibration(data_folder() / "tokens.json")
            return self._calibration
