import { afterEach, expect, test } from "bun:test";
import { createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let scene: SendFixture;
afterEach(() => scene.h.close());

function start(options: Parameters<typeof createSendFixture>[0] = {}): void {
  scene = createSendFixture(options);
}
const send = (key?: string) =>
  scene.h.call("POST", "/messages/send", {
    body: { to: ["m@acme.example"] },
    headers: { "Idempotency-Key": crypto.randomUUID() },
    ...(key ? { key } : {}),
  });
const sends = async (key?: string) => (await scene.h.call("GET", "/usage", key ? { key } : {})).json.sends;

test("a new key's usage shows 50 sends until its 24th hour ends, and the plan's sends from then on", async () => {
  start();
  expect(await sends()).toEqual({ used: 0, limit: 50 });
  await send();
  expect(await sends()).toEqual({ used: 1, limit: 50 });
  scene.h.clock.advance(DAY_MS - 1);
  // Midnight has passed: the cap of a new key counts from when the key was created.
  expect(await sends()).toEqual({ used: 1, limit: 50 });
  scene.h.clock.advance(1);
  expect(await sends()).toEqual({ used: 0, limit: 1_000 });
});

test("what usage shows is what can be sent: at the shown limit the next send is refused", async () => {
  start({ config: { "limits.new_key_sends_per_day": 3 } });
  for (let left = 3; left > 0; left--) {
    const { used, limit } = await sends();
    expect(limit - used).toBe(left);
    expect((await send()).status).toBe(200);
  }
  expect(await sends()).toEqual({ used: 3, limit: 3 });
  expect((await send()).json.error.code).toBe("quota_exceeded");
});

test("sends of other keys leave a new key's cap alone, and a cancelled send is given back", async () => {
  start();
  const { secret } = scene.h.newKey();
  const { send_id } = (await send()).json;
  expect([await sends(), await sends(secret)]).toEqual([
    { used: 1, limit: 50 },
    { used: 0, limit: 50 },
  ]);
  await scene.h.call("POST", `/sends/${send_id}/cancel`);
  expect(await sends()).toEqual({ used: 0, limit: 50 });
});

test("a key created a day ago shows the plan while a key created now shows the cap of new keys", async () => {
  start();
  scene.h.clock.advance(DAY_MS);
  const { secret } = scene.h.newKey();
  expect([await sends(), await sends(secret)]).toEqual([
    { used: 0, limit: 1_000 },
    { used: 0, limit: 50 },
  ]);
});

test("where the plan has less left than a new key may send, usage shows the plan", async () => {
  start({ config: { "limits.autopilot.sends_per_day": 60 } });
  const { platform, user } = scene.h;
  platform.db.write(() => platform.meters.spend("sends", user.id, 55, null));
  expect(await sends()).toEqual({ used: 55, limit: 60 });
  expect(scene.h.clock.now()).toBeLessThan(platform.meters.resetsAt());
});

test("the settings page shows the plan's sends, however new the keys are", async () => {
  start();
  await send();
  const { json } = await scene.h.session().call("GET", "//v1/usage");
  expect(json.sends).toEqual({ used: 1, limit: 1_000 });
});

test("a test key has its own first day", async () => {
  start();
  scene.h.clock.advance(2 * HOUR_MS);
  const { secret } = scene.h.newKey({ test: true });
  await send();
  expect(await sends(secret)).toEqual({ used: 0, limit: 50 });
});
