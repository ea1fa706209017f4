"""What goes wrong, as exceptions."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

UNKNOWN_PARAMS = "X-Unknown-Params"


class PostroomError(Exception):
    """An answer that is an error, or none at all.

    code: what to match on, "rate_limited"; "network" when no answer came
    status: HTTP status; 0 when no answer came
    param: the field or parameter that is wrong
    retry_after: seconds after which trying again makes sense; None when the server did not say
    request_id: for a question to whoever runs the server: its log has the same
    unknown_params: the fields and parameters that the server did not know, as its header X-Unknown-Params names them
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        param: Optional[str] = None,
        retry_after: Optional[int] = None,
        request_id: Optional[str] = None,
        unknown_params: Optional[str] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.param = param
        self.retry_after = retry_after
        self.request_id = request_id
        self.unknown_params = unknown_params


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> PostroomError:
    """The error that an answer is; also of a proxy in between, whose answers have no envelope."""
    try:
        envelope: Any = json.loads(body)
        error = envelope["error"]
        error = error if isinstance(error, dict) else {}
    except (ValueError, KeyError, TypeError):
        error = {}
    return PostroomError(
        error.get("code", "internal_error"),
        error.get("message", f"The server answered {status}."),
        status=status,
        param=error.get("param"),
        retry_after=retry_after(headers),
        request_id=error.get("request_id") or headers.get("X-Request-Id"),
        unknown_params=headers.get(UNKNOWN_PARAMS),
    )


def retry_after(headers: Mapping[str, str]) -> Optional[int]:
    """Seconds of a Retry-After header; None when there is none that is a number."""
    text = headers.get("Retry-After") or ""
    return int(text) if text.isascii() and text.isdigit() else None
