import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import { PLANS } from "../../kernel/plans.ts";

const used = Type.Integer({ minimum: 0 });
const limit = Type.Integer({ minimum: 0 });

/** Usage (contract, "Resources and their fields"). */
export const Usage = Type.Object(
  {
    plan: OneOf(PLANS),
    requests: Type.Object(
      { used, limit, resets: Timestamp("When the daily counters reset: the next UTC midnight.") },
      { description: "Requests since the last UTC midnight, including this one." },
    ),
    sends: Type.Object(
      { used, limit },
      {
        description:
          "Sends since the last UTC midnight. For a key in its first 24 hours: the key's own sends and their cap.",
      },
    ),
    ai_credits: Type.Object(
      {
        used,
        limit,
        byok: Type.Boolean({
          description:
            "True if the model is built in, local, or uses your own key. Credits are then counted, but requests are " +
            "never refused.",
        }),
      },
      { description: "AI credits since the first day of the month, UTC." },
    ),
  },
  { $id: "Usage" },
);
export type Usage = Static<typeof Usage>;

const days = Type.Array(Type.Object({ day: Type.String({ format: "date" }), value: Type.Integer() }), {
  description: "UTC days; the last one is today.",
});
export const UsageHistory = Type.Object({ requests: days, sends: days }, { $id: "UsageHistory" });
export type UsageHistory = Static<typeof UsageHistory>;
