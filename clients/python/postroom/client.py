"""Sends requests over urllib, with retries and typed errors."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple
from urllib.parse import urlencode

from .api import Operations
from .errors import UNKNOWN_PARAMS, PostroomError, error_of, retry_after

# Too many requests, and the statuses of a server, or a proxy in front of it, that is temporarily unavailable.
_PASSING = {429, 500, 502, 503, 504}
_IDEMPOTENT = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}
_FIRST_WAIT_S = 0.5


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: the API does not redirect, and a redirecting proxy must not receive the key."""

    def redirect_request(self, *_given: Any) -> None:
        return None


class Postroom(Operations):
    """The API: one method for each operation. Errors are raised as PostroomError.

    url: address of the server, with or without the version: "https://mail.example.org", "http://127.0.0.1:8025/v1"
    key: API key, "service_live_…" or "service_test_…"
    retries: number of retries of a request; 0 for none
    longest_wait_s: longest wait before one retry; if the server asks for more, its answer is raised
    timeout_s: longest time without data from the server
    strict: asks the server to refuse unknown fields and parameters, such as misspelled ones, with 400
        invalid_params (Prefer: handling=strict, RFC 7240 section 4.4); with False the server ignores them
    on_unknown_params: receives the method, the URL and the header X-Unknown-Params of every answer that has one

    Raises ValueError if url is not the address of a server.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        retries: int = 4,
        longest_wait_s: float = 60,
        timeout_s: float = 60,
        strict: bool = True,
        on_unknown_params: Optional[Callable[[str, str, str], None]] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base = base_url(url)
        self._key = key
        self._retries = retries
        self._longest_wait_s = longest_wait_s
        self._timeout_s = timeout_s
        self._strict = strict
        self._on_unknown_params = on_unknown_params
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirect())

    def _json(self, method: str, path: str, query: Dict[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        headers = {"Accept": "application/json"}
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        answer = self._send(method, path, query, content, headers, idempotency_key)
        return json.loads(answer) if answer else None

    def _bytes(self, method: str, path: str, query: Dict[str, Any]) -> bytes:
        return self._send(method, path, query, None, {}, None)

    def _upload(self, method: str, path: str, name: str, content: bytes, idempotency_key: Optional[str]) -> Any:
        boundary = uuid.uuid4().hex
        shown = name.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{shown}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return json.loads(self._send(method, path, {}, body, headers, idempotency_key))

    def _send(
        self,
        method: str,
        path: str,
        query: Dict[str, Any],
        body: Optional[bytes],
        headers: Dict[str, str],
        idempotency_key: Optional[str],
    ) -> bytes:
        """Sends a request, with retries. A request that is not idempotent is repeated only with an Idempotency-Key,
        because otherwise no one could know whether the first one was executed."""
        url = self._base + path + _query(query)
        headers = {**headers, "Authorization": f"Bearer {self._key}"}
        if self._strict:
            headers["Prefer"] = "handling=strict"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        repeatable = method in _IDEMPOTENT or idempotency_key is not None
        attempt = 0
        while True:
            error, asked_s = self._attempt(method, url, body, headers)
            if isinstance(error, bytes):
                return error
            passing = error.status in _PASSING or error.code in ("network", "idempotency_in_progress")
            too_long = asked_s is not None and asked_s > self._longest_wait_s
            if not repeatable or not passing or too_long or attempt >= self._retries:
                raise error
            own_s = min(_FIRST_WAIT_S * 2**attempt, self._longest_wait_s) * (0.5 + random.random() / 2)
            self._sleep(own_s if asked_s is None else asked_s)
            attempt += 1

    def _attempt(
        self, method: str, url: str, body: Optional[bytes], headers: Mapping[str, str]
    ) -> Tuple[Any, Optional[int]]:
        """Returns the answer's body or error, and the seconds that the server asks to wait."""
        request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as response:
                result, received = (response.read(), None), response.headers
        except urllib.error.HTTPError as answer:
            with answer:
                error = error_of(answer.code, answer.headers, answer.read())
            result, received = (error, retry_after(answer.headers)), answer.headers
        except (OSError, http.client.HTTPException) as fault:
            reason = getattr(fault, "reason", fault)
            return PostroomError("network", f"no answer came: {reason}"), None
        unknown = received.get(UNKNOWN_PARAMS)
        if unknown is not None and self._on_unknown_params is not None:
            self._on_unknown_params(method, url, unknown)
        return result


def base_url(url: str) -> str:
    """Returns the base address for paths such as /threads: the given one, with the version segment /v1 at its end.

    Accepts both forms, "https://host/mail" and "https://host/mail/v1"; a host named v1 is not the version.
    Raises ValueError for anything other than an http or https address, and for one with a query or a fragment.
    """
    found = re.fullmatch(r"(https?://[^/?#\s]+)(/[^?#\s]*)?", url.strip(), re.IGNORECASE)
    if not found:
        raise ValueError(
            f'"{url}" is not the address of a Postroom server. '
            "It must start with http:// or https:// and have no query and no fragment."
        )
    path = (found[2] or "").rstrip("/")
    return found[1] + (path if path.endswith("/v1") else path + "/v1")


def all_rows(page: Callable[..., Mapping[str, Any]], **filters: Any) -> Iterator[Any]:
    """Yields every row of a list, page by page: `for thread in all_rows(api.list_threads, state="inbox")`."""
    cursor: Optional[str] = None
    while True:
        answer = page(cursor=cursor, **filters) if cursor else page(**filters)
        yield from answer["data"]
        cursor = answer.get("next_cursor")
        if not cursor:
            return


def idempotency_key() -> str:
    """Returns a key for a request that must not be executed twice.

    Store it with the request if your program may be restarted.
    """
    return str(uuid.uuid4())


def _query(values: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        return ("true" if value else "false") if isinstance(value, bool) else str(value)

    pairs = []
    for name, value in values.items():
        if value is None:
            continue
        pairs += [(name, text(each)) for each in (value if isinstance(value, (list, tuple)) else [value])]
    return "?" + urlencode(pairs) if pairs else ""
