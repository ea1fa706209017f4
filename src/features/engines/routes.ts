import { Type } from "@sinclair/typebox";
import { cutPage, pageQuery } from "../../http/paging.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { isoTime } from "../../kernel/clock.ts";
import { lookAround, type Surroundings } from "../../ml/language-model/surroundings.ts";
import type { ModelCallRow, ModelCalls } from "../../platform/ledger/model-calls.ts";
import { describeFound } from "./found.ts";
import { EngineChoice, EngineTrial, EngineView, FoundModels, Ledger, TrialResult } from "./model.ts";
import type { EngineService } from "./service.ts";

/** Defines the routes of the settings page "AI". Every user can see where text is sent; only the owner changes it. */
export function engineAppRoutes(
  engines: EngineService,
  calls: Pick<ModelCalls, "list" | "totals">,
  look: () => Promise<Surroundings> = lookAround,
): Route[] {
  return [
    read({
      method: "GET",
      path: "/ai",
      audience: "session",
      response: EngineView,
      handle: () => engines.view(),
    }),
    change({
      method: "PUT",
      path: "/ai",
      audience: "session",
      role: "owner",
      recentAuth: true,
      body: EngineChoice,
      response: EngineView,
      handle: ({ caller, body }) => engines.save(caller, body),
    }),
    change({
      method: "DELETE",
      path: "/ai",
      audience: "session",
      role: "owner",
      handle: ({ caller }) => engines.remove(caller),
    }),
    read({
      method: "GET",
      path: "/ai/found",
      audience: "session",
      role: "owner",
      response: FoundModels,
      handle: async () => describeFound(await look(), engines.contextTokens),
    }),
    act({
      method: "POST",
      path: "/ai/test",
      audience: "session",
      role: "owner",
      body: EngineTrial,
      response: TrialResult,
      handle: ({ caller, body }) => engines.try(caller, body),
    }),
    read({
      method: "GET",
      path: "/ai/ledger",
      audience: "session",
      followsSandbox: true,
      query: Type.Object({ ...pageQuery }),
      response: Ledger,
      handle: ({ query: { limit, cursor }, caller, pager }) => {
        const after = pager.after("ai-ledger", cursor);
        const rows = calls.list(caller.user_id, after === null ? null : Number(after[0]), limit + 1);
        const page = cutPage(rows, limit, ({ id }) => [id]);
        return {
          ...pager.reply("ai-ledger", page, viewCall),
          totals: calls.totals(caller.user_id).map((sum) => ({ ...sum, last_at: isoTime(sum.last_at) })),
        };
      },
    }),
  ];
}

function viewCall({ started_at, purpose, host, model, bytes_out, bytes_in, message_ids, result }: ModelCallRow) {
  return { at: isoTime(started_at), purpose, host, model, bytes_out, bytes_in, message_ids, result };
}
