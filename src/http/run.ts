import { ApiError, invalidParam, notFound } from "../kernel/errors.ts";
import { isId } from "../kernel/ids.ts";
import type { Claim, KeyUse, StoredReply } from "../platform/ledger/idempotency.ts";
import type { Platform } from "../platform/platform.ts";
import { NO_BODY, type ReadBody, readIgnored, readJson, readMultipart } from "./body.ts";
import { asApiError, ERROR_TABLE, type ErrorReply, errorReply } from "./errors.ts";
import type { Caller } from "./guard/caller.ts";
import { cursorScope, Pager } from "./paging.ts";
import { PREFER_HEADER, prefersStrict } from "./prefer.ts";
import type { RequestContext } from "./request-context.ts";
import type { ReadNotes } from "./request-log-entry.ts";
import type { OpenInput } from "./route.ts";
import type { PreparedRoute } from "./table.ts";
import type { UnknownFinder } from "./unknown.ts";

/** Outcome of a handler: a JSON text with its status, or its own Response. */
export type Outcome = (StoredReply & { replayed?: true }) | Response;

const LONGEST_KEY_CHARS = 255;
/**
 * Statuses that are not replayed to a retry, because their cause may no longer apply (docs/api.md, "Idempotent
 * requests").
 */
const NOT_KEPT = new Set([401, 402, 403, 429]);

export interface Call {
  prepared: PreparedRoute;
  request: Request;
  params: Record<string, string | null>;
  /** Null on public paths without a session. */
  caller: Caller | null;
  context: RequestContext;
  request_id: string;
  /** Set while the input is read. */
  read: ReadNotes;
  openStream: () => AbortSignal;
}

/** Runs a route's handler for an authorized caller: reads and checks the input, and makes mutations idempotent. */
export class Runner {
  constructor(private readonly platform: Platform) {}

  async run(call: Call): Promise<Outcome> {
    const { prepared, request, caller, request_id } = call;
    const { route } = prepared;
    if (route.kind !== "read") this.platform.acting.require();
    const url = new URL(request.url);
    const key = route.kind === "read" || !caller ? null : idempotencyKey(request, route.keyRequired);
    const body = await this.#read(prepared, request);
    noteUnknown(call.prepared.unknown, call, url, body);
    const input = () => this.#input(call, url, body);
    const use: KeyUse | null =
      key === null || !caller
        ? null
        : {
            user_id: caller.user_id,
            method: route.method,
            path: url.pathname,
            key,
            credential_id: caller.key.id,
            fingerprint: url.search === "" ? body.fingerprint : `${body.fingerprint}${url.search}`,
          };
    if (route.kind === "change") return this.#change(prepared, input, use, request_id);
    if (route.kind === "act") return this.#act(prepared, input, use, request_id);
    const value = await route.handle({ ...input(), commit: noCommit });
    return value instanceof Response ? value : encode(prepared, value);
  }

  /** Runs handler and reply in one transaction. A refusal rolls it back and is then stored separately. */
  #change(prepared: PreparedRoute, input: () => OpenInput, use: KeyUse | null, request_id: string): Outcome {
    const { db, idempotency } = this.platform;
    const handle = () => {
      const value = prepared.route.handle({ ...input(), commit: noCommit });
      if (value instanceof Promise) throw new Error(`${prepared.pattern}: the handler of a change must be synchronous`);
      return encode(prepared, value);
    };
    if (use === null) return db.write(handle);
    let ours = false;
    try {
      return db.write(() => {
        const earlier = settle(idempotency.claim(use), request_id);
        if (earlier) return earlier;
        ours = true;
        const outcome = handle();
        idempotency.store(use, outcome);
        return outcome;
      });
    } catch (error) {
      const refusal = ours ? storableRefusal(error, request_id) : null;
      if (refusal) {
        db.write(() => {
          idempotency.claim(use);
          idempotency.store(use, refusal);
        });
      }
      throw error;
    }
  }

  /** Claims the key before the work starts. `commit` stores the reply, or the end of the work does. */
  async #act(
    prepared: PreparedRoute,
    input: () => OpenInput,
    use: KeyUse | null,
    request_id: string,
  ): Promise<Outcome> {
    const { db, idempotency } = this.platform;
    const earlier = use && settle(idempotency.claim(use), request_id);
    if (earlier) return earlier;
    let committed: StoredReply | null = null;
    const commit = <T>(write: () => T): T => {
      if (committed) throw new Error(`${prepared.pattern}: commit was called twice`);
      const done = db.write(() => {
        const value = write();
        const reply = encode(prepared, value);
        if (use) idempotency.store(use, reply);
        return { value, reply };
      });
      committed = done.reply; // only here: a failed COMMIT has stored nothing
      return done.value;
    };
    try {
      const value = await prepared.route.handle({ ...input(), commit });
      if (committed) return committed;
      const reply = encode(prepared, value);
      if (use) idempotency.store(use, reply);
      return reply;
    } catch (error) {
      if (use && !committed) {
        const refusal = storableRefusal(error, request_id);
        if (refusal) idempotency.store(use, refusal);
        else idempotency.release(use);
      }
      throw error;
    }
  }

  async #read({ route }: PreparedRoute, request: Request): Promise<ReadBody> {
    if (route.form) return readMultipart(request);
    if (route.body) return readJson(request);
    return route.kind === "read" ? NO_BODY : readIgnored(request);
  }

  /** Checks the form of query and body first, then the ids: a malformed id gets the same reply as an unknown one. */
  #input(call: Call, url: URL, body: ReadBody): OpenInput {
    const { prepared, request, caller, context, request_id, openStream } = call;
    const { keyring } = this.platform;
    const query = (prepared.checkQuery ? prepared.checkQuery(url.searchParams) : {}) as object;
    const checked = prepared.checkBody ? prepared.checkBody(body.value) : undefined;
    const params = checkIds(call);
    const name = `${prepared.route.method} ${prepared.pattern}`;
    const scope = () => cursorScope(name, params, { ...query, ...(checked ?? {}) }, prepared.cursorField);
    return {
      params,
      query,
      body: checked,
      form: body.form,
      caller,
      request_id,
      context,
      pager: new Pager(caller ? keyring.forUser(caller.user_id) : keyring.system(), scope),
      request,
      openStream,
    };
  }
}

