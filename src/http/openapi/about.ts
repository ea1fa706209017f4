/** Introduction of the API description: the rules that apply to every operation. */
export const ABOUT = `A REST API for a person's mailboxes, with search, drafts, sends, rules, a daily brief and webhooks.

## Authentication
Send \`Authorization: Bearer <API_KEY>\` with every request. A \`service_live_\` key sees the real mailboxes. A \`service_test_\` key sees only a sandbox with sample mail, and nothing that it sends leaves the machine. Each operation names the scope that it requires. A missing, expired or revoked key is 401 \`unauthorized\`. A key without the required scope is 403 \`forbidden_scope\`. A scope that the plan does not include is 402 \`plan_required\`.

An organization key of a team acts for one member at a time. Every request names that member by email address in the header \`X-On-Behalf-Of\`. If the header is missing, the response is 400 \`invalid_params\`. If the address belongs to someone who has not accepted the invitation or has left the team, it is 404 \`not_found\`. The members of a team share its daily requests, its daily sends and its AI credits.

## Errors
Every error is \`{ "error": { type, code, message, param, request_id } }\`. Match on \`code\`. An id that is unknown, malformed or owned by another user is always 404 \`not_found\`. \`param\` names the field with that id, unless the id is in the path. Checks run in this order: the rate limit of the client address, the key, the other rate limits, the plan, the scope, the request quota, the path, the format of headers, query and body, and finally whether the objects they refer to exist.

Unknown body fields and query parameters are ignored. The header \`X-Unknown-Params\` lists them with the most similar known name: \`"reed";did-you-mean="read"\`. With \`Prefer: handling=strict\`, they are 400 \`invalid_params\`, and nothing is changed.

## Lists
A list is \`{ data, has_more, next_cursor }\`. To get the next page, pass \`next_cursor\` as \`cursor\`. The last page has no \`next_cursor\`. Cursors are opaque, and paging through a list never repeats a row. A cursor belongs to one user, one path and one set of filters; anywhere else it is 400 \`invalid_params\`. Only \`limit\` can change between pages.

## Idempotency
Every mutation accepts the header \`Idempotency-Key\`. The two send operations require it. A retry with the same key, method and path within 24 hours returns the first response with \`Idempotency-Replayed: true\`, and the action is not repeated. The replay has its own request id. The same key with another body or from another API key is 409 \`idempotency_conflict\`. Responses with status 401, 402, 403, 429 or 5xx are not stored.

## Limits
Three rate limits apply: per key, per user and per client address. Each covers one minute from the first request. The \`X-RateLimit-*\` headers describe the tightest of the three. A 429 response has a \`Retry-After\` header. Daily quotas reset at midnight UTC; \`GET /usage\` reports them. While the owner has lifted the limits for programs, limits are 1,000,000,000. A JSON body can have at most 1 MiB, and attachments at most 25 MiB in all.

## Webhooks
An endpoint receives \`POST\` requests with the JSON body \`{ id, event, created_at, data }\`. Any 2xx response within 15 seconds is success. Redirects are not followed. \`X-Service-Signature: t=<unix seconds>,v1=<hex>\` is an HMAC-SHA256 of \`<t>.<raw body>\`, keyed by the whole secret, with one \`v1\` entry for each valid secret. Reject a delivery whose \`t\` differs from the current time by more than 300 seconds. Deliveries also carry the headers of Standard Webhooks 1.0. A failed delivery is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, with the same \`webhook-id\`. The endpoint is disabled after three days without success or after a 410. Receivers without a public address can read the same events from \`GET /events\`.

## Versions
The major version is part of the path. New endpoints and new optional fields are added without notice. Ignore fields that you do not use.`;
