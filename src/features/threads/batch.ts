import { type Static, Type } from "@sinclair/typebox";
import { act, type Route } from "../../http/route.ts";
import { OneOf } from "../../http/schema.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ChangeScope, Changes } from "../../mailbox/changes/changes.ts";
import { EXAMPLE_ITEM } from "./examples.ts";
import { changeOf, ThreadPatch, ThreadPatched } from "./model.ts";

const MAX_CHANGES = 100;
/** The reasons for which a single change is refused. */
const REFUSALS = ["invalid_params", "not_found", "label_busy"] as const;

const ThreadChange = Type.Object({ id: Type.String({ description: "`thr_…`" }), ...ThreadPatch.properties });
type ThreadChange = Static<typeof ThreadChange>;

const ThreadBatch = Type.Object(
  {
    changes: Type.Array(ThreadChange, {
      minItems: 1,
      maxItems: MAX_CHANGES,
      description: "Applied in this order. A thread can occur several times.",
    }),
  },
  { $id: "ThreadBatch" },
);

const Outcome = Type.Union([
  Type.Object({ ok: Type.Literal(true), ...ThreadPatched.properties }),
  Type.Object({
    ok: Type.Literal(false),
    id: Type.String({ description: "As in the request." }),
    error: Type.Object({
      code: OneOf(REFUSALS),
      message: Type.String(),
      param: Type.Optional(Type.String({ description: "The field of the change, such as `add_labels[0]`." })),
    }),
  }),
]);
type Outcome = Static<typeof Outcome>;

const ThreadBatchReply = Type.Object(
  { data: Type.Array(Outcome, { description: "One outcome for each change, in the order of the request." }) },
  { $id: "ThreadBatchReply" },
);

/** Returns the route that changes several threads. */
export function threadBatchRoute(changes: Changes): Route {
  return act({
    method: "POST",
    path: "/threads/batch",
    scope: "mail:write",
    operationId: "updateThreads",
    tag: "Threads",
    summary: "Update several threads",
    description:
      `Applies up to ${MAX_CHANGES} changes with the rules of \`PATCH /threads/{id}\`: archives, snoozes, labels or stars ` +
      "threads, marks them as read or unread, or moves them. Each change succeeds or fails alone and has its own outcome. A change that fails changes nothing. The request counts as one towards the " +
      "limits. A malformed request is 400 `invalid_params` as a whole, and then nothing is changed.",
    body: ThreadBatch,
    response: ThreadBatchReply,
    examples: {
      body: {
        changes: [
          { id: EXAMPLE_ITEM.id, read: true, state: "archived" },
          { id: UNKNOWN_ID, starred: true },
        ],
      },
      response: {
        data: [
          { ok: true, id: EXAMPLE_ITEM.id, state: "archived", labels: ["Invoices"], unread: false },
          { ok: false, id: UNKNOWN_ID, error: { code: "not_found", message: "No such thread.", param: "id" } },
        ],
      },
    },
    handle: async ({ body, caller, commit }) => {
      const data: Outcome[] = [];
      for (const [i, change] of body.changes.entries()) {
        // Between two changes, other requests get their turn.
        if (i > 0) await new Promise((resolve) => setImmediate(resolve));
        data.push(outcomeOf(changes, caller, change));
      }
      return commit(() => ({ data }));
    },
  });
}

const UNKNOWN_ID = "thr_01kk8f2v0c5s9w3n7r1m4q6t8z";

function outcomeOf(changes: Changes, scope: ChangeScope, { id, ...patch }: ThreadChange): Outcome {
  try {
    return { ok: true, ...changes.update(scope, id, changeOf(patch)) };
  } catch (error) {
    const code = error instanceof ApiError ? REFUSALS.find((refusal) => refusal === error.code) : undefined;
    // A fault, such as a full disk, ends the request. Repeating it applies the same changes again.
    if (!(error instanceof ApiError) || code === undefined) throw error;
    const param = error.param ?? (code === "not_found" ? "id" : undefined);
    return { ok: false, id, error: { code, message: error.message, ...(param === undefined ? {} : { param }) } };
  }
}
