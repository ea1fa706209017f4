import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

const begin = () => {
  const about = { method: "password", address: "192.0.2.7", user_agent: "Firefox of Ada" } as const;
  return scratch.platform.sessions.create({ user_id: scratch.user.id, ...about });
};

test("neither the cookie's value nor the device is readable on disk", () => {
  const { token } = begin();
  scratch.platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const disk = readdirSync(scratch.data_dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const holds = (bytes: string | Uint8Array) => disk.some((file) => file.includes(bytes));
  expect([holds(scratch.platform.grants.lookup("session", token)), holds(token)]).toEqual([true, false]);
  expect([holds("Firefox of Ada"), holds("192.0.2.7")]).toEqual([false, false]);
});

test("a session is found by its complete token until it is revoked", () => {
  const { sessions } = scratch.platform;
  const { session, token } = begin();
  expect(sessions.find(token)).toEqual(session);
  for (const near of [token.slice(0, -1), `${token}A`, token.toLowerCase(), ""]) expect(sessions.find(near)).toBeNull();
  expect(sessions.revoke("usr_somebody", session.id)).toBe(false);
  expect(sessions.revoke(scratch.user.id, session.id)).toBe(true);
  expect([sessions.find(token), sessions.revoke(scratch.user.id, session.id)]).toEqual([null, false]);
});

test("expired sessions are deleted", () => {
  const { sessions } = scratch.platform;
  begin();
  scratch.clock.advance(13 * 86_400_000);
  begin();
  expect(sessions.prune()).toBe(0);
  scratch.clock.advance(86_400_000);
  expect(sessions.prune()).toBe(1);
  expect(sessions.list(scratch.user.id)).toHaveLength(1);
});

test("the time of a session's last use only moves forward", () => {
  const { sessions } = scratch.platform;
  const { session } = begin();
  const now = scratch.clock.now();
  sessions.touch(new Map([[session.id, now + 2_000]]));
  sessions.touch(new Map([[session.id, now + 1_000]]));
  expect(sessions.get(session.id)?.last_used_at).toBe(now + 2_000);
});
