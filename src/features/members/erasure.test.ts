import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readIndex } from "../../../test/support/index-content.ts";
import { type MemberFixture, memberFixture } from "../../../test/support/member-fixture.ts";
import { createErasure } from "../../app/members.ts";
import { SCOPES } from "../../kernel/scopes.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { hasLegacyIndex } from "../../mailbox/search/legacy.ts";
import { openTexts } from "../../mailbox/search/texts.ts";
import { PartCache } from "../../platform/blobs/cache.ts";
import { BlobFiles } from "../../platform/blobs/files.ts";
import { systemClock } from "../../platform/clock.ts";
import { loadConfig } from "../../platform/config/load.ts";
import { openPlatform } from "../../platform/platform.ts";
import { Keyring } from "../../platform/sealing/keyring.ts";

let s: MemberFixture;
beforeEach(() => {
  s = memberFixture();
});
afterEach(() => s.h.close());

const folder = () => s.h.platform.config.data_dir;

/** Returns the raw bytes of all files in the data folder. */
function disk(): { name: string; bytes: Buffer }[] {
  return readdirSync(folder(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: path, bytes: readFileSync(path) }));
}

/** Returns the names of those byte sequences that occur anywhere on the disk. */
function found(canaries: Record<string, Uint8Array | string>): string[] {
  const files = disk();
  return Object.entries(canaries)
    .filter(([, canary]) => files.some(({ bytes }) => bytes.includes(canary)))
    .map(([name]) => name);
}

/**
 * Fills every part of the installation with data of a member.
 * @returns byte sequences of that data on the disk, encrypted or not
 */
async function fill(): Promise<Record<string, Uint8Array>> {
  const { platform } = s.h;
  const { id } = s.h.user;
  for (let i = 0; i < 230; i++) s.arrive({ subject: `Plans ${i}`, text: `The heron flies at dawn, number ${i}.` });
  await s.mailbox.fullText.maintain(id, { rest: async () => {}, flush: true });
  s.arrive({ subject: "Later plans" });
  platform.keys.create({ user_id: id, name: "laptop", scopes: [...SCOPES], test: false });
  platform.invitations.create(id);
  s.people.context.setVariable({ user_id: id, actor: { kind: "user", id }, request_id: null }, "signature", "Ada");
  const { message_id } = s.arrive({ subject: "With a source" });
  new BlobFiles(platform).storeRaw({ user_id: id, message_id }, Buffer.from("From: x\r\n\r\nheron"));
  const cached = new BlobFiles(platform).create("cache", { user_id: id, message_id, part: "att_1" });
  cached.write(Buffer.from("a fetched attachment"));
  cached.finish();
  mkdirSync(join(folder(), "vectors"), { recursive: true });
  writeFileSync(join(folder(), "vectors", `${id}.bin`), "a sealed snapshot");
  // A copy as an upgrade leaves it.
  mkdirSync(join(folder(), "upgrades"), { recursive: true });
  platform.db.sql.query("VACUUM INTO ?").run(join(folder(), "upgrades", "0007_ai-2026-11-21T10-00-00.db"));
  platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const blobs = (sql: string) =>
    platform.db.sql
      .query<{ value: Uint8Array }, [string]>(sql)
      .all(id)
      .map(({ value }) => value);
  const { sandboxId } = { sandboxId: platform.users.sandboxOf(id).id };
  platform.keyring.forUser(sandboxId);
  const canaries: Record<string, Uint8Array> = {};
  const note = (what: string, values: Uint8Array[]) => {
    expect(values.length).toBeGreaterThan(0);
    for (const [i, value] of values.slice(-50).entries()) canaries[`${what} ${i}`] = value;
  };
  note("data key", blobs("SELECT wrapped AS value FROM data_keys WHERE user_id = ?"));
  note("profile", blobs("SELECT profile AS value FROM users WHERE id = ?"));
  note("head", blobs("SELECT head AS value FROM messages WHERE user_id = ?"));
  note("text", blobs("SELECT b.text AS value FROM bodies b JOIN messages m ON m.n = b.n WHERE m.user_id = ?"));
  note("account", blobs("SELECT profile AS value FROM accounts WHERE user_id = ?"));
  note("contact", blobs("SELECT profile AS value FROM contact_addresses WHERE user_id = ?"));
  note("audit", blobs("SELECT payload AS value FROM audit WHERE user_id = ?"));
  note("event", blobs("SELECT payload AS value FROM events WHERE user_id = ?"));
  note("key hash", blobs("SELECT hash AS value FROM api_keys WHERE user_id = ?"));
  note("variable", blobs("SELECT body AS value FROM context_variables WHERE user_id = ?"));
  note("pending terms", blobs("SELECT data AS value FROM search_pending WHERE user_id = ?"));
  note("segment", blobs("SELECT head AS value FROM search_segments WHERE user_id = ? AND state = 'live'"));
  // Only the beginning of a block, because the remainder is on other pages.
  note("block of terms", blobs("SELECT substr(data, 1, 300) AS value FROM search_blocks WHERE ? <> ''"));
  const [source] = disk().filter(({ name }) => name.includes("/blobs/"));
  canaries["source file"] = source!.bytes;
  const [part] = disk().filter(({ name }) => name.includes("/cache/"));
  canaries["cached file"] = part!.bytes;
  canaries["snapshot file"] = Buffer.from("a sealed snapshot");
  return canaries;
}

