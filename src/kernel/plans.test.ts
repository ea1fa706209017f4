import { expect, test } from "bun:test";
import { isPlan, PLAN_DEFAULTS, PLANS, planAllows } from "./plans.ts";
import { isScope, SCOPES } from "./scopes.ts";

test("Free allows no scope, Pro all but the agent scopes, the other plans all", () => {
  const opened = PLANS.map((plan) => [plan, SCOPES.filter((scope) => planAllows(plan, scope)).length]);
  const agent = SCOPES.filter((scope) => scope.startsWith("agent:")).length;
  expect(Object.fromEntries(opened)).toEqual({
    free: 0,
    pro: SCOPES.length - agent,
    autopilot: SCOPES.length,
    team: SCOPES.length,
  });
  expect(agent).toBeGreaterThan(0);
});

test("the limits are the documented ones", () => {
  const amounts = Object.fromEntries(
    Object.entries(PLAN_DEFAULTS).map(([plan, p]) => [
      plan,
      [p.requests_per_day, p.sends_per_day, p.webhook_endpoints],
    ]),
  );
  expect(amounts).toEqual({
    free: [0, 0, 0],
    pro: [5_000, 200, 2],
    autopilot: [20_000, 1_000, 10],
    team: [20_000, 1_000, 20],
  });
});

test("unknown plan and scope names are refused, including names of Object.prototype", () => {
  for (const name of ["", "Pro", "constructor", "mail:*"]) expect(isPlan(name) || isScope(name)).toBe(false);
});
