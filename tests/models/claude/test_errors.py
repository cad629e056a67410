"""What the API's errors come to: a kind for the code, a sentence for the person."""

import pytest

from octochat.models.claude.errors import (
    LONGEST_LINE,
    Failure,
    explained,
    no_stream,
    retry_after,
)

MODEL = "claude-sonnet-5"


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        (Failure(401, "authentication_error", message="invalid x-api-key"), "auth", "ANTHROPIC_AP"),
        (Failure(403, "permission_error", message="not yours"), "auth", "not yours"),
        (Failure(404, "permission_error", message="this model"), "auth", "this model"),
        (Failure(402, "billing_error", message="no money"), "billing", "Add credit"),
        (
            Failure(400, "invalid_request_error", message="Your credit balance is too low."),
            "billing",
            "Add credit",
        ),
        (
            Failure(429, "rate_limit_error", "enforced_spend_limit_reached", "spent"),
            "billing",
            "raise its limit",
        ),
        (Failure(429, "rate_limit_error", message="slow down"), "rate_limit", "rate limit"),
        (Failure(529, "overloaded_error", message="Overloaded"), "overloaded", "overloaded"),
        (Failure(200, "overloaded_error", message="Overloaded"), "overloaded", "overloaded"),
        (Failure(200, "api_error", message="oops"), "server", "oops"),
        (Failure(200, "", message="who knows"), "server", "who knows"),
        (Failure(500, "api_error", message="oops"), "server", "oops"),
        (Failure(502, message="<html>bad gateway</html>"), "server", "bad gateway"),
        (Failure(504, "timeout_error", message="late"), "timeout", "too long"),
        (Failure(413, "request_too_large", message="32 MB"), "too_long", "too big"),
        (Failure(400, "invalid_request_error", message="messages.3: no"), "invalid", "messages.3"),
        (Failure(308, message="moved"), "invalid", "another address"),
        (Failure(404, message="<html>", url="http://x:1"), "invalid", "http://x:1 has no Messages"),
    ],
)
def test_each_failure_has_its_kind_and_says_what_to_do(
    failure: Failure, kind: str, words: str
) -> None:
    error = explained(failure, MODEL)
    assert error.kind == kind
    assert words in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid"),
        (401, "auth"),
        (402, "billing"),
        (403, "auth"),
        (404, "model"),
        (408, "timeout"),
        (413, "too_long"),
        (429, "rate_limit"),
        (499, "invalid"),
        (500, "server"),
        (503, "overloaded"),
        (504, "timeout"),
        (529, "overloaded"),
    ],
)
def test_an_answer_without_a_type_is_understood_by_its_status(status: int, kind: str) -> None:
    assert explained(Failure(status, message="the model"), MODEL).kind == kind


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (300, "sends octochat on to https://other:8, which"),
        (399, "sends octochat on to https://other:8, which"),
        (304, "refused the request: HTTP 304"),
        (400, "refused the request: HTTP 400"),
    ],
)
def test_where_a_server_sends_octochat_on_to_is_said_without_the_login(
    status: int, words: str
) -> None:
    headers = {"location": "https://me:secret@other:8/v1/messages"}
    error = explained(Failure(status, headers=headers, url="http://x:1"), MODEL)
    assert error.kind == "invalid"
    assert words in str(error)
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("http://other/v1/messages", "on to http://other, which"),
        ("/v2/messages", "on to another address, which"),
        ("https:/v2/messages", "on to another address, which"),
        ("", "on to another address, which"),
    ],
)
def test_an_address_that_a_server_sends_on_to_is_named_as_far_as_it_is_one(
    location: str, told: str
) -> None:
    error = explained(Failure(307, headers={"location": location}), MODEL)
    assert told in str(error)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (
            Failure(404, message="no such page.\nSorry", url="http://x:1"),
            "http://x:1 has no Messages API (no such page). Check ANTHROPIC_BASE_URL.",
        ),
        (
            Failure(404, message=" \n", url="http://x:1"),
            "http://x:1 has no Messages API. Check ANTHROPIC_BASE_URL.",
        ),
        (Failure(404), "The server has no Messages API. Check ANTHROPIC_BASE_URL."),
        (
            Failure(301),
            (
                "The server sends octochat on to another address, which it does not follow: it "
                "would give your key away. If you trust that address, set ANTHROPIC_BASE_URL to it."
            ),
        ),
        (
            Failure(413, message="32 MB are too much.\nSorry"),
            "The request is too big for claude-sonnet-5 (32 MB are too much).",
        ),
        (Failure(429), "The API's rate limit is reached (HTTP 429)."),
    ],
)
def test_what_a_server_says_stands_in_brackets_and_silence_does_not(
    failure: Failure, told: str
) -> None:
    assert str(explained(failure, MODEL)) == told


