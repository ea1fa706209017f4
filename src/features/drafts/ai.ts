import { type Static, Type } from "@sinclair/typebox";
import type { Caller } from "../../http/guard/caller.ts";
import { OneOf } from "../../http/schema.ts";

const Source = Type.Object(
  {
    from: OneOf(["voice", "instructions", "message", "sent", "phrase", "model"], {
      description:
        "`voice`: your usual way of writing. `instructions`: your instructions. `message`: a message of the thread. " +
        "`sent`: a sentence from mail you sent earlier. `phrase`: a stock phrase. `model`: the language model's own " +
        "wording.",
    }),
    quote: Type.Optional(Type.String({ description: "The words it is based on." })),
    message_id: Type.Optional(Type.String({ description: "The message that contains these words." })),
    start: Type.Optional(
      Type.Integer({ description: "Start of these words in its `body_text`, in UTF-16 code units." }),
    ),
    end: Type.Optional(Type.Integer()),
  },
  { description: "What the sentence is based on." },
);

/** How an AI draft was written. */
export const DraftAiNote = Type.Object(
  {
    engine: OneOf(["extractive", "local", "hosted"], {
      description: "The built-in engine, a language model on this machine, or one on another machine.",
    }),
    model: Type.Union([Type.String(), Type.Null()]),
    fallback: Type.Union([Type.String(), Type.Null()], {
      description: "Why the configured language model did not write the draft.",
    }),
    held_for_review: Type.Boolean({
      description:
        "True if the draft contains something that none of its sources contains. Review it before you send it.",
    }),
    review_reasons: Type.Array(Type.String()),
    gaps: Type.Array(Type.String(), {
      description:
        "What the built-in engine could not write, and why. The body has each as a gap in square brackets. Fill it in " +
        "before you send the draft. Empty if the draft is complete.",
    }),
    provenance: Type.Array(Type.Object({ text: Type.String(), source: Source }), {
      description: "Each sentence and what it is based on.",
    }),
  },
  { $id: "DraftAiNote" },
);
export type DraftAiNote = Static<typeof DraftAiNote>;

/** A client's request for an AI draft. */
interface DraftAsked {
  instructions?: string | undefined;
  reply_to_thread_id?: string | undefined;
  to?: string[] | undefined;
}

/** What the draft takes over from the writer. */
export interface WrittenBody {
  body: string;
  /** Who receives a copy if the client names no recipients. */
  cc: string[];
}

/** Writes drafts with AI; injected by the application. */
export interface DraftAi<Written extends WrittenBody = WrittenBody> {
  /** Writes a draft. @throws ApiError forbidden_scope, insufficient_credits, invalid_params, not_found */
  write(caller: Caller, asked: DraftAsked): Promise<Written>;
  /** Spends the credits and records how the draft was written, in the transaction that stores the draft. */
  keep(caller: Caller, draft_id: string, written: Written): void;
  /** Returns how a draft was written; null: by hand. */
  noteOf(user_id: string, draft_id: string): (DraftAiNote & { credits: number }) | null;
}
