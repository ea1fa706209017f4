import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type MemberFixture, memberFixture } from "../../../test/support/member-fixture.ts";
import { EndpointStore } from "../webhooks/endpoints-store.ts";

let s: MemberFixture;
let team: { id: string };
beforeEach(async () => {
  s = memberFixture({ "limits.team.sends_per_day": 3 });
  team = (await s.owner.call("POST", "/teams", { body: { name: "Works" } })).json;
});
afterEach(() => s.h.close());

const invite = (email: string) => s.owner.call("POST", `/teams/${team.id}/members`, { body: { email } });
const answer = (what: string, by = s.ada) => by.call("POST", `/me/team-invitations/${team.id}/${what}`);
const orgKey = async (more: object = {}) =>
  (await s.owner.call("POST", `/teams/${team.id}/keys`, { body: { name: "crm", scopes: ["usage:read"], ...more } }))
    .json;
const asAda = (key: string, path = "/usage") =>
  s.h.call("GET", path, { key, headers: { "X-On-Behalf-Of": "ada@example.org" } });

describe("joining a team", () => {
  test("requires an invitation by the owner and acceptance by the member; until then no key has access", async () => {
    const key = await orgKey();
    expect((await invite("Ada@Example.org")).json.members).toMatchObject([
      { email: "ada@example.org", state: "invited" },
    ]);
    expect((await asAda(key.secret)).status).toBe(404);
    expect((await s.ada.call("GET", "/me/team-invitations")).json.data).toMatchObject([
      { team_id: team.id, name: "Works" },
    ]);
    expect((await answer("accept")).status).toBe(204);
    expect((await asAda(key.secret)).json).toMatchObject({ plan: "team" });
    expect((await s.ada.call("GET", "/me/team")).json.team).toMatchObject({ seats: 1, members: ["ada@example.org"] });
    expect((await s.owner.call("GET", "/teams")).json.data).toMatchObject([
      { seats: 1, requests: { used: 2, limit: 20_000 }, sends: { used: 0, limit: 3 } },
    ]);
  });

  test("can be declined, and no one else can accept the invitation", async () => {
    await invite("ada@example.org");
    expect((await answer("accept", s.owner)).status).toBe(404);
    expect((await answer("decline")).status).toBe(204);
    expect((await answer("accept")).status).toBe(404);
    expect((await s.owner.call("GET", "/teams")).json.data[0].members).toEqual([]);
  });

  test("is possible for one team at a time", async () => {
    const other = (await s.owner.call("POST", "/teams", { body: { name: "Others" } })).json;
    await invite("ada@example.org");
    await answer("accept");
    await s.owner.call("POST", `/teams/${other.id}/members`, { body: { email: "ada@example.org" } });
    const refused = await s.ada.call("POST", `/me/team-invitations/${other.id}/accept`);
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining("Leave Works first")]);
  });

  test.each([
    ["nobody@example.org", "There is no user"],
    ["sandbox:bo@example.org", "There is no user"],
    ["ada@example.org", "has already been invited"],
  ])("%s is refused", async (email, words) => {
    await invite("ada@example.org");
    const { status, json } = await invite(email);
    expect([status, json.error.param, json.error.message]).toEqual([400, "email", expect.stringContaining(words)]);
  });

  test("a second team of the same name is refused", async () => {
    expect((await s.owner.call("POST", "/teams", { body: { name: "works " } })).json.error.param).toBe("name");
  });
});

