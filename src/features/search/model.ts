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
      description: "Words and operators. See the search guide.",
    }),
    mode: Type.Optional(
      OneOf(MODES, {
        description:
          "`keyword` matches words, `semantic` matches meaning, and `hybrid` (the default) combines both. If `mode` is " +
          "absent and no credits are left, `keyword` is used.",
      }),
    ),
    ...pageQuery,
    account_id: Type.Optional(Type.String({ description: "Only this mailbox; an unknown id is 404 `not_found`." })),
  },
  { $id: "SearchRequest" },
);
export type SearchBody = Static<typeof SearchBody>;

export const SearchResult = Type.Object(
  {
    thread_id: Type.String({ description: "`thr_…`" }),
    message_id: Type.String({ description: "`msg_…`, the best match in its thread." }),
    account_id: Type.String(),
    subject: Type.String(),
    from: Type.Object({ name: Type.String(), email: Type.String() }),
    date: Timestamp("The Date header, or the time of receipt if the header is absent or implausible."),
    snippet: Type.String({
      description: "HTML: matching words between `<mark>` and `</mark>`, everything else escaped.",
    }),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "1 is best. Scores are comparable only within one search.",
    }),
    matched_by: Type.Array(OneOf(["keyword", "semantic"])),
    other_matches: Type.Integer({ description: "Further matching messages in the thread." }),
  },
  { $id: "SearchResult" },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchReply = Type.Object(
  {
    data: Type.Array(SearchResult),
    has_more: Type.Boolean({ description: "Whether another page follows." }),
    next_cursor: Type.Optional(
      Type.String({ description: "Opaque. Pass it as `cursor` with the same body. Absent on the last page." }),
    ),
    mode: OneOf(MODES, { description: "The mode that was used." }),
    partial: Type.Boolean({
      description:
        "True if some or all mail is not indexed yet, so results can be missing. Semantic and hybrid mode depend on " +
        "the semantic index, every mode on the full-text index.",
    }),
    indexed: Type.Integer({ description: "Messages in the semantic index; 0 in keyword mode." }),
    waiting: Type.Integer({ description: "Messages waiting for the semantic index; 0 in keyword mode." }),
    waiting_full_text: Type.Integer({
      description:
        "Messages waiting for the full-text index. No mode finds them by their words yet. 0 except after an upgrade.",
    }),
    credits_spent: Type.Integer(),
    corrections: Type.Array(
      Type.Object({
        from: Type.String({ description: "The word of the query, in lower case." }),
        to: Type.String({ description: "The word that was searched for instead." }),
      }),
      {
        description:
          "Query words that occur in no message, with the spelling that was searched for instead. Usually empty.",
      },
    ),
  },
  { $id: "SearchReply" },
);
export type SearchReply = Static<typeof SearchReply>;
