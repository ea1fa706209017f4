import { type Static, Type } from "@sinclair/typebox";
import { OneOf } from "../../http/schema.ts";

const LONGEST_QUERY_CHARS = 100;
const MAX_SUGGESTIONS = 20;

export const SuggestQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: LONGEST_QUERY_CHARS,
    description: "The query as typed so far, up to the cursor.",
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_SUGGESTIONS,
    default: 10,
    description: "How many suggestions to return at most.",
  }),
});

const Suggestion = Type.Object(
  {
    kind: OneOf(["contact", "label", "operator", "subject", "folder"], {
      description: "What it names. `operator` is an operator or one of its values; `folder` is a place (`in:inbox`).",
    }),
    text: Type.String({ description: "What to show, such as the name of a contact." }),
    insert: Type.String({
      description:
        "What to put in place of the last token: of everything after the last space or opening bracket that is not in " +
        "quotation marks.",
    }),
    detail: Type.String({
      description: "What to show beside it: the address of a contact, the sender of a subject. Can be empty.",
    }),
  },
  { $id: "Suggestion" },
);
export type Suggestion = Static<typeof Suggestion>;

export const SuggestReply = Type.Object(
  { data: Type.Array(Suggestion, { description: "Best first." }) },
  { $id: "SuggestReply" },
);
