import { Type } from "@sinclair/typebox";
import { listOf, pageQuery } from "../../src/http/paging.ts";
import { act, change, type Route, read } from "../../src/http/route.ts";
import { Nullable, OneOf, Timestamp } from "../../src/http/schema.ts";
import { ApiError, notFound } from "../../src/kernel/errors.ts";
import type { Platform } from "../../src/platform/platform.ts";

/**
 * One route of each shape, for tests of the HTTP pipeline. "Notes" are audit rows: real writes that are easy to count.
 */

export const Note = Type.Object({ id: Type.String(), text: Type.String() }, { $id: "Note" });

export const NoteBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 100 }),
  tags: Type.Array(Type.String(), { default: [], maxItems: 3 }),
  color: OneOf(["red", "blue"], { default: "red" }),
  due: Type.Optional(Nullable(Timestamp())),
  rank: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  parts: Type.Optional(Type.Array(Type.Object({ op: OneOf(["equals", "contains"]), value: Type.String() }))),
});

export interface Sample {
  /** Number of times a handler ran. */
  runs: number;
  /** The error that the next handler throws, once. */
  fail: unknown;
  /** Lets a running `act` continue. */
  gate: PromiseWithResolvers<void>;
  body: unknown;
}

export function createSample(): Sample {
  return { runs: 0, fail: null, gate: Promise.withResolvers<void>(), body: null };
}

const EXAMPLE_ID = "thr_01jz4t9h2m8q5r7v3w6x0y1z2a";

export function sampleRoutes(sample: Sample) {
  return (platform: Platform): Route[] => {
    const begin = () => {
      sample.runs++;
      const failure = sample.fail;
      sample.fail = null;
      if (failure) throw failure;
    };
    const write = (user_id: string, text: string) => {
      const id = platform.newId("thread");
      platform.db.write(() =>
        platform.audit.record({
          user_id,
          actor: { kind: "system", id: null },
          action: "note",
          target: id,
          after: text,
        }),
      );
      return { id, text };
    };
    return [
      read({
        method: "GET",
        path: "/notes",
        scope: "mail:read",
        operationId: "listNotes",
        tag: "Notes",
        summary: "List",
        query: Type.Object({
          ...pageQuery,
          starred: Type.Optional(Type.Boolean()),
          state: OneOf(["inbox", "archived"], { default: "inbox", description: "Which." }),
          label: Type.Optional(Type.Array(Type.String())),
          since: Type.Optional(Timestamp()),
        }),
        response: listOf(Type.Object({ seen: Type.String() }), "NoteList"),
        examples: { response: { data: [{ seen: "x" }], has_more: false } },
        handle: ({ query, pager }) => {
          begin();
          const after = pager.after("notes", query.cursor);
          const items = [{ seen: JSON.stringify({ ...query, cursor: after }) }];
          return pager.reply("notes", { items, next: after ? null : ["x", 1] });
        },
      }),
      change({
        method: "POST",
        path: "/notes",
        scope: "mail:write",
        operationId: "createNote",
        tag: "Notes",
        summary: "Create",
        status: 201,
        body: NoteBody,
        response: Note,
        errors: ["draft_locked"],
        examples: { body: { text: "x" }, response: { id: EXAMPLE_ID, text: "x" } },
        handle: ({ body, caller }) => {
          sample.body = body;
          const note = write(caller.user_id, body.text);
          begin();
          return note;
        },
      }),
      change({
        method: "DELETE",
        path: "/notes/:id",
        scope: "mail:write",
        operationId: "deleteNote",
        tag: "Notes",
        summary: "Delete",
        params: { id: "thread" },
        handle: ({ params, caller }) => {
          begin();
          if (params.id === EXAMPLE_ID) throw notFound("note");
          write(caller.user_id, "deleted");
        },
      }),
      change({
        method: "POST",
        path: "/notes/:id/send",
        scope: "mail:send",
        operationId: "sendNote",
        tag: "Notes",
        summary: "Send",
        keyRequired: true,
        params: { id: "thread" },
        body: Type.Object({ confirm: Type.Literal(true) }),
        response: Note,
        examples: { body: { confirm: true }, response: { id: EXAMPLE_ID, text: "x" } },
        handle: ({ params, caller }) => {
          begin();
          return { ...write(caller.user_id, "sent"), id: params.id };
        },
      }),
      act({
        method: "POST",
        path: "/notes/think",
        scope: "ai:invoke",
        operationId: "thinkNote",
        tag: "Notes",
        summary: "Think",
        body: Type.Object({ text: Type.String() }),
        response: Note,
        examples: { body: { text: "x" }, response: { id: EXAMPLE_ID, text: "x" } },
        handle: async ({ body, caller, commit }) => {
          await sample.gate.promise;
          begin();
          return commit(() => write(caller.user_id, body.text));
        },
      }),
      act({
        method: "POST",
        path: "/notes/upload",
        scope: "drafts:write",
        operationId: "uploadNote",
        tag: "Notes",
        summary: "Upload",
        form: Type.Object({ file: Type.String({ format: "binary" }) }),
        response: Note,
        examples: { response: { id: EXAMPLE_ID, text: "x" } },
        handle: async ({ form }) => {
          begin();
          const file = form.get("file");
          if (!(file instanceof File)) throw new ApiError("invalid_params", "file is required.", { param: "file" });
          return { id: file.name, text: String(file.size) };
        },
      }),
      read({
        method: "GET",
        path: "/notes/stream",
        scope: "mail:read",
        operationId: "streamNotes",
        tag: "Notes",
        summary: "Stream",
        produces: "text/event-stream",
        handle: ({ openStream }) => {
          const signal = openStream();
          const body = new ReadableStream<Uint8Array>({
            start(controller) {
              controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
              signal.addEventListener("abort", () => sample.gate.resolve());
            },
          });
          return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
        },
      }),
    ];
  };
}
