"""Whether an answer is a summary at all, or words that say that there will be none."""

import re


class UnusableError(Exception):
    """Nothing can be made of the answer. `str(error)` says what is wrong with it."""


class RefusedError(UnusableError):
    """The model would not write a summary, in words. Asking again brings little."""


_REFUSALS = re.compile(
    r"\W*(?:i(?:'m| am) (?:(?:very |so )?sorry|unable|afraid|not (?:able|comfortable|going to))|"
    r"i can(?:'t|not)|i (?:do not|don't) have|i(?: must| have to)? (?:apologi[sz]e|decline)|"
    r"i (?:won't|will not)|my apologies|sorry|unfortunately|as an ai)",
    re.IGNORECASE,
)
_ERRORS = re.compile(
    r"\W*(?:error\b|an error|internal server|no (?:content|conversation))", re.IGNORECASE
)
_LONGEST = 400
"""Characters: what begins like an apology or an error and goes on longer may sum one up."""
_WOULD_NOT = re.compile(
    r"\bi(?:'m| am)? (?:can(?:'t|not)|unable to|not able to|won't|will not|(?:must )?decline to)\s"
    r"(?:\w+ ){0,2}(?:help|assist|provide|comply|summari[sz]e|fulfil|engage|write|create|make)\b",
    re.IGNORECASE,
)
"""What makes an apology of any length a refusal, in its first sentences."""


def check_not_refused(text: str) -> None:
    """Let pass what is neither a refusal nor an error.

    Raises:
        UnusableError: it is; `RefusedError` where the model says that it would not.
    """
    plain = " ".join(text.replace("\u2019", "'").split())
    told = f"the summariser answered: {plain[:100]}"
    refusal = bool(_REFUSALS.match(plain))
    if refusal and (len(plain) <= _LONGEST or _WOULD_NOT.search(plain[:_LONGEST])):
        raise RefusedError(told)
    if len(plain) <= _LONGEST and _ERRORS.match(plain):
        raise UnusableError(told)
