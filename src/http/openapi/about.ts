/** The introduction of the API description: the rules that hold for every operation. */
export const ABOUT = `One REST API over a person's mailboxes, with search, drafts, sends, rules, a daily brief and webhooks.

## Authentication
Every request carries \`Authorization: Bearer <API_KEY>\`. A \`service_live_\` key sees the real mailboxes; a \`service_test_\` key sees only a sandbox with sample mail, and nothing that it sends leaves the machine. Each operation names the scope that it needs. A missing, expired or revoked key is 401 \`unauthorized\`; a key without the scope is 403 \`forbidden_scope\`; a plan without the scope is 402 \`plan_required\`.

An organisation key of a team acts for one of its members at a time: every request names them by e-mail address in the header \`X-On-Behalf-Of\`. Without it the answer is 400 \`invalid_params\`; for somebody who has not accepted to be in the team, or has left it, 404 \`not_found\`. The members of a team share its requests and sends of a day, and its AI credits.

## Errors
Every error is \`{ "error": { type, code, message, param, request_id } }\`. Match on \`code\`. An id that is unknown, malformed or someone else's is always 404 \`not_found\`. Its \`param\` names the field, unless the id is in the path. Checks come in this order: rate limit of the client address, key, the other rate limits, plan, scope, request quota, the path, the form of headers, query and body, and last whether the things that they name exist.

Unknown body fields and query parameters are ignored. The header \`X-Unknown-Params\` names them, with the nearest known name: \`"reed";did-you-mean="read"\`. With \`Prefer: handling=strict\` they are 400 \`invalid_params\`, and nothing is changed.

## Lists
A list is \`{ data, has_more, next_cursor }\`. Pass \`next_cursor\` as \`cursor\` to get the next page; the last page has none. Cursors are opaque and never repeat a row. A cursor belongs to one user, one path and one set of filters; elsewhere it is 400 \`invalid_params\`. Only \`limit\` may change between pages.

## Idempotency
A mutation may carry \`Idempotency-Key\`; the two sends must. A retry with the same key, method and path within 24 hours gets the first reply, with \`Idempotency-Replayed: true\`, and nothing happens twice. A replay carries its own request id. The same key with another body, or from another API key, is 409 \`idempotency_conflict\`. Replies 401, 402, 403, 429 and 5xx are not kept.

## Limits
\`X-RateLimit-*\` describe the tightest of three buckets: per key, per user and per client address, each a minute long from its first request. A 429 carries \`Retry-After\`. Daily quotas reset at UTC midnight; \`GET /usage\` shows them. JSON bodies may have 1 MiB, attachments 25 MiB in all.

## Webhooks
An endpoint gets \`POST\` requests with the JSON body \`{ id, event, created_at, data }\`. Any 2xx within 15 seconds is success; redirects are not followed. \`X-Service-Signature: t=<unix seconds>,v1=<hex>\` is an HMAC-SHA256 of \`<t>.<raw body>\` keyed by the whole secret, with one \`v1\` for each secret that is valid; refuse a \`t\` more than 300 seconds away. The headers of Standard Webhooks 1.0 are there too. A failed delivery is repeated after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, with the same \`webhook-id\`; after three days without success, or a 410, the endpoint is disabled. \`GET /events\` gives the same events to receivers without a public address.

## Versions
The major version is in the path. New endpoints and new optional fields come without notice: ignore fields that you do not know.`;
