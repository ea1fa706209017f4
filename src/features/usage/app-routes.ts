import { Type } from "@sinclair/typebox";
import { type Route, read } from "../../http/route.ts";
import { poolOf } from "../../platform/ledger/meters.ts";
import type { Platform } from "../../platform/platform.ts";
import { UsageHistory } from "./model.ts";

/** Defines the route for the usage charts of the settings page. */
export function usageAppRoutes({ meters }: Pick<Platform, "meters">): Route[] {
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
  ];
}
