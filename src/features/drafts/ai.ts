import { type Static, Type } from "@sinclair/typebox";
import type { Caller } from "../../http/guard/caller.ts";
import { OneOf } from "../../http/schema.ts";

const Source = Type.Object(
  {
    from: OneOf(["voice", "instructions", "message", "sent", "phrase", "model"], {
      description:
        "`voice`: how you usually write; `instructions`: yours; `message`: of the conversation; `sent`: a sentence of an " +
        "earlier mail of yours; `phrase`: a set phrase; `model`: the language model's own words.",
    }),
    quote: Type.Optional(Type.String({ description: "The words that it comes from." })),
    message_id: Type.Optional(Type.String({ description: "The message that has them." })),
    start: Type.Optional(Type.Integer({ description: "Where they begin in its `body_text`, in UTF-16 code units." })),
    end: Type.Optional(Type.Integer()),
  },
  { description: "Where the sentence comes from." },
);

/** How a draft that AI wrote came about. */
export const DraftAiNote = Type.Object(
  {
    engine: OneOf(["extractive", "local", "hosted"], {
      description: "The built-in engine, a language model on this machine, or one elsewhere.",
    }),
    model: Type.Union([Type.String(), Type.Null()]),
    fallback: Type.Union([Type.String(), Type.Null()], {
      description: "Why the language model did not write it although there is one.",
    }),
    held_for_review: Type.Boolean({
      description: "It names something that none of its sources does; read it before you send it.",
    }),
    review_reasons: Type.Array(Type.String()),
    provenance: Type.Array(Type.Object({ text: Type.String(), source: Source }), {
      description: "Each sentence and where it comes from.",
    }),
  },
  { $id: "DraftAiNote" },
);
export type DraftAiNote = Static<typeof DraftAiNote>;

/** What a client asks AI for. */
export interface DraftAsked {
  instructions?: string | undefined;
  reply_to_thread_id?: string | undefined;
  to?: string[] | undefined;
}

/** Writes drafts; handed in by the map. */
export interface DraftAi<Written extends { body: string } = { body: string }> {
  /** @throws ApiError forbidden_scope, insufficient_credits, invalid_params, not_found */
  write(caller: Caller, asked: DraftAsked): Promise<Written>;
  /** Spends the credits and notes how it came about, in the transaction that stores the draft. */
  keep(caller: Caller, draft_id: string, written: Written): void;
  /** Null: written by hand. */
  noteOf(user_id: string, draft_id: string): (DraftAiNote & { credits: number }) | null;
}
