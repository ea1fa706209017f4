import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import { PLANS } from "../../kernel/plans.ts";
import { PROGRAM_LIMITS } from "../../platform/identity/program-limits.ts";

const used = Type.Integer({ minimum: 0 });
const limit = Type.Integer({
  minimum: 0,
  description: "1,000,000,000 while the owner has lifted the limits for programs.",
});

/** Usage (docs/api.md, "Plans and daily quotas"). */
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

/** What applies to programs, on the settings page. */
export const LimitsForPrograms = Type.Object(
  {
    programs: OneOf(PROGRAM_LIMITS),
    /** Whether `limits.programs` in the configuration decides, so that the page cannot change it. */
    configured: Type.Boolean(),
  },
  { $id: "LimitsForPrograms" },
);
export type LimitsForPrograms = Static<typeof LimitsForPrograms>;

export const LimitsForProgramsPatch = Type.Object(
  { programs: OneOf(PROGRAM_LIMITS) },
  { $id: "LimitsForProgramsPatch" },
);