@pytest.mark.parametrize(
    ("said", "words"), [("<html>Log in.\nAnd then go on", " (<html>Log in)"), (" \n", "")]
)
def test_a_page_where_a_stream_was_due_is_quoted_if_it_says_anything(said: str, words: str) -> None:
    error = no_stream("text/html", said, "http://x:1")
    assert (error.kind, error.detail) == ("invalid", said)
    assert str(error).startswith(
        f"http://x:1 answered with text/html where a stream was due{words}. Is a proxy"
    )


@pytest.mark.parametrize(("length", "end"), [(LONGEST_LINE, "x)."), (LONGEST_LINE + 1, "x…).")])
def test_a_line_of_the_api_is_shown_as_far_as_it_is_short(length: int, end: str) -> None:
    shown = str(explained(Failure(500, "api_error", message="x" * length), MODEL))
    assert shown.endswith(end)
    assert shown.count("x") == LONGEST_LINE


def test_a_model_that_is_not_there_suggests_its_neighbour() -> None:
    failure = Failure(404, "not_found_error", message="model: claude-sonet-5")
    error = explained(failure, "claude-sonet-5")
    assert error.kind == "model"
    assert "'claude-sonnet-5'" in str(error)


def test_a_known_model_that_this_key_may_not_use_does_not_suggest_itself() -> None:
    failure = Failure(404, "not_found_error", message="model: claude-opus-5")
    assert "Did you mean 'claude-opus-5'" not in str(explained(failure, "claude-opus-5"))


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease",
    ],
)
def test_a_prompt_that_is_too_long_says_by_how_much(message: str) -> None:
    error = explained(Failure(400, "invalid_request_error", message=message), MODEL)
    assert (error.kind, error.tokens, error.limit) == ("too_long", 210_000, 200_000)
    assert "210,000" in str(error)
    assert not error.retryable


def test_a_long_message_is_cut_in_the_line_and_whole_in_the_detail() -> None:
    error = explained(Failure(400, "invalid_request_error", message="x" * 5_000), MODEL)
    assert len(str(error)) < 300
    assert len(error.detail) == 5_000


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12.5"}, 12.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        (
            {
                "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT",
                "date": "Sat, 21 Nov 2026 10:00:00 GMT",
            },
            30.0,
        ),
        (
            {
                "retry-after": "Sat, 21 Nov 2026 10:00:00 GMT",
                "date": "Sat, 21 Nov 2026 10:00:30 GMT",
            },
            0.0,
        ),
        ({"retry-after": "Sat, 21 Nov 2026 10:00:30 GMT"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        (
            {
                "retry-after": "Sat, 21 Nov 2026 10:00:30 -0000",
                "date": "Sat, 21 Nov 2026 10:00:00 GMT",
            },
            None,
        ),
    ],
)
def test_the_wait_that_the_api_asks_for_is_understood(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers) == seconds


def test_an_overloaded_api_is_not_said_twice() -> None:
    assert str(explained(Failure(529, "overloaded_error", message="Overloaded"), "m")) == (
        "The API is overloaded."
    )
    busy = Failure(503, "", message="upstream busy")
    assert str(explained(busy, "m")) == "The API is overloaded (upstream busy)."
