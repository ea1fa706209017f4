import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { UserError } from "../../kernel/errors.ts";
import type { Users } from "./users.ts";

let scratch: Scratch;
let users: Users;
beforeEach(() => {
  scratch = scratchPlatform();
  users = scratch.platform.users;
});
afterEach(() => scratch.close());

const add = (email: string) => users.add({ email, plan: "pro", role: "member", timezone: "Europe/Lisbon" });

describe("a person", () => {
  test("is found by the address, regardless of case and spaces", () => {
    const bo = add("Bo@Example.org");
    for (const email of ["bo@example.org", " BO@EXAMPLE.ORG "]) expect(users.findByEmail(email)).toEqual(bo);
    expect(users.get(bo.id)).toEqual(bo);
    expect(bo).toMatchObject({ email: "Bo@Example.org", plan: "pro", timezone: "Europe/Lisbon", sandbox_of: null });
  });

  test("cannot be added twice or without an address", () => {
    expect(() => add("ADA@example.org")).toThrow("There is already a user");
    for (const email of ["", "ada", "a b@c", "a@b@c", "@"]) expect(() => add(email)).toThrow(UserError);
    expect(users.list()).toHaveLength(1);
  });

  test("has a separate sandbox, which is not a person", () => {
    const bo = add("bo@example.org");
    const sandbox = users.sandboxOf(bo.id);
    expect(sandbox).toMatchObject({ role: "sandbox", sandbox_of: bo.id, email: "bo@example.org", plan: "pro" });
    expect(users.list().map(({ id }) => id)).toEqual([scratch.user.id, bo.id]);
    expect(users.findByEmail("bo@example.org")?.id).toBe(bo.id);
    expect(users.findByEmail("sandbox:bo@example.org")).toBeNull();
    for (const email of ["sandbox:bo@example.org", "Sandbox:eve@example.org"]) {
      expect(() => add(email)).toThrow("is not an email address");
      expect(() => users.change(bo.id, { email })).toThrow("is not an email address");
    }
  });

  test("is not readable in the database", () => {
    const rows = scratch.platform.db.sql.query<{ profile: Uint8Array; email_hmac: Uint8Array }, []>(
      "SELECT profile, email_hmac FROM users",
    );
    for (const { profile, email_hmac } of rows.all()) {
      expect(Buffer.from(profile).includes("example")).toBe(false);
      expect(email_hmac.length).toBe(16);
    }
  });
});

test("the owner cannot be removed", () => {
  const { platform, user } = scratch;
  platform.db.sql.run("UPDATE users SET role = 'owner' WHERE id = ?", [user.id]);
  expect(() => users.remove(user.id)).toThrow("The owner cannot be removed");
  expect(users.get(user.id)?.id).toBe(user.id);
});

test("removing a person deletes all of their rows in every table, and no one else's", () => {
  const { platform, user } = scratch;
  const bo = add("bo@example.org");
  const actor = { kind: "system", id: null } as const;
  for (const id of [user.id, bo.id, users.sandboxOf(bo.id).id]) {
    platform.keys.create({ user_id: id, name: "k", scopes: ["mail:read"], test: false });
    platform.audit.record({ user_id: id, actor, action: "x", target: null });
    platform.events.emit(id, "brief.ready", { date: "2026-03-02", needs_reply_count: 0 });
    platform.jobs.enqueue({ kind: "k", user_id: id });
    platform.db.write(() => platform.meters.spend("sends", id, 1, null));
  }
  const ids = [bo.id, users.sandboxOf(bo.id).id];
  users.remove(bo.id);
  expect(users.get(bo.id)).toBeNull();
  const tables = platform.db.sql
    .query<{ name: string }, []>(
      "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'user_id'",
    )
    .all();
  expect(tables.length).toBeGreaterThan(6);
  const left = tables.filter(({ name }) =>
    ids.some((id) => platform.db.sql.query(`SELECT 1 FROM "${name}" WHERE user_id = ?`).get(id)),
  );
  expect(left).toEqual([]);
  expect(platform.keys.list([user.id])).toHaveLength(1);
  expect(platform.events.after(user.id, 0, 9)).toHaveLength(1);
  // The address can be used again.
  expect(add("bo@example.org").id).not.toBe(bo.id);
});
