"""Sends the requests that it is asked for as JSON on standard input, and prints what became of them."""

import json
import sys

from postroom import Postroom, PostroomError

asked = json.load(sys.stdin)
results = []
for call in asked:
    named = []
    options = dict(call.get("options", {}), on_unknown_params=lambda *given: named.append(list(given)))
    try:
        api = Postroom(call["url"], "service_test_x", sleep=lambda _s: None, **options)
        if call.get("body") is None:
            api.get_thread("x")
        else:
            api.update_thread("x", call["body"])
        result = {"outcome": "ok"}
    except ValueError as error:
        result = {"outcome": str(error)}
    except PostroomError as error:
        result = {"outcome": f"{error.status} {error.code}", "param": error.param, "unknown_params": error.unknown_params}
    results.append(dict(result, named=named))
print(json.dumps(results))
