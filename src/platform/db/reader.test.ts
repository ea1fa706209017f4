import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { openReader, type ReadDb } from "./reader.ts";

let s: Scratch;
let reader: ReadDb;
beforeEach(() => {
  s = scratchPlatform();
  reader = openReader(join(s.data_dir, "postroom.db"));
});
afterEach(() => {
  reader.close();
  s.close();
});

test("a reader sees what others have committed", () => {
  const count = () => reader.sql.query<{ c: number }, []>("SELECT count(*) AS c FROM users").get()!.c;
  const before = count();
  s.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
  expect(count()).toBeGreaterThan(before);
});

test("a reader cannot change anything", () => {
  expect(() => reader.sql.run("DELETE FROM users")).toThrow("readonly");
  expect(() => reader.sql.query("UPDATE users SET plan = ?").run("free")).toThrow("readonly");
  expect(() => reader.write(() => {})).toThrow("must not write");
});
