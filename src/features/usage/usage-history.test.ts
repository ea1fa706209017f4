import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { SendStore } from "../../outbound/sends/store.ts";
import { usageAppRoutes } from "./app-routes.ts";
import { usageRoutes } from "./routes.ts";

let h: Harness;

beforeAll(() => {
  h = createHarness({
    routes: (platform) => usageRoutes(platform, new SendStore(platform)),
    appRoutes: usageAppRoutes,
  });
});
afterAll(() => h.close());

const DAY_MS = 86_400_000;

test("the charts include every day, including those without use, and requests of today that are not on the disk yet", async () => {
  const { platform, clock, user } = h;
  platform.db.write(() => platform.meters.spend("sends", user.id, 2, null));
  await h.call("GET", "/usage");
  platform.meters.flush();
  clock.advance(2 * DAY_MS);
  platform.db.write(() => platform.meters.spend("sends", user.id, 3, null));
  await h.call("GET", "/usage");
  const { status, json } = await h.session().call("GET", "/usage/history?days=4");
  expect(status).toBe(200);
  const values = (list: { value: number }[]) => list.map(({ value }) => value);
  expect(values(json.sends)).toEqual([0, 2, 0, 3]);
  expect(values(json.requests)).toEqual([0, 1, 0, 1]);
  expect(json.sends.at(-1).day).toBe(new Date(clock.now()).toISOString().slice(0, 10));
});

test("viewing the page does not count as usage, and keys have no access to it", async () => {
  const before = (await h.session().call("GET", "/usage/history")).json;
  expect((await h.session().call("GET", "/usage/history")).json).toEqual(before);
  expect(before.sends).toHaveLength(30);
  expect((await h.call("GET", "//app/api/usage/history")).status).toBe(403);
});

test("while the page shows the sandbox, the charts are those of the sandbox", async () => {
  const { platform } = h;
  const ada = h.session();
  const sandbox = platform.users.sandboxOf(ada.user.id);
  platform.db.write(() => platform.meters.spend("sends", sandbox.id, 7, null));
  const { json } = await ada.call("GET", "/usage/history?days=1", { headers: { "X-Postroom-Sandbox": "1" } });
  expect(json.sends).toMatchObject([{ value: 7 }]);
});
