"""What goes wrong, as exceptions."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

UNKNOWN_PARAMS = "X-Unknown-Params"


class PostroomError(Exception):
    """An error answer, or a missing answer.

    code: the error code to match on, "rate_limited"; "network" when no answer arrived
    status: HTTP status; 0 when no answer arrived
    param: the field or parameter that is wrong
    retry_after: seconds after which a retry makes sense; None when the server did not say
    request_id: quote it to the operator of the server: its log has the same id
    unknown_params: the unknown fields and parameters, from the header X-Unknown-Params
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
    """Returns the error of an answer, including answers of a proxy in between, which have no envelope."""
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
    """Returns the seconds of a Retry-After header; None when it is missing or not a number."""
    text = headers.get("Retry-After") or ""
    return int(text) if text.isascii() and text.isdigit() else None
