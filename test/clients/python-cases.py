"""Runs the cases that it is given as JSON on standard input, and prints what became of each."""

import json
import sys

from postroom import Postroom, PostroomError, verify_webhook

asked = json.load(sys.stdin)
results = {}
for case in asked["cases"]:
    waits = []
    api = Postroom(asked["url"], "service_test_x", sleep=lambda s: waits.append(s if s == int(s) else "own"))
    try:
        if case["method"] == "GET":
            api.get_thread(case["name"])
        else:
            api.update_thread(case["name"], {"read": True}, idempotency_key=case.get("idempotency_key"))
        outcome = "ok"
    except PostroomError as error:
        parts = [error.status, error.code, error.retry_after, error.request_id] + ([error.param] if error.param else [])
        outcome = " ".join("null" if part is None else str(part) for part in parts)
    results[case["name"]] = {"waits": waits, "outcome": outcome}
verified = [verify_webhook(one["body"].encode(), one["header"], one["secret"], one["now"]) for one in asked["webhooks"]]
print(json.dumps({"results": results, "verified": verified}))
