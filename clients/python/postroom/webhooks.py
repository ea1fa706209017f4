"""Signatures of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from typing import Optional

_TOLERANCE_S = 300


def verify_webhook(body: bytes, header: Optional[str], secret: str, now: Optional[float] = None) -> bool:
    """Returns True when a delivery is from your Postroom and recent.

    body: the raw request body, before any parsing
    header: X-Service-Signature
    secret: the endpoint's secret, "whsec_" included
    """
    fields = [field.strip() for field in (header or "").split(",")]
    t = next((field[2:] for field in fields if field.startswith("t=")), "")
    if not re.fullmatch(r"[0-9]{1,12}", t) or abs((time.time() if now is None else now) - int(t)) > _TOLERANCE_S:
        return False
    expected = "v1=" + hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    # Bytes, because compare_digest refuses text outside ASCII; all of them, so that timing reveals nothing.
    return any([hmac.compare_digest(field.encode(), expected.encode()) for field in fields])
