import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../http/paging.ts";
import { OneOf, Timestamp } from "../../http/schema.ts";

export const MODES = ["keyword", "semantic", "hybrid"] as const;
export type Mode = (typeof MODES)[number];

export const SearchBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "Words and operators; see the guide to search.",
    }),
    mode: Type.Optional(
      OneOf(MODES, {
        description:
          "`keyword`: by the words; `semantic`: by the meaning; `hybrid`, the default: both. Without credits left the " +
          "default becomes `keyword`.",
      }),
    ),
    ...pageQuery,
    account_id: Type.Optional(Type.String({ description: "Only this mailbox; an unknown one is 404 `not_found`." })),
  },
  { $id: "SearchRequest" },
);
export type SearchBody = Static<typeof SearchBody>;

export const SearchResult = Type.Object(
  {
    thread_id: Type.String({ description: "`thr_…`" }),
    message_id: Type.String({ description: "`msg_…`, the best message of its thread." }),
    account_id: Type.String(),
    subject: Type.String(),
    from: Type.Object({ name: Type.String(), email: Type.String() }),
    date: Timestamp("The Date header; the time of receipt where that header is absent or implausible."),
    snippet: Type.String({
      description: "HTML: matching words between `<mark>` and `</mark>`, everything else escaped.",
    }),
    score: Type.Number({ minimum: 0, maximum: 1, description: "1 is best; comparable within one search only." }),
    matched_by: Type.Array(OneOf(["keyword", "semantic"])),
    other_matches: Type.Integer({ description: "Further messages of the thread that were found." }),
  },
  { $id: "SearchResult" },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchReply = Type.Object(
  {
    data: Type.Array(SearchResult),
    has_more: Type.Boolean({ description: "Whether another page follows." }),
    next_cursor: Type.Optional(
      Type.String({ description: "Opaque; pass it as `cursor` with the same body. Absent on the last page." }),
    ),
    mode: OneOf(MODES, { description: "How it was searched." }),
    partial: Type.Boolean({
      description:
        "Part of the mail, or all of it, is not indexed yet, so results can be missing: by meaning in semantic and hybrid mode, by its text in every mode.",
    }),
    indexed: Type.Integer({ description: "Messages indexed by meaning; 0 in keyword mode." }),
    waiting: Type.Integer({ description: "Messages that wait to be indexed by meaning; 0 in keyword mode." }),
    waiting_full_text: Type.Integer({
      description:
        "Messages whose text waits to be indexed, which no mode finds by their words; 0 except after an upgrade.",
    }),
    credits_spent: Type.Integer(),
    corrections: Type.Array(
      Type.Object({
        from: Type.String({ description: "The word of the query, in lower case." }),
        to: Type.String({ description: "The word that was searched for instead." }),
      }),
      { description: "Words that no message has and that were searched for in another spelling; mostly none." },
    ),
  },
  { $id: "SearchReply" },
);
export type SearchReply = Static<typeof SearchReply>;
