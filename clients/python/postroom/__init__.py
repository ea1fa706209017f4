"""Client of the Postroom API. Start with `Postroom`."""

from .client import Postroom, all_rows, idempotency_key
from .errors import PostroomError
from .webhooks import verify_webhook

__all__ = ["Postroom", "PostroomError", "all_rows", "idempotency_key", "verify_webhook"]