async function remove(): Promise<void> {
  const { id, email } = s.h.user;
  const { status } = await s.owner.call("DELETE", `/members/${id}`, { body: { confirm_email: email } });
  expect(status).toBe(204);
  await s.erase(id);
}

describe("the erasure of a person", () => {
  test("leaves no byte of theirs on the disk, encrypted or not, and no key that could decrypt a copy", async () => {
    const canaries = await fill();
    expect(found(canaries).length).toBe(Object.keys(canaries).length);
    await remove();
    expect(found(canaries)).toEqual([]);
    expect(s.h.platform.db.sql.query("SELECT 1 FROM search_blocks").all()).toEqual([]);
    const files = disk().map(({ name }) => name);
    expect(files.filter((name) => name.includes(s.h.user.id) || name.includes("/blobs/messages/"))).toEqual([]);
    const { sql } = s.h.platform.db;
    const left = sql.query<{ name: string }, [string]>(
      "SELECT name FROM sqlite_schema WHERE name LIKE '%' || ? || '%'",
    );
    expect(left.all(s.h.user.id)).toEqual([]);
    expect(sql.query("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(sql.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  }, 60_000);

  test("removes their keys from the other threads, and the keys cannot be loaded again", async () => {
    await fill();
    const { platform } = s.h;
    const { id, email } = s.h.user;
    const other = new Keyring(platform.db, platform.clock, platform.keyring.master);
    other.forUser(id);
    await remove();
    expect(s.renewals).toHaveLength(1);
    expect(s.renewals[0]).not.toContain(email);
    expect(other.dropDestroyed()).toEqual([id]);
    expect(other.dropDestroyed()).toEqual([]);
  }, 60_000);

  test("is not undone by a search that began before", async () => {
    const { platform } = s.h;
    const { id } = s.h.user;
    const numbers = platform.db.sql.query<{ n: number }, []>("SELECT n FROM messages").all();
    await remove();
    expect(openTexts(platform, id, [...numbers.map(({ n }) => n), 1])).toEqual([]);
    const keys = platform.db.sql.query("SELECT count(*) AS c FROM data_keys WHERE user_id = ?").get(id);
    expect(keys).toEqual({ c: 0 });
  }, 60_000);

  test("is recorded in the owner's audit log: who, when and how much, without content", async () => {
    await fill();
    await remove();
    const [row] = s.h.platform.audit.list(s.owner.user.id, { limit: 1, action: "user.erase" });
    expect(row).toMatchObject({
      target: s.h.user.id,
      actor: { kind: "user", id: s.owner.user.id },
      after: { accounts: 1, messages: 232, api_keys: 2 },
    });
    expect(JSON.stringify(row)).not.toContain("@");
  }, 60_000);

  test("does not affect other users", async () => {
    const bo = s.h.newUser("bo@example.org");
    const account = s.connect(bo.id, "bo@example.org");
    const { message_id } = s.arrive({ text: "A heron for Bo." }, account);
    s.arrive({ text: "A heron for Ada." });
    await remove();
    const message = s.mailbox.messageQueries.get({ user_id: bo.id, account_id: null }, message_id);
    expect(message.text).toBe("A heron for Bo.");
    const [indexed, ...more] = readIndex(s.h.platform, bo.id);
    expect([indexed!.terms.has("heron"), more]).toEqual([true, []]);
  });

  test("locks the person out immediately, and frees their address", async () => {
    const { id, email } = s.h.user;
    expect((await s.owner.call("DELETE", `/members/${id}`, { body: { confirm_email: email } })).status).toBe(204);
    expect((await s.h.call("GET", "/usage")).status).toBe(401);
    expect((await s.ada.call("GET", "/keys")).status).toBe(401);
    const list = (await s.owner.call("GET", "/members")).json;
    expect(list).toMatchObject({ removing: 1, data: [{ role: "owner" }] });
    const body = { email, plan: "pro" };
    expect((await s.owner.call("POST", "/members", { body })).status).toBe(201);
    await s.erase(id);
    expect((await s.owner.call("GET", "/members")).json).toMatchObject({ removing: 0, data: [{}, { email }] });
  });

  test("deletes their index from an earlier version, and no other one", async () => {
    const { sql } = s.h.platform.db;
    const bo = s.h.newUser("bo@example.org");
    for (const id of [s.h.user.id, bo.id]) {
      sql.run(
        `CREATE VIRTUAL TABLE words_${id} USING fts5(body, content = '', contentless_delete = 1, tokenize = 'ascii')`,
      );
      sql.run(
        `CREATE TRIGGER words_${id}_gone AFTER DELETE ON messages WHEN OLD.user_id = '${id}' BEGIN DELETE FROM words_${id} WHERE rowid = OLD.n; END`,
      );
    }
    s.arrive({ text: "A heron for Ada." });
    sql.run(`INSERT INTO words_${s.h.user.id} (rowid, body) VALUES (1, 'rqs7aeolxlnm2cbafrpb')`);
    sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
    expect(found({ token: "rqs7aeolxlnm2cbafrpb" })).toEqual(["token"]);
    await remove();
    expect(found({ token: "rqs7aeolxlnm2cbafrpb" })).toEqual([]);
    expect(hasLegacyIndex({ sql })).toEqual([bo.id]);
    expect(sql.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  test("resumes after a crash at any point", async () => {
    for (let i = 0; i < 230; i++) s.arrive();
    const { id, email } = s.h.user;
    await s.owner.call("DELETE", `/members/${id}`, { body: { confirm_email: email } });
    // The process dies after one batch: the erasure waits in its first pause, because the test does not advance the
    // clock.
    void s.services.erasure.run(id);
    const count = () => s.h.platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM messages").get()!.n;
    while (count() === 230) await new Promise<void>((resolve) => setImmediate(resolve));
    expect(count()).toBeGreaterThan(0);

    const later = openPlatform({ config: loadConfig({ data_dir: folder(), env: {} }), clock: systemClock });
    expect(later.users.removing()).toEqual([id]);
    expect(
      later.db.sql.query("SELECT 1 FROM jobs WHERE kind = 'user-erase' AND state = 'pending'").get(),
    ).not.toBeNull();
    const parts = new PartCache(later);
    await createErasure({ platform: later, mailbox: createMailbox(later), parts }).run(id);
    expect(count()).toBe(0);
    expect(later.users.removing()).toEqual([]);
    later.close();
  }, 20_000);

  test("reaches every table: each has a user_id, cascades from one that has, or holds no user data", () => {
    const { sql } = s.h.platform.db;
    const names = (of: string) =>
      sql
        .query<{ name: string }, []>(of)
        .all()
        .map(({ name }) => name);
    const tables = names(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'",
    );
    const parentsOf = (table: string) =>
      names(`SELECT "table" AS name FROM pragma_foreign_key_list('${table}') WHERE on_delete = 'CASCADE'`);
    const reached = new Set(["users", "data_keys"]);
    for (const table of tables) if (names(`PRAGMA table_info(${table})`).includes("user_id")) reached.add(table);
    for (let before = 0; before < reached.size; ) {
      before = reached.size;
      for (const table of tables) if (parentsOf(table).some((other) => reached.has(other))) reached.add(table);
    }
    const withoutUser = [
      "migrations",
      "grants",
      "settings",
      "teams",
      "oauth_clients",
      "assistant_clients",
      "embedding_models",
      "backups",
      "backup_copies",
      "store_egress",
      "update_egress",
      "sign_in_failures",
    ];
    // Blocks are deleted with their segment, which the other tests of this file check.
    const rest = tables.filter((table) => !reached.has(table) && !withoutUser.includes(table));
    expect(rest).toEqual(["search_blocks"]);
  });

  test("postpones its last step while another connection reads an older state", async () => {
    const canaries = await fill();
    const reader = openPlatform({ config: loadConfig({ data_dir: folder(), env: {} }), clock: s.h.clock });
    reader.db.sql.run("BEGIN");
    reader.db.sql.query("SELECT count(*) FROM messages").get();
    const { id, email } = s.h.user;
    await s.owner.call("DELETE", `/members/${id}`, { body: { confirm_email: email } });
    await expect(s.erase(id)).rejects.toThrow("still reading an earlier state");
    expect(s.h.platform.users.removing()).toEqual([]);
    reader.db.sql.run("COMMIT");
    reader.close();
    await s.erase(id);
    expect(found(canaries)).toEqual([]);
  }, 60_000);

  test("is not undone by counters that were still in memory", async () => {
    expect((await s.h.call("GET", "/usage")).status).toBe(200);
    await remove();
    s.h.clock.advance(10_000);
    const rows = s.h.platform.db.sql.query("SELECT * FROM meters WHERE user_id = ?").all(s.h.user.id);
    expect(rows).toEqual([]);
  });

  test("refuses to erase anyone who was not locked out first", async () => {
    s.arrive();
    for (const id of [s.h.user.id, s.owner.user.id]) {
      await expect(s.erase(id)).rejects.toMatchObject({ code: "not_found" });
    }
    expect((await s.ada.call("GET", "//v1/threads")).json.data).toHaveLength(1);
    expect(s.h.platform.users.list()).toHaveLength(2);
  });

  test("requires the address of the person to remove", async () => {
    const { id } = s.h.user;
    for (const confirm_email of ["", "owner@example.org"]) {
      const { status, json } = await s.owner.call("DELETE", `/members/${id}`, { body: { confirm_email } });
      expect([status, json.error.param]).toEqual([400, "confirm_email"]);
    }
    const someone = s.h.platform.newId("user");
    expect((await s.owner.call("DELETE", `/members/${someone}`, { body: { confirm_email: "x" } })).status).toBe(404);
  });
});

test("removing a person requires a recent sign-in, so an unattended browser is not enough", async () => {
  s.h.clock.advance(16 * 60_000);
  const body = { confirm_email: "ada@example.org" };
  for (const answer of [
    await s.ada.call("DELETE", "/me", { body }),
    await s.owner.call("DELETE", `/members/${s.h.user.id}`, { body }),
  ]) {
    expect([answer.status, answer.json.error.code]).toEqual([401, "proof_required"]);
  }
  expect(s.h.platform.users.removing()).toEqual([]);
});

test("members erase themselves; the owner stays", async () => {
  const body = { confirm_email: "OWNER@example.org" };
  const owner = await s.owner.call("DELETE", "/me", { body });
  expect([owner.status, owner.json.error.code]).toEqual([409, "owner_stays"]);
  expect((await s.ada.call("DELETE", "/me", { body: { confirm_email: "ada@example.org" } })).status).toBe(204);
  await s.erase(s.h.user.id);
  expect(s.h.platform.users.list().map(({ email }) => email)).toEqual(["owner@example.org"]);
  const [row] = s.h.platform.audit.list(s.owner.user.id, { limit: 1, action: "user.erase" });
  expect(row).toMatchObject({ actor: { kind: "user", id: s.h.user.id } });
});