/**
 * Records unknown fields and parameters. With `Prefer: handling=strict` the request ends here, before its
 * Idempotency-Key is used: nothing has happened, and the corrected request can reuse the key.
 * @throws ApiError invalid_params
 */
export function noteUnknown(
  finder: UnknownFinder,
  { request, read }: Pick<Call, "request" | "read">,
  url: URL,
  body: ReadBody,
): void {
  read.strict = prefersStrict(request.headers.get(PREFER_HEADER));
  const unknown = finder.find(url.search === "" ? null : url.searchParams, body.value, body.form);
  if (!unknown) return;
  read.unknown = unknown.header();
  if (read.strict) throw unknown.refusal();
}

/** Treats a malformed id as unknown, and a parameter that is not valid percent-encoded UTF-8 as well. */
function checkIds({ prepared, params }: Call): Record<string, string> {
  for (const name of Object.keys(prepared.route.params)) {
    if (typeof params[name] !== "string") throw notFound("resource");
  }
  const texts = params as Record<string, string>;
  for (const [name, kind] of prepared.ids) {
    if (!isId(kind, texts[name]!)) throw notFound(ID_NAMES[kind] ?? kind);
  }
  return texts;
}

/** Names of id kinds in messages, where the kind's own name is unsuitable. */
const ID_NAMES: Partial<Record<string, string>> = {
  contextProfile: "profile",
  contextFile: "file",
  calendarEvent: "event",
  agentAction: "action",
};

function idempotencyKey(request: Request, required: boolean): string | null {
  const key = request.headers.get("idempotency-key")?.trim() ?? "";
  if (key === "" && required)
    throw invalidParam("Idempotency-Key", "This request requires an Idempotency-Key header. Send a unique string.");
  if (key.length > LONGEST_KEY_CHARS) {
    throw invalidParam("Idempotency-Key", `Idempotency-Key can have at most ${LONGEST_KEY_CHARS} characters.`);
  }
  return key === "" ? null : key;
}

/** Returns the outcome that an earlier use of the key gives to the request `request_id`; null: proceed. */
function settle(claim: Claim, request_id: string): Outcome | null {
  switch (claim.state) {
    case "new":
      return null;
    case "replay":
      return { ...ofRequest(claim.reply, request_id), replayed: true };
    case "conflict":
      throw new ApiError(
        "idempotency_conflict",
        "This Idempotency-Key was already used with another body or another credential. Use a new key.",
        {
          param: "Idempotency-Key",
        },
      );
    case "running":
      throw new ApiError(
        "idempotency_in_progress",
        "The first request with this Idempotency-Key is still running. Try again later.",
        {
          param: "Idempotency-Key",
          retryAfterS: 1,
        },
      );
  }
}

/** Returns a stored reply for this request: a refusal gets the request id of the new header. */
function ofRequest(reply: StoredReply, request_id: string): StoredReply {
  if (reply.status < 400 || reply.body === null) return reply;
  const { error } = JSON.parse(reply.body) as ErrorReply;
  return { status: reply.status, body: JSON.stringify({ error: { ...error, request_id } }) };
}

function storableRefusal(error: unknown, request_id: string): StoredReply | null {
  const refusal = asApiError(error);
  const { status } = ERROR_TABLE[refusal.code];
  // A refusal with a time to try again is temporary.
  if (status >= 500 || NOT_KEPT.has(status) || refusal.retryAfterS !== undefined) return null;
  return { status, body: JSON.stringify(errorReply(refusal, request_id)) };
}

function encode({ route, pattern, replyFault }: PreparedRoute, value: unknown): StoredReply {
  if (route.response === null) return { status: route.status, body: null };
  const wrong = replyFault?.(value);
  if (wrong) throw new Error(`the reply of ${route.method} ${pattern} does not match its schema: ${wrong}`);
  return { status: route.status, body: JSON.stringify(value) };
}

function noCommit(): never {
  throw new Error("commit is only available to an `act`");
}
