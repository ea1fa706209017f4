import { Type } from "@sinclair/typebox";
import { change, type Route, read } from "../../http/route.ts";
import { ApiError } from "../../kernel/errors.ts";
import { limitsConfigured, programLimits, storeProgramLimits } from "../../platform/identity/program-limits.ts";
import { poolOf } from "../../platform/ledger/meters.ts";
import type { Platform } from "../../platform/platform.ts";
import { LimitsForPrograms, LimitsForProgramsPatch, UsageHistory } from "./model.ts";

/** Defines the routes of the settings page "Usage": its charts, and the limits for programs. */
export function usageAppRoutes(platform: Platform): Route[] {
  const { meters } = platform;
  const limits = (): LimitsForPrograms => ({
    programs: programLimits(platform),
    configured: limitsConfigured(platform) !== null,
  });
  return [
    read({
      method: "GET",
      path: "/usage/history",
      audience: "session",
      followsSandbox: true,
      query: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 90, default: 30 }) }),
      response: UsageHistory,
      handle: ({ query: { days }, caller }) => ({
        requests: meters.history("requests", poolOf(caller.user), days),
        sends: meters.history("sends", poolOf(caller.user), days),
      }),
    }),
    read({
      method: "GET",
      path: "/usage/limits",
      audience: "session",
      response: LimitsForPrograms,
      handle: limits,
    }),
    change({
      method: "PATCH",
      path: "/usage/limits",
      audience: "session",
      role: "owner",
      recentAuth: true,
      body: LimitsForProgramsPatch,
      response: LimitsForPrograms,
      handle: ({ caller, body }) => {
        if (limitsConfigured(platform) !== null) {
          const words = "limits.programs in the configuration decides which limits apply. Change it there.";
          throw new ApiError("limits_configured", words);
        }
        const { user_id, actor, request_id } = caller;
        storeProgramLimits(platform, body.programs, { user_id, actor, request_id });
        return limits();
      },
    }),
  ];
}
