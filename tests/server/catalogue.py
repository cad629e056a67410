"""Models as `GET /v1/models` describes them."""

from tests.server.models import ServedModel
from tests.server.refusal import Json


def supported(value: bool) -> Json:
    return {"supported": value}


def describe(model: ServedModel) -> Json:
    """One model's entry."""
    yes = supported(True)
    return {
        "type": "model",
        "id": model.id,
        "display_name": model.id.replace("-", " ").title(),
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
        "line": model.id.split("-")[1],
        "max_input_tokens": model.window,
        "max_tokens": model.max_tokens,
        "capabilities": {
            "batch": yes,
            "citations": yes,
            "code_execution": yes,
            "context_management": {"supported": True},
            "effort": {"supported": True, "low": yes, "medium": yes, "high": yes, "max": yes},
            "image_input": yes,
            "pdf_input": yes,
            "server_tools": {"supported": True, "code_execution": yes, "web_search": yes},
            "structured_outputs": yes,
            "compaction": {"supported": model.compacts, "summarize": supported(model.compacts)},
            "thinking": {
                "supported": True,
                "types": {
                    kind: supported(kind in model.thinking)
                    for kind in ("adaptive", "between_tools", "disabled", "enabled")
                },
            },
        },
    }
