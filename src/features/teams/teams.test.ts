import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type MemberScene, memberScene } from "../../../test/member-scene.ts";
import { EndpointStore } from "../webhooks/endpoints-store.ts";

let s: MemberScene;
let team: { id: string };
beforeEach(async () => {
  s = memberScene({ "limits.team.sends_per_day": 3 });
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
  test("takes both: the owner asks, the member accepts; until then no key reaches them", async () => {
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

  test("can be declined, and is nobody else's to accept", async () => {
    await invite("ada@example.org");
    expect((await answer("accept", s.owner)).status).toBe(404);
    expect((await answer("decline")).status).toBe(204);
    expect((await answer("accept")).status).toBe(404);
    expect((await s.owner.call("GET", "/teams")).json.data[0].members).toEqual([]);
  });

  test("is for one team at a time", async () => {
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
  const ways: [string, () => Promise<{ status: number }>][] = [
    ["by oneself", () => s.ada.call("DELETE", "/me/team")],
    ["by the owner", () => s.owner.call("DELETE", `/teams/${team.id}/members/${s.h.user.id}`)],
    ["with the team", () => s.owner.call("DELETE", `/teams/${team.id}`)],
  ];
  test.each(ways)("%s ends the access at once, of open streams too", async (_how, leave) => {
    const key = await orgKey({ scopes: ["usage:read", "webhooks:manage"] });
    await invite("ada@example.org");
    await answer("accept");
    expect((await asAda(key.secret)).status).toBe(200);
    const headers = { "X-On-Behalf-Of": "ada@example.org", Accept: "text/event-stream" };
    const { platform } = s.h;
    const endpoints = new EndpointStore(platform);
    const [by_team, by_ada] = ["team", "ada"].map((who) =>
      endpoints.insert(s.h.user.id, { url: `https://${who}.example/hook`, events: ["message.received"] }),
    );
    const made = { user_id: s.h.user.id, action: "webhook.create" };
    platform.audit.record({ ...made, actor: { kind: "key", id: key.id }, target: by_team!.id });
    platform.audit.record({ ...made, actor: { kind: "user", id: s.h.user.id }, target: by_ada!.id });
    const stream = await s.h.fetch("GET", "/events", { key: key.secret, headers });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    expect((await leave()).status).toBe(204);
    await stream.text();
    expect([401, 404]).toContain((await asAda(key.secret)).status);
    expect((await s.h.call("GET", "/usage")).json.plan).toBe("autopilot");
    // What the team's key had set up tells the team nothing any more; what she set up herself goes on.
    expect([by_team, by_ada].map((endpoint) => endpoints.get(endpoint!.id)?.status)).toEqual(["disabled", "active"]);
    const [row] = s.h.platform.audit.list(s.h.user.id, { limit: 1, action: "team.leave" });
    expect(row).toMatchObject({ target: team.id });
  });
});

test("an organisation key is not in anybody's own list, and its revocation is the owner's", async () => {
  const key = await orgKey();
  expect((await s.owner.call("GET", "/keys")).json.data).toEqual([]);
  expect((await s.owner.call("DELETE", `/keys/${key.id}`)).status).toBe(404);
  expect((await s.owner.call("GET", `/teams/${team.id}/keys`)).json.data).toMatchObject([{ id: key.id, name: "crm" }]);
  await invite("ada@example.org");
  await answer("accept");
  expect((await s.owner.call("DELETE", `/teams/${team.id}/keys/${key.id}`)).status).toBe(204);
  expect((await asAda(key.secret)).status).toBe(401);
});

test("sends of a team are one amount, of which three processes at once take not one too many", async () => {
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

test("what an organisation key changed names the key in the member's audit log", async () => {
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
