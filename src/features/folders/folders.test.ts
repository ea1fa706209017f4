import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { createMailbox, type Mailbox } from "../../mailbox/mailbox.ts";
import { threadRoutes } from "../threads/routes.ts";
import { folderRoutes } from "./routes.ts";

let h: Harness;
let mailbox: Mailbox;
let seed: SeededMailbox;

beforeEach(() => {
  h = createHarness({
    routes: (platform) => {
      mailbox = createMailbox(platform);
      return [...folderRoutes(mailbox.folderQueries), ...threadRoutes(mailbox)];
    },
  });
  seed = seedMailbox(h.platform, h.user.id, { mailbox });
});
afterEach(() => h.close());

interface Item {
  path: string;
  role: string;
  account_id: string;
  message_count: number;
  unread_count: number;
  synced: boolean;
}
const get = (query = "", key?: string) => h.call("GET", `/folders${query}`, { key });
const list = async (query = "", key?: string): Promise<Item[]> => (await get(query, key)).json.data;
const counts = async () => (await list()).map((row) => [row.path, row.message_count, row.unread_count]);
const unseen = { flags: { seen: false } };

test("lists folders by role and path, with the messages stored here", async () => {
  mailbox.folders.upsert(seed.account, "Projects/Zoo", "/", "other");
  mailbox.folders.upsert(seed.account, "Projects/Ant", "/", "other");
  seed.deliver({ role: "archive" });
  seed.deliver(unseen);
  seed.deliver();
  expect(await counts()).toEqual([
    ["inbox", 2, 1],
    ["archive", 1, 0],
    ["Projects/Ant", 0, 0],
    ["Projects/Zoo", 0, 0],
  ]);
  const [inbox] = (await get()).json.data;
  expect(inbox).toEqual({
    id: expect.stringMatching(/^fld_[0-9a-z]{26}$/),
    account_id: seed.account.id,
    path: "inbox",
    role: "inbox",
    message_count: 2,
    unread_count: 1,
    synced: false,
  });
});

test("a change of the read status counts at once, before it is on the server", async () => {
  const { thread_id: read } = seed.deliver(unseen);
  const { thread_id: unread } = seed.deliver();
  const { thread_id: other } = seed.deliver(unseen);
  await h.call("PATCH", `/threads/${read}`, { body: { read: true } });
  expect(await counts()).toEqual([["inbox", 3, 1]]);
  await h.call("PATCH", `/threads/${unread}`, { body: { read: false } });
  await h.call("PATCH", `/threads/${other}`, { body: { starred: true } });
  expect(await counts()).toEqual([["inbox", 3, 2]]);
  await h.call("PATCH", `/threads/${read}`, { body: { read: false } });
  expect(await counts()).toEqual([["inbox", 3, 3]]);
});

test("counts a copy with unknown flags by its message", async () => {
  seed.deliver(unseen);
  seed.deliver();
  h.platform.db.sql.run("UPDATE locations SET flags = NULL");
  expect(await counts()).toEqual([["inbox", 2, 1]]);
});

test("a view has the read status and progress of the folder that it shows", async () => {
  const { message_id } = seed.deliver({ role: "all", flags: { seen: false }, uid: 7 });
  const all = seed.folder("all");
  const view = mailbox.folders.upsertView(seed.account, all, "INBOX", "inbox");
  const { sql } = h.platform.db;
  sql.run("INSERT INTO locations (folder_id, uid, message_id, flags_hash) VALUES (?, 7, ?, 0)", [view.id, message_id]);
  mailbox.folders.save({ ...all, uidvalidity: 1, backfill_uid: 1 });
  expect((await list()).map(({ path, unread_count, synced }) => [path, unread_count, synced])).toEqual([
    ["INBOX", 1, true],
    ["all", 1, true],
  ]);
});

test("synced is true once all messages were read, and always in the sandbox", async () => {
  const inbox = seed.folder("inbox");
  const synced = async () => (await list()).map((row) => row.synced);
  mailbox.folders.save({ ...inbox, uidvalidity: 1, backfill_uid: 40 });
  expect(await synced()).toEqual([false]);
  mailbox.folders.save({ ...inbox, uidvalidity: 1, backfill_uid: 1 });
  expect(await synced()).toEqual([true]);
  const sandbox = h.platform.users.sandboxOf(h.user.id);
  seedMailbox(h.platform, sandbox.id, { mailbox, provider: "sandbox" }).deliver();
  const rows = await list("", h.newKey({ test: true }).secret);
  expect(rows).toMatchObject([{ role: "inbox", message_count: 1, synced: true }]);
});

test("leaves out folders that are being replaced and the local folder of sent mail", async () => {
  seed.deliver();
  mailbox.folders.supersede(seed.account, seed.folder("inbox"));
  h.platform.db.write(() => mailbox.localFolder.next(seed.account));
  expect(await counts()).toEqual([["inbox", 0, 0]]);
});

test("?account_id lists one mailbox; a bound key sees only its own", async () => {
  const other = seedMailbox(h.platform, h.user.id, { mailbox, email: "ada@home.example" });
  seed.deliver();
  other.deliver();
  const of = async (query = "", key?: string) => (await list(query, key)).map(({ account_id }) => account_id);
  const key = h.newKey({ account_id: other.account.id }).secret;
  expect(await of()).toEqual([seed.account.id, other.account.id]);
  expect(await of(`?account_id=${seed.account.id}`)).toEqual([seed.account.id]);
  expect([await of("", key), await of(`?account_id=${other.account.id}`, key)]).toEqual([
    [other.account.id],
    [other.account.id],
  ]);
  const eve = h.newKey({ user_id: h.newUser("eve@example.org").id }).secret;
  expect(await of("", eve)).toEqual([]);
  for (const [id, asker] of [
    ["acc_01jz4t9h2m8q5r7v3w6x0y1z2a", h.key],
    ["nonsense", h.key],
    [seed.account.id, key],
    [seed.account.id, eve],
  ]) {
    const { status, json } = await get(`?account_id=${id}`, asker);
    expect([id, status, json.error.code, json.error.param]).toEqual([id, 404, "not_found", "account_id"]);
  }
});
