import { afterEach, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { SendStore } from "../../outbound/sends/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { usageRoutes as routesOf } from "./routes.ts";

const usageRoutes = (platform: Platform) => routesOf(platform, new SendStore(platform));
let h: Harness;
afterEach(() => h.close());

test("shows the plan and its usage in the documented shape", async () => {
  h = createHarness({ routes: usageRoutes, plan: "pro" });
  // A key has a lower cap on its first day.
  h.clock.advance(86_400_000);
  h.platform.meters.spend("sends", h.user.id, 2, null);
  h.platform.meters.spend("ai_credits", h.user.id, 5, null);
  await h.call("GET", "/usage");
  expect((await h.call("GET", "/usage")).json).toEqual({
    plan: "pro",
    requests: { used: 2, limit: 5_000, resets: "2026-03-04T00:00:00.000Z" },
    sends: { used: 2, limit: 200 },
    ai_credits: { used: 5, limit: 300, byok: true },
  });
});

test("byok is false only where credits are limited", async () => {
  h = createHarness({ routes: usageRoutes, config: { "ai.metered": true } });
  expect((await h.call("GET", "/usage")).json.ai_credits.byok).toBe(false);
});

test("a test key sees the sandbox's usage, not the person's", async () => {
  h = createHarness({ routes: usageRoutes });
  h.platform.meters.spend("sends", h.user.id, 2, null);
  const sandbox = h.newKey({ test: true });
  expect((await h.call("GET", "/usage", { key: sandbox.secret })).json).toMatchObject({
    requests: { used: 1 },
    sends: { used: 0 },
  });
});

test("counts are kept after a restart", async () => {
  h = createHarness({ routes: usageRoutes });
  await h.call("GET", "/usage");
  h.clock.advance(5_000);
  const row = h.platform.db.sql.query("SELECT used FROM meters WHERE meter = 'requests'").get();
  expect(row).toEqual({ used: 1 });
});
