import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import type { Folder } from "./folders.ts";
import type { Locations } from "./locations.ts";

let h: Harness;
let seed: SeededMailbox;
let locations: Locations;

beforeEach(() => {
  h = createHarness();
  seed = seedMailbox(h.platform, h.user.id);
  locations = seed.mailbox.locations;
});
afterEach(() => h.close());

/** A folder that has been opened on the server. */
function opened(role: Folder["role"], uidvalidity = 7): Folder {
  const folder = { ...seed.folder(role), uidvalidity };
  seed.mailbox.folders.save(folder);
  return folder;
}
const of = (id: string) =>
  (locations.ofMessages(seed.account, [id]).get(id) ?? []).map(({ folder, uid }) => `${folder.path}:${uid}`).sort();

describe("the locations of messages", () => {
  test("leave out folders that were never opened, and folders whose UIDs became invalid", () => {
    const { message_id } = seed.deliver({ role: "archive", uid: 5 });
    expect(of(message_id)).toEqual([]);
    const archive = opened("archive");
    expect(of(message_id)).toEqual(["archive:5"]);
    seed.mailbox.folders.supersede(seed.account, archive);
    expect(of(message_id)).toEqual([]);
  });

  test("include a view as well as the folder that it shows", () => {
    const all = opened("all");
    const { message_id, thread_id } = seed.deliver({ role: "all", uid: 9 });
    const inbox = seed.mailbox.folders.upsertView(seed.account, all, "INBOX", "inbox");
    expect(locations.show(all, [9, 10], [inbox], [])).toEqual([thread_id]);
    expect(of(message_id)).toEqual(["INBOX:9", "all:9"]);
    locations.show(all, [9], [], [inbox]);
    expect(of(message_id)).toEqual(["all:9"]);
  });

  test("a moved message leaves the views of its old folder; moved with `alone`, it is in no other folder", () => {
    const [all, trash, work] = [opened("all"), opened("trash"), opened("other")];
    const { message_id } = seed.deliver({ role: "all", uid: 9 });
    const inbox = seed.mailbox.folders.upsertView(seed.account, all, "INBOX", "inbox");
    locations.show(all, [9], [inbox], []);
    seed.mailbox.importer.locate({ folderId: work.id, uid: 3, flagsHash: 0 }, message_id);
    locations.move(all, trash, new Map([[9, 1]]), false);
    expect(of(message_id)).toEqual(["other:3", "trash:1"]);
    locations.move(trash, all, new Map([[1, 20]]), true);
    expect(of(message_id)).toEqual(["all:20"]);
    // An unknown UID moves nothing.
    locations.move(all, trash, new Map([[99, 2]]), true);
    expect([locations.at(trash.id, 2), locations.highestUid(all.id), locations.highestUid(trash.id)]).toEqual([
      null,
      20,
      0,
    ]);
  });
});

describe("changes that are not on the servers yet", () => {
  const change = (id: string, wanted: { read?: boolean; starred?: boolean }) =>
    seed.mailbox.changes.update(
      { user_id: h.user.id, account_id: null, actor: { kind: "system", id: null }, request_id: null },
      id,
      wanted,
    );

  test("are returned in pages, the oldest first, each message with all of its changes", () => {
    const { pending } = seed.mailbox;
    const threads = [1, 2, 3].map(() => seed.deliver({ flags: { seen: false } }));
    for (const { thread_id } of threads) {
      change(thread_id, { read: true, starred: true });
      h.clock.advance(1);
    }
    const ids = threads.map(({ message_id }) => message_id);
    const first = pending.page(seed.account.id, null, 2);
    expect([...first.changes.keys()]).toEqual(ids.slice(0, 2));
    expect(first.changes.get(ids[0]!)!.map(({ field, value }) => [field, value])).toEqual([
      ["flagged", "1"],
      ["seen", "1"],
    ]);
    const second = pending.page(seed.account.id, first.next, 2);
    expect([[...second.changes.keys()], second.next]).toEqual([ids.slice(2), null]);
    expect(pending.accounts()).toEqual([seed.account.id]);
  });

  test("a change that was made again is not forgotten; a change that is reverted is undone", () => {
    const { pending } = seed.mailbox;
    const { thread_id, message_id } = seed.deliver();
    change(thread_id, { starred: true });
    const [old] = pending.page(seed.account.id, null, 1).changes.get(message_id)!;
    change(thread_id, { starred: false });
    expect(pending.forget(old!)).toBe(false);
    const [fresh] = pending.page(seed.account.id, null, 1).changes.get(message_id)!;
    expect(fresh).toMatchObject({ field: "flagged", value: "0", previous: "0" });
    expect(pending.forget(fresh!)).toBe(true);
    pending.revert({ ...fresh!, previous: "1" });
    seed.mailbox.threads.refresh(thread_id);
    const scope = { user_id: h.user.id, account_id: null };
    expect(seed.mailbox.threadQueries.owned(scope, thread_id).starred).toBe(true);
  });
});
