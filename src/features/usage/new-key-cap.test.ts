import { afterEach, expect, test } from "bun:test";
import { createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: SendFixture;
afterEach(() => fixture.h.close());

function start(options: Parameters<typeof createSendFixture>[0] = {}): void {
  fixture = createSendFixture(options);
}
const send = (key?: string) =>
  fixture.h.call("POST", "/messages/send", {
    body: { to: ["m@acme.example"] },
    headers: { "Idempotency-Key": crypto.randomUUID() },
    ...(key ? { key } : {}),
  });
const sends = async (key?: string) => (await fixture.h.call("GET", "/usage", key ? { key } : {})).json.sends;

test("a new key's usage shows 50 sends until its 24th hour ends, and the plan's sends from then on", async () => {
  start();
  expect(await sends()).toEqual({ used: 0, limit: 50 });
  await send();
  expect(await sends()).toEqual({ used: 1, limit: 50 });
  fixture.h.clock.advance(DAY_MS - 1);
  // Midnight has passed: the cap of a new key counts from the creation of the key.
  expect(await sends()).toEqual({ used: 1, limit: 50 });
  fixture.h.clock.advance(1);
  expect(await sends()).toEqual({ used: 0, limit: 1_000 });
});

test("at the limit that usage shows, the next send is refused", async () => {
  start({ config: { "limits.new_key_sends_per_day": 3 } });
  for (let left = 3; left > 0; left--) {
    const { used, limit } = await sends();
    expect(limit - used).toBe(left);
    expect((await send()).status).toBe(200);
  }
  expect(await sends()).toEqual({ used: 3, limit: 3 });
  expect((await send()).json.error.code).toBe("quota_exceeded");
});

test("sends of other keys do not affect a new key's cap, and a canceled send restores the quota", async () => {
  start();
  const { secret } = fixture.h.newKey();
  const { send_id } = (await send()).json;
  expect([await sends(), await sends(secret)]).toEqual([
    { used: 1, limit: 50 },
    { used: 0, limit: 50 },
  ]);
  await fixture.h.call("POST", `/sends/${send_id}/cancel`);
  expect(await sends()).toEqual({ used: 0, limit: 50 });
});

test("a key created a day ago shows the plan's cap while a key created now shows the cap of new keys", async () => {
  start();
  fixture.h.clock.advance(DAY_MS);
  const { secret } = fixture.h.newKey();
  expect([await sends(), await sends(secret)]).toEqual([
    { used: 0, limit: 1_000 },
    { used: 0, limit: 50 },
  ]);
});

test("if the plan has fewer sends left than a new key may make, usage shows the plan", async () => {
  start({ config: { "limits.autopilot.sends_per_day": 60 } });
  const { platform, user } = fixture.h;
  platform.db.write(() => platform.meters.spend("sends", user.id, 55, null));
  expect(await sends()).toEqual({ used: 55, limit: 60 });
  expect(fixture.h.clock.now()).toBeLessThan(platform.meters.resetsAt());
});

test("the settings page shows the plan's sends, even if all keys are new", async () => {
  start();
  await send();
  const { json } = await fixture.h.session().call("GET", "//v1/usage");
  expect(json.sends).toEqual({ used: 1, limit: 1_000 });
});

test("a test key has a separate first day", async () => {
  start();
  fixture.h.clock.advance(2 * HOUR_MS);
  const { secret } = fixture.h.newKey({ test: true });
  await send();
  expect(await sends(secret)).toEqual({ used: 0, limit: 50 });
});
