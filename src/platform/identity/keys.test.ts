import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { canonical } from "../grants/covered-tables.ts";
import { type ApiKeys, keyUsable } from "./keys.ts";

let scratch: Scratch;
let keys: ApiKeys;
beforeEach(() => {
  scratch = scratchPlatform();
  keys = scratch.platform.keys;
});
afterEach(() => scratch.close());

const create = (more: Partial<Parameters<ApiKeys["create"]>[0]> = {}) =>
  keys.create({ user_id: scratch.user.id, name: "laptop", scopes: ["mail:read"], test: false, ...more });

describe("a new key", () => {
  test("is the prefix of its kind and 43 random letters and digits", () => {
    const secrets = Array.from({ length: 50 }, (_, i) => create({ test: i % 2 === 0 }).secret);
    for (const [i, secret] of secrets.entries()) {
      expect(secret).toMatch(i % 2 === 0 ? /^service_test_[0-9A-Za-z]{43}$/ : /^service_live_[0-9A-Za-z]{43}$/);
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  test("is found by its secret, with all its properties", () => {
    const expires_at = scratch.clock.now() + 1_000;
    const { key, secret } = create({ expires_at, ip_allow: ["10.0.0.0/8"], scopes: ["mail:read", "mail:send"] });
    expect(keys.find(secret)).toEqual(key);
    expect(key).toMatchObject({
      name: "laptop",
      scopes: ["mail:read", "mail:send"],
      ip_allow: ["10.0.0.0/8"],
      hint: secret.slice(0, 17),
      expires_at,
      revoked_at: null,
      last_used_at: null,
    });
  });

  test("is stored as an HMAC: neither its secret, an unkeyed hash of it, nor its name is on disk", () => {
    const { secret } = create({ name: "my own laptop" });
    scratch.platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
    const disk = readdirSync(scratch.data_dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    const holds = (bytes: string | Uint8Array) => disk.some((file) => file.includes(bytes));
    expect(holds(createHash("sha256").update(secret).digest())).toBe(false);
    expect(holds(scratch.platform.grants.lookup("api-key", secret))).toBe(true);
    expect([holds(secret), holds(secret.slice(-20)), holds("my own laptop")]).toEqual([false, false, false]);
  });

  test("has the register entry of earlier versions, unless it is limited to the tool server", () => {
    const row = {
      ...{ id: "key_1", user_id: "usr_1", hash: null, label: null, hint: "h", scopes: "[]", account_id: null },
      ...{ team_id: null, created_at: 1, expires_at: null, revoked_at: null },
    };
    const before = '["api_keys","key_1","usr_1",null,null,"h","[]",null,null,1,null,null]';
    expect(canonical("api_keys", { ...row, tools_only: 0 })).toBe(before);
    expect(canonical("api_keys", { ...row, tools_only: 1 })).not.toBe(before);
  });

  test("is recorded in the audit log without its secret", () => {
    const { key, secret } = create();
    const [row] = scratch.platform.audit.list(scratch.user.id, { limit: 1 });
    expect(row).toMatchObject({ action: "key.create", target: key.id, after: { name: "laptop", hint: key.hint } });
    expect(JSON.stringify(row)).not.toContain(secret);
  });
});

test("texts that are not keys are not found", () => {
  const { secret } = create();
  const near = [
    secret.slice(0, -1),
    `${secret}0`,
    secret.replace("live", "test"),
    secret.toLowerCase(),
    "",
    "service_live_",
  ];
  for (const text of near) expect(keys.find(text)).toBeNull();
});

describe("the end of a key", () => {
  test("a revoked key is not usable, and cannot be revoked again", () => {
    const { key, secret } = create();
    expect(keyUsable(keys.find(secret)!, scratch.clock.now())).toBe(true);
    expect([keys.revoke(key.id), keys.revoke(key.id), keys.revoke("key_none")]).toEqual([true, false, false]);
    expect(keyUsable(keys.find(secret)!, scratch.clock.now())).toBe(false);
    expect(scratch.platform.audit.list(scratch.user.id, { limit: 9, action: "key.revoke" })).toHaveLength(1);
  });

  test("a key is not usable from its expiry time on", () => {
    const at = scratch.clock.now() + 1_000;
    const { key } = create({ expires_at: at });
    expect([keyUsable(key, at - 1), keyUsable(key, at), keyUsable(key, at + 1)]).toEqual([true, false, false]);
  });
});

test("the time of a key's last use only moves forward", () => {
  const { key } = create();
  keys.touch(new Map([[key.id, 2_000]]));
  keys.touch(new Map([[key.id, 1_000]]));
  expect(keys.get(key.id)?.last_used_at).toBe(2_000);
});

test("keys are listed user by user, oldest first", () => {
  const sandbox = scratch.platform.users.sandboxOf(scratch.user.id);
  const made = [create(), create({ user_id: sandbox.id, test: true }), create()].map(({ key }) => key.id);
  expect(keys.list([scratch.user.id, sandbox.id]).map(({ id }) => id)).toEqual([made[0]!, made[2]!, made[1]!]);
  expect(keys.list(["usr_none"])).toEqual([]);
});