describe("leaving", () => {
  const departures: [string, () => Promise<{ status: number }>][] = [
    ["leaving", () => s.ada.call("DELETE", "/me/team")],
    ["removal by the owner", () => s.owner.call("DELETE", `/teams/${team.id}/members/${s.h.user.id}`)],
    ["deletion of the team", () => s.owner.call("DELETE", `/teams/${team.id}`)],
  ];
  test.each(departures)("%s ends the access immediately, including open streams", async (_how, leave) => {
    const key = await orgKey({ scopes: ["usage:read", "webhooks:manage"] });
    await invite("ada@example.org");
    await answer("accept");
    expect((await asAda(key.secret)).status).toBe(200);
    const headers = { "X-On-Behalf-Of": "ada@example.org", Accept: "text/event-stream" };
    const { platform } = s.h;
    const endpoints = new EndpointStore(platform);
    const [byTeam, byAda] = ["team", "ada"].map((name) =>
      endpoints.insert(s.h.user.id, { url: `https://${name}.example/hook`, events: ["message.received"] }),
    );
    const made = { user_id: s.h.user.id, action: "webhook.create" };
    platform.audit.record({ ...made, actor: { kind: "key", id: key.id }, target: byTeam!.id });
    platform.audit.record({ ...made, actor: { kind: "user", id: s.h.user.id }, target: byAda!.id });
    const stream = await s.h.fetch("GET", "/events", { key: key.secret, headers });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    expect((await leave()).status).toBe(204);
    await stream.text();
    expect([401, 404]).toContain((await asAda(key.secret)).status);
    expect((await s.h.call("GET", "/usage")).json.plan).toBe("autopilot");
    // Endpoints created by the team's key are disabled; the member's own endpoint stays active.
    expect([byTeam, byAda].map((endpoint) => endpoints.get(endpoint!.id)?.status)).toEqual(["disabled", "active"]);
    const [row] = s.h.platform.audit.list(s.h.user.id, { limit: 1, action: "team.leave" });
    expect(row).toMatchObject({ target: team.id });
  });
});

test("an organization key is not in anyone's own list, and only the owner can revoke it", async () => {
  const key = await orgKey();
  expect((await s.owner.call("GET", "/keys")).json.data).toEqual([]);
  expect((await s.owner.call("DELETE", `/keys/${key.id}`)).status).toBe(404);
  expect((await s.owner.call("GET", `/teams/${team.id}/keys`)).json.data).toMatchObject([{ id: key.id, name: "crm" }]);
  await invite("ada@example.org");
  await answer("accept");
  expect((await s.owner.call("DELETE", `/teams/${team.id}/keys/${key.id}`)).status).toBe(204);
  expect((await asAda(key.secret)).status).toBe(401);
});

test("members of a team share one send cap, which three concurrent processes do not exceed", async () => {
  await invite("ada@example.org");
  await answer("accept");
  const { platform } = s.h;
  const user = platform.users.get(s.h.user.id)!;
  expect(user).toMatchObject({ plan: "team", seats: 1, pool_id: team.id });
  expect(platform.meters.limits(user)).toMatchObject({ sends_per_day: 3, webhook_endpoints: 20 });
  const code = `
    const { openPlatform } = await import("./platform/platform.ts");
    const { loadConfig } = await import("./platform/config/load.ts");
    const { ManualClock } = await import("./platform/clock.ts");
    const [data_dir, pool] = process.argv.slice(1);
    const { db, meters } = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: new ManualClock() });
    let took = 0;
    for (let i = 0; i < 20; i++) if (db.write(() => meters.spend("sends", pool, 1, 3))) took++;
    console.log(took);`;
  const children = [1, 2, 3].map(() =>
    Bun.spawn([process.execPath, "-e", code, platform.config.data_dir, team.id], {
      cwd: join(import.meta.dir, "../.."),
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const took = await Promise.all(children.map((child) => new Response(child.stdout).text()));
  expect(took.map(Number).reduce((a, b) => a + b)).toBe(3);
  expect((await s.h.call("GET", "/usage")).json.sends).toEqual({ used: 3, limit: 3 });
}, 30_000);

test("a change by an organization key names the key in the member's audit log", async () => {
  const key = await orgKey({ scopes: ["mail:write"] });
  await invite("ada@example.org");
  await answer("accept");
  const { thread_id } = s.arrive();
  const headers = { "X-On-Behalf-Of": "ada@example.org" };
  const body = { starred: true };
  expect((await s.h.call("PATCH", `/threads/${thread_id}`, { key: key.secret, headers, body })).status).toBe(200);
  const [row] = s.h.platform.audit.list(s.h.user.id, { limit: 1, action: "thread.update" });
  expect(row).toMatchObject({ actor: { kind: "key", id: key.id }, target: thread_id });
});
