"""PDFs for a model: whole as a document, or by page as text, which needs the package `pypdf`.

It knows no files.
"""

import base64
import io
import logging
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from octochat.context.session.content import Opaque
from octochat.tools.base import ToolError
from octochat.tools.excerpt import Range

if TYPE_CHECKING:
    from pypdf import PdfReader

PDF = b"%PDF-"
"""How every PDF begins."""
MOST_PAGES = 100
"""Pages that the API takes in one request (API documentation, "PDF support")."""
_PAGE = re.compile(rb"/Type\s*/Page\b")
_INSTALL = 'install it with: pip install "octochat[pdf]"'


def document(data: bytes, shown: str) -> Opaque:
    """The whole PDF, as the API takes it.

    Raises:
        ToolError: it has more pages than the API takes.
    """
    count = len(_PAGE.findall(data))  # of pages that are not packed: a PDF may hide some
    if count > MOST_PAGES:
        raise ToolError(
            f"{shown} has {count} pages; at most {MOST_PAGES} come whole: name some with ranges, "
            "such as [[1, 20]]"
        )
    encoded = base64.standard_b64encode(data).decode("ascii")
    source = {"type": "base64", "media_type": "application/pdf", "data": encoded}
    return Opaque({"type": "document", "source": source})


def pages(data: bytes, shown: str, wanted: Sequence[Range], most_chars: int) -> str:
    """The text of some pages, all where none is named, and at last which of how many they are.

    Raises:
        ToolError: `pypdf` is not installed, the PDF is broken or locked, or has no such page.
    """
    try:
        reader = _reader(data)
        total = len(reader.pages)
        numbers = _numbers(wanted, total)
        text = _joined(_texts(reader, numbers), numbers, total, most_chars)
    except ImportError as error:
        raise ToolError(f"{shown}: reading a PDF by page needs pypdf; {_INSTALL}") from error
    except Exception as error:  # whatever a broken file does to the library
        raise ToolError(f"{shown} can't be read as a PDF: {error}") from error
    if not numbers:
        raise ToolError(f"{shown} has {total} pages: there is no page {wanted[0][0]}")
    return text


def _reader(data: bytes) -> "PdfReader":
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its remarks would go to the screen
    return PdfReader(io.BytesIO(data))


def _numbers(wanted: Sequence[Range], total: int) -> Sequence[int]:
    spans = wanted or ((1, None),)
    named = {n for a, b in spans for n in range(a, min(b or total, total) + 1)}
    return sorted(named)


def _texts(reader: "PdfReader", numbers: Sequence[int]) -> Iterator[str]:
    for number in numbers:
        text = reader.pages[number - 1].extract_text().strip()
        yield f"[page {number}]\n{text or '(no text: a picture, perhaps)'}\n"


def _joined(texts: Iterator[str], numbers: Sequence[int], total: int, most_chars: int) -> str:
    shown: list[str] = []
    for text in texts:
        most_chars -= len(text)
        if most_chars < 0 and shown:
            break
        shown.append(text[: most_chars + len(text)])
    some = ", ".join(map(str, numbers[: len(shown)]))
    left = numbers[len(shown) :]
    rest = f"; too long: go on with ranges [[{left[0]}, {left[-1]}]]" if left else ""
    return "".join((*shown, f"[page{'s' if len(shown) > 1 else ''} {some} of {total}{rest}]"))
