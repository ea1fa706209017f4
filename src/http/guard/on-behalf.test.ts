import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { usageRoutes } from "../../features/usage/routes.ts";
import { SendStore } from "../../outbound/sends/store.ts";
import type { User } from "../../platform/identity/users.ts";

let h: Harness;
let bo: User;
let eve: User;
let team_id: string;
let org: { id: string; secret: string };
beforeEach(() => {
  h = createHarness({
    routes: (platform) => usageRoutes(platform, new SendStore(platform)),
    config: { "limits.team.requests_per_day": 10 },
  });
  const { teams } = h.platform;
  bo = h.newUser("bo@example.org", "pro");
  eve = h.newUser("eve@example.org", "pro");
  team_id = teams.create("Works").id;
  for (const person of [h.user, bo]) {
    teams.invite(team_id, person.id);
    teams.accept(team_id, person.id);
  }
  org = h.newKey({ team_id });
});
afterEach(() => h.close());

const ask = (email: string | null, key = org.secret) =>
  h.call("GET", "/usage", { key, headers: email === null ? {} : { "X-On-Behalf-Of": email } });

describe("an organization key", () => {
  test("acts for the member that the request names, with the team's plan", async () => {
    const answer = await ask("Bo@Example.org");
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ plan: "team", requests: { used: 1, limit: 20 } });
  });

  test("reports the cap of a new key for its first 24 hours, then the shared limits of the seats", async () => {
    expect((await ask("bo@example.org")).json.sends).toEqual({ used: 0, limit: 50 });
    h.clock.advance(86_400_000 - 1);
    expect((await ask("bo@example.org")).json.sends).toEqual({ used: 0, limit: 50 });
    h.clock.advance(1);
    h.platform.db.write(() => h.platform.meters.spend("sends", team_id, 7, null));
    expect((await ask("ada@example.org")).json.sends).toEqual({ used: 7, limit: 2_000 });
  });

  test("without the header gets an error that names it", async () => {
    for (const email of [null, "  "]) {
      const { status, json } = await ask(email);
      expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "X-On-Behalf-Of"]);
    }
  });

  test("cannot find out who has an account: a stranger, an invited person and an unknown address look the same", async () => {
    h.platform.teams.invite(team_id, eve.id);
    const answers = await Promise.all(
      ["eve@example.org", "nobody@example.org", "sandbox:bo@example.org", "x"].map((email) => ask(email)),
    );
    expect(answers.map(({ status, json }) => [status, json.error.code, json.error.message])).toEqual(
      answers.map(() => [404, "not_found", "The team has no such member."]),
    );
  });

  test("of one team cannot reach the members of another", async () => {
    const other = h.platform.teams.create("Others");
    const key = h.newKey({ team_id: other.id }).secret;
    expect((await ask("bo@example.org", key)).status).toBe(404);
  });

  test("without the scope is refused before the member is looked up", async () => {
    const key = h.newKey({ team_id, scopes: ["mail:read"] }).secret;
    for (const email of [null, "nobody@example.org", "bo@example.org"])
      expect((await ask(email, key)).status).toBe(403);
  });

  test("for testing sees the member's sandbox", async () => {
    const key = h.newKey({ team_id, test: true, user_id: h.user.id }).secret;
    const { json } = await ask("bo@example.org", key);
    expect(json).toMatchObject({ plan: "team", requests: { used: 1, limit: 10 } });
  });

  test("cannot reach a member who has left, from the next request on", async () => {
    expect((await ask("bo@example.org")).status).toBe(200);
    h.platform.teams.leave(team_id, bo.id);
    expect((await ask("bo@example.org")).status).toBe(404);
  });

  test("is deleted with its team", async () => {
    h.platform.teams.remove(team_id);
    expect((await ask("bo@example.org")).status).toBe(401);
  });
});

describe("a personal key", () => {
  test("acts for its owner only, and refuses a request that names someone else", async () => {
    expect((await ask("ada@example.org", h.key)).status).toBe(200);
    const { status, json } = await ask("bo@example.org", h.key);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_params", "X-On-Behalf-Of"]);
  });
});

describe("the team's requests of a day", () => {
  test("have one limit, seats times the plan's, over all members and keys", async () => {
    const own = h.newKey({ user_id: bo.id }).secret;
    const call = (i: number) => (i % 2 === 0 ? ask("ada@example.org") : h.call("GET", "/usage", { key: own }));
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => call(i)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await ask(null)).json.error.code).toBe("quota_exceeded");
  });

  test("shrink when a member leaves, who then has a separate limit again", async () => {
    const own = h.newKey({ user_id: bo.id }).secret;
    expect((await h.call("GET", "/usage", { key: own })).json.requests).toMatchObject({ used: 1, limit: 20 });
    h.platform.teams.leave(team_id, bo.id);
    expect((await h.call("GET", "/usage", { key: own })).json).toMatchObject({
      plan: "pro",
      requests: { used: 1, limit: 5_000 },
    });
    expect((await ask("ada@example.org")).json.requests).toMatchObject({ used: 2, limit: 10 });
  });
});
