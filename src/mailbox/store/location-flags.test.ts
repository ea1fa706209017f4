import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import { combineFlags, type LocationFlags } from "./location-flags.ts";
import { FOLDER_ROLES, type FolderRole } from "./state.ts";

const SEEN = 1;
const FLAGGED = 2;
const DRAFT = 8;

const copy = (role: FolderRole, flags: number | null, labels: string[] = []): LocationFlags => ({
  role,
  flags,
  labels,
});

describe("the flags of a message with several copies", () => {
  const table: [what: string, copies: LocationFlags[], unread: boolean | null, starred: boolean][] = [
    ["the inbox decides before Sent", [copy("inbox", 0), copy("sent", SEEN)], true, false],
    ["the inbox decides alone that the message is read", [copy("inbox", SEEN), copy("sent", 0)], false, false],
    ["another folder decides before Sent", [copy("sent", SEEN), copy("other", 0)], true, false],
    ["the inbox decides before the archive", [copy("archive", SEEN), copy("inbox", 0)], true, false],
    ["the archive decides before the trash", [copy("trash", 0), copy("archive", SEEN)], false, false],
    ["where several copies decide, each must be read", [copy("archive", SEEN), copy("other", 0)], true, false],
    ["only sent mail", [copy("sent", 0)], true, false],
    [
      "All Mail does not count for mail that people write",
      [copy("inbox", SEEN), copy("sent", SEEN), copy("all", 0)],
      false,
      false,
    ],
    ["a star on any copy counts", [copy("inbox", SEEN), copy("sent", SEEN | FLAGGED)], false, true],
    ["a copy with unknown flags is ignored", [copy("inbox", null), copy("sent", SEEN | FLAGGED)], null, true],
  ];
  test.each(table)("%s", (_what, copies, unread, starred) => {
    expect(combineFlags(copies)).toMatchObject({ unread, starred });
  });

  test("a draft that was sent is no longer a draft", () => {
    expect(combineFlags([copy("drafts", DRAFT), copy("sent", SEEN)])!.draft).toBe(false);
    expect(combineFlags([copy("drafts", DRAFT)])!.draft).toBe(true);
  });

  test("the labels of all copies are combined without duplicates", () => {
    const copies = [copy("inbox", 0, ["a", "b"]), copy("sent", SEEN, ["b", "c"])];
    expect(combineFlags(copies)!.labels).toEqual(["a", "b", "c"]);
  });

  test("the order of copies does not matter, and marking all of them read makes the message read", () => {
    const copies = fc.array(
      fc.record({
        role: fc.constantFrom(...FOLDER_ROLES),
        flags: fc.option(fc.integer({ min: 0, max: 31 })),
        labels: fc.constant<string[]>([]),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(copies, (list) => {
        expect(combineFlags([...list].reverse())).toEqual(combineFlags(list));
        const read = list.map((one) => ({ ...one, flags: (one.flags ?? 0) | SEEN }));
        expect(combineFlags(read)!.unread).toBe(false);
      }),
    );
  });
});

describe("copies within a mailbox", () => {
  let h: Harness;
  let seed: SeededMailbox;
  beforeEach(() => {
    h = createHarness();
    seed = seedMailbox(h.platform, h.user.id);
  });
  afterEach(() => h.close());

  const shown = (id: string) =>
    h.platform.db.sql.query("SELECT unread, starred FROM messages WHERE id = ?").get(id) as Record<string, number>;
  const flags = (more = {}) => ({
    seen: true,
    flagged: false,
    answered: false,
    draft: false,
    important: false,
    ...more,
  });

  test("a starred, labeled message from before the upgrade keeps both when its copy in Sent appears", () => {
    const mail = { messageId: "<one@x>", text: "Text.", date: 5, subject: "One" };
    const { message_id } = seed.deliver({ ...mail, uid: 1, flags: { seen: false, flagged: true }, labels: ["Work"] });
    const { sql } = h.platform.db;
    sql.run("UPDATE locations SET flags = NULL, labels = NULL");
    const linked = seed.deliver({ ...mail, uid: 1, role: "sent" });
    expect(linked).toMatchObject({ message_id, outcome: "linked" });
    seed.mailbox.locationSync.linked(message_id, { folderId: seed.folder("sent").id, uid: 1 });
    expect([shown(message_id), seed.mailbox.labels.ofMessage(message_id)]).toEqual([
      { unread: 1, starred: 1 },
      ["Work"],
    ]);
  });

  test("a label and a star that another program removes from the only copy are removed, and a vanished copy no longer counts", () => {
    const mail = { messageId: "<two@x>", text: "Text.", date: 5, subject: "Two" };
    const { message_id } = seed.deliver({ ...mail, uid: 1, flags: { flagged: true }, labels: ["Work"] });
    seed.deliver({ ...mail, uid: 1, role: "archive", flags: { seen: false } });
    const { locationSync, labels } = seed.mailbox;
    locationSync.linked(message_id, { folderId: seed.folder("archive").id, uid: 1 });
    expect([shown(message_id), labels.ofMessage(message_id)]).toEqual([{ unread: 0, starred: 1 }, ["Work"]]);
    const at = { folderId: seed.folder("inbox").id, uid: 1, views: [] };
    locationSync.applyFlags(h.user.id, { ...at, flags: flags(), labels: [], flagsHash: 7 });
    expect([shown(message_id), labels.ofMessage(message_id)]).toEqual([{ unread: 0, starred: 0 }, []]);
    locationSync.vanished(at.folderId, 1, 1);
    expect(shown(message_id)).toEqual({ unread: 1, starred: 0 });
  });
});
