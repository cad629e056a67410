"""How the API says no: one exception with the status and the words of the answer."""

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object, as it came off the wire or goes onto it."""


def part(value: Json, key: str) -> Json:
    """An optional object inside another; empty if it is absent or null."""
    inner: Json | None = value.get(key)
    return inner or {}


ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""HTTP status -> `error.type`."""


class ApiRefusal(Exception):  # noqa: N818  the caller's error, not the server's
    """A request that the API answers with an error."""

    def __init__(self, message: str, *, status: int = 400, code: str = "") -> None:
        super().__init__(message)
        self.message: str = message
        self.status: int = status
        """HTTP status."""
        self.code: str = code
        """`error.details.error_code`, where the API has one."""

    @property
    def type(self) -> str:
        return ERROR_TYPES.get(self.status, "api_error")

    def body(self, request_id: str) -> Json:
        """The JSON of the answer."""
        return error_body(self.type, self.message, request_id, code=self.code)


def error_body(kind: str, message: str, request_id: str, *, code: str = "") -> Json:
    """The JSON of an error answer or of an `error` event."""
    error: Json = {"type": kind, "message": message}
    if code:
        error["details"] = {"error_code": code}
    return {"type": "error", "error": error, "request_id": request_id}
