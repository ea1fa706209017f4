import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { Connection } from "./connections.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

const CLIENT = { id: "client", name: "Probe", uri: null, redirect_host: "localhost", verified: false };

function grant(scopes: Scope[] = ["mail:read"], more: { user_id?: string; account_id?: string } = {}): Connection {
  const given = { user_id: scratch.user.id, client: CLIENT, scopes, asked: scopes, account_id: null, ...more };
  return scratch.platform.connections.grant(given, { actor: { kind: "user", id: scratch.user.id } });
}
/** Changes the file as another program would. */
const attack = (statement: string, ...values: string[]) => scratch.platform.db.sql.query(statement).run(...values);
const get = (id: string) => scratch.platform.connections.get(id);

describe("a connection", () => {
  test.each([
    ["scopes", `UPDATE assistant_connections SET scopes = '["mail:read","mail:send"]' WHERE id = ?`],
    ["owner", "UPDATE assistant_connections SET user_id = (SELECT max(id) FROM users) WHERE id = ?"],
    ["mailbox", "UPDATE assistant_connections SET account_id = 'acc_x' WHERE id = ?"],
    ["client", "UPDATE assistant_connections SET client_hmac = x'00' WHERE id = ?"],
    ["age", "UPDATE assistant_connections SET created_at = 0 WHERE id = ?"],
  ])("whose %s was changed in the file does not count", (_, statement) => {
    const { id } = grant();
    attack(statement, id);
    expect(get(id)).toBeNull();
    expect(scratch.platform.grants.differences()).toMatchObject([{ table: "assistant_connections", row: id }]);
  });

  test("that was revoked does not count again when its earlier row is put back", () => {
    const { id } = grant();
    scratch.platform.connections.revoke(id);
    expect(get(id)!.revoked_at).not.toBeNull();
    attack("UPDATE assistant_connections SET revoked_at = NULL WHERE id = ?", id);
    expect(get(id)).toBeNull();
  });

  test("that is hidden in the file while it is revoked does not count afterwards", () => {
    const { id } = grant();
    const { sql } = scratch.platform.db;
    sql.run("CREATE TEMP TABLE hidden AS SELECT * FROM assistant_connections");
    attack("DELETE FROM assistant_connections WHERE id = ?", id);
    expect(scratch.platform.connections.revoke(id)).toBe(true);
    sql.run("INSERT INTO assistant_connections SELECT * FROM hidden");
    expect(get(id)).toBeNull();
  });

  test("ends with its user, sandbox included", () => {
    const { platform } = scratch;
    const bob = platform.users.add({ email: "bob@example.org", plan: "team", role: "member", timezone: "UTC" });
    const ids = [bob.id, platform.users.sandboxOf(bob.id).id].map((user_id) => grant(["mail:read"], { user_id }).id);
    for (const [n, id] of ids.entries()) {
      const row = { connection_id: id, user_id: get(id)!.user_id, payload: {}, expires_at: Number.MAX_SAFE_INTEGER };
      platform.assistantTokens.put("AccessToken", `token-${n}`, row);
    }
    platform.users.lockOut(bob.id);
    expect(ids.map(get)).toEqual([null, null]);
    platform.users.remove(bob.id);
    const { n } = platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM assistant_tokens").get()!;
    expect(n).toBe(0);
  });
});

describe("a stored token", () => {
  const row = { connection_id: null, user_id: null, payload: { a: 1 } };
  const put = (secret: string, more = {}) =>
    scratch.platform.assistantTokens.put("AccessToken", secret, {
      ...row,
      expires_at: scratch.clock.now() + 1_000,
      ...more,
    });
  const find = (secret: string, kind = "AccessToken") => scratch.platform.assistantTokens.find(kind, secret);

  test("is found by its secret and kind until it expires", () => {
    put("secret");
    expect(find("secret")?.payload).toEqual({ a: 1 });
    expect([find("other"), find("secret", "RefreshToken")]).toEqual([null, null]);
    scratch.clock.advance(1_000);
    expect(find("secret")).toBeNull();
    expect(scratch.platform.assistantTokens.prune()).toBe(1);
  });

  test("does not live longer when its expiry is changed in the file, nor as a token of another kind", () => {
    put("secret");
    attack("UPDATE assistant_tokens SET expires_at = 9999999999999");
    scratch.clock.advance(1_000);
    expect(find("secret")).toBeNull();
    put("again");
    const { hash } = scratch.platform.db.sql
      .query<{ hash: Uint8Array }, []>("SELECT hash FROM assistant_tokens WHERE kind = 'AccessToken'")
      .get()!;
    expect(hash).toHaveLength(32);
    attack("UPDATE assistant_tokens SET payload = (SELECT payload FROM assistant_tokens LIMIT 1)");
    attack("UPDATE assistant_tokens SET kind = 'RefreshToken'");
    expect(find("again", "RefreshToken")).toBeNull();
  });

  test("without a connection is one of at most 1,000", () => {
    for (let n = 0; n < 1_005; n++) put(`secret-${n}`, { expires_at: scratch.clock.now() + 1_000 + n });
    expect([find("secret-0"), find("secret-4"), find("secret-5") !== null]).toEqual([null, null, true]);
  });
});
