import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { collidingPair } from "../../../test/support/colliding.ts";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, type SeedMessage, seedMailbox } from "../../../test/support/seed-mail.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import { messageOfMessageId } from "../queries/drafts.ts";
import { parseQuery } from "../search/query.ts";
import { identify, messageIdTag, messageWithId, numbersWithId } from "../threading/identity.ts";
import { Correspondents } from "./correspondents.ts";
import type { IncomingMessage } from "./incoming.ts";
import { isOwnMail } from "./own-mail.ts";

/** Short tags can be equal by chance. Two values must never be taken for one because their tags are equal. */

const AT = Date.parse("2026-02-01T08:00:00Z");
let h: Harness;
let seed: SeededMailbox;
let sealer: Sealer;

beforeEach(() => {
  h = createHarness();
  seed = seedMailbox(h.platform, h.user.id);
  sealer = h.platform.keyring.forUser(h.user.id);
});
afterEach(() => h.close());

const target = () => ({ id: seed.account.id, user_id: h.user.id, self: new Set([seed.account.email]) });
const idOf = (i: number) => `<${i}@mail.example>`;
const writeOver = (column: string, id: string) =>
  h.platform.db.sql.query(`UPDATE messages SET ${column} = zeroblob(60) WHERE id = ?`).run(id);

describe("two Message-IDs with the same tag", () => {
  const same = { text: "The same text.", date: AT, at: AT, subject: "The same" };
  /** Two ids that are equal in both identity tags for such a message. */
  const duplicates = () =>
    collidingPair(idOf, (message_id) => {
      const found = identify(sealer, {
        ...{ messageId: message_id, date: AT, subject: same.subject, text: same.text, html: null, attachments: [] },
        from: { name: "Bob", email: "bob@example.net" },
      } as unknown as IncomingMessage);
      return Buffer.concat([found.messageIdTag, found.contentTag]);
    });
  const pair = () => collidingPair(idOf, (id) => messageIdTag(sealer, id));

  test("are two messages, and a copy is linked with the right one", () => {
    const [one, other] = duplicates();
    const first = seed.deliver({ ...same, messageId: one });
    const second = seed.deliver({ ...same, messageId: other, role: "archive" });
    expect([first.outcome, second.outcome]).toEqual(["new", "new"]);
    const copy = seed.deliver({ ...same, messageId: other, role: "other" });
    expect([copy.outcome, copy.message_id]).toEqual(["linked", second.message_id]);
  });

  test("are two messages in a file, and each is recognized when it is imported again", () => {
    const [one, other] = duplicates();
    const first = seed.deliver({ ...same, messageId: one, role: "archive" });
    const inFolder = (message_id: string, more: Partial<IncomingMessage> = {}) =>
      seed.mailbox.importer.inFolder(target(), {
        ...{ messageId: message_id, date: AT, subject: same.subject, text: same.text, html: null, attachments: [] },
        ...{ from: { name: "Bob", email: "bob@example.net" }, folderId: seed.folder("archive").id, ...more },
      } as unknown as IncomingMessage);
    expect(inFolder(one)?.message_id).toBe(first.message_id);
    expect(inFolder(other)).toBeNull();
    expect(inFolder(one, { text: "Another text." })).toBeNull();
  });

  test("are found separately by every lookup", () => {
    const [one, other] = pair();
    const find = (id: string) => messageOfMessageId(h.platform, seed.account, id)?.message_id;
    const first = seed.deliver({ messageId: one, role: "sent" });
    expect([find(one), find(other)]).toEqual([first.message_id, undefined]);
    const second = seed.deliver({ messageId: other });
    expect([find(one), find(other)]).toEqual([first.message_id, second.message_id]);
    const numbers = (id: string) => numbersWithId(h.platform, h.user.id, [id, "<absent@mail.example>"]);
    expect([numbers(one), numbers(other)]).toEqual([[1], [2]]);
    expect(messageWithId(h.platform, seed.account, one, "sent")?.id).toBe(first.message_id);
    expect(messageWithId(h.platform, seed.account, other, "sent")).toBeNull();
  });

  test("do not make received mail the user's own", () => {
    const [one, other] = pair();
    seed.deliver({ messageId: one, role: "sent" });
    const from = { name: "", email: seed.account.email };
    const isOwn = (message_id: string) =>
      isOwnMail(h.platform, target(), { from, messageId: message_id, roles: () => ["inbox"] });
    expect([isOwn(one), isOwn(other)]).toEqual([true, false]);
  });

  test("do not link the server's copy to another message that was sent from here", () => {
    const [one, other] = pair();
    const { importer, localFolder } = seed.mailbox;
    const sent = seed.deliver({ messageId: one, role: "archive" });
    h.platform.db.write(() => {
      const { folder, uid } = localFolder.next(seed.account);
      importer.locate({ folderId: folder.id, uid, flagsHash: 0 }, sent.message_id);
    });
    expect(seed.deliver({ messageId: other, role: "sent", subject: "Not it" }).outcome).toBe("new");
    const copy = seed.deliver({ messageId: one, role: "sent", subject: "Rewritten by the provider" });
    expect([copy.outcome, copy.message_id]).toEqual(["linked", sent.message_id]);
  });

  test("do not link a renumbered message to another one with the same size and date", () => {
    const [one, other] = pair();
    const alike = { at: AT, size: 500 };
    seed.deliver({ ...alike, messageId: one, role: "archive" });
    const second = seed.deliver({ ...alike, messageId: other, role: "archive" });
    const [old, fresh] = [seed.folder("archive"), seed.folder("other")];
    const like = { message_id: other, size: 500, internal_date: AT };
    expect(seed.mailbox.locations.findLikelyMatch(seed.account, old, fresh, like)).toBe(second.message_id);
    const absent = { ...like, message_id: "<not@here.example>" };
    expect(seed.mailbox.locations.findLikelyMatch(seed.account, old, fresh, absent)).toBeNull();
  });

  test("a damaged message in the database does not keep another one from being stored", () => {
    const [one, other] = duplicates();
    writeOver("head", seed.deliver({ ...same, messageId: one }).message_id);
    expect(seed.deliver({ ...same, messageId: other, role: "sent" }).outcome).toBe("new");
  });
});

describe("a copy is recognized from what is stored", () => {
  const copies: [string, SeedMessage][] = [
    ["without a Message-ID", { messageId: null }],
    ["without a date", { date: null }],
    ["with only HTML", { text: "", html: "<p>Good day</p>" }],
    ["with half of a surrogate pair", { subject: "Half \ud83d", text: "cut \ud83d here", html: "<p>\udc00</p>" }],
    ["with a long text", { text: "All of it is compared. ".repeat(20_000) }],
    [
      "with attachments",
      {
        attachments: ["b.pdf", "a.pdf"].map((name, index) => ({
          ...{ index, part: String(index + 2), encoding: "base64", name, mime: "application/pdf", size: 10 },
          ...{ contentId: null, disposition: "attachment" as const },
        })),
      },
    ],
  ];

  test.each(copies)("%s", (_what, message) => {
    const given = { messageId: "<one@mail.example>", date: AT, subject: "Copied", ...message };
    const text = message.text ?? "Good day.";
    const first = seed.deliver({ ...given, text });
    expect(seed.deliver({ ...given, text, role: "archive" }).message_id).toBe(first.message_id);
    expect(seed.deliver({ ...given, text, role: "other", subject: "Different" }).outcome).toBe("new");
  });
});

describe("two senders with the same tag", () => {
  const tagOf = (email: string) => new Correspondents(h.platform, seed.mailbox.threads).ofSender(target(), email).tag;
  const pair = () => collidingPair((i) => `p${i}@example.net`, tagOf);
  const noteSentTo = (email: string, recategorize = true) =>
    h.platform.db.write(() =>
      seed.mailbox.importer.noteCorrespondents(
        target(),
        { to: [{ name: "", email: email.toUpperCase() }], cc: [], bcc: [] },
        recategorize,
      ),
    );
  const rows = () =>
    h.platform.db.sql
      .query<{ n: number; id: string; category: string; known: number }, []>(
        "SELECT n, id, category, from_correspondent AS known FROM messages ORDER BY n",
      )
      .all();
  const from = (email: string): SeedMessage => ({ from: { name: "", email }, category: "promotions" });

  test("are two people: only the mail of one is marked as from a correspondent", () => {
    const [one, other] = pair();
    for (const email of [one, other, one.toUpperCase()]) seed.deliver(from(email));
    noteSentTo(one);
    expect(rows().map(({ category, known }) => [category, known])).toEqual([
      ["primary", 1],
      ["promotions", 0],
      ["primary", 1],
    ]);
    seed.deliver(from(one));
    seed.deliver(from(other));
    expect(rows().map(({ known }) => known)).toEqual([1, 0, 1, 1, 0]);
    const scope = { user_id: h.user.id, account_id: null };
    const all = rows().map(({ n }) => n);
    const found = seed.mailbox.search.allowed(scope, parseQuery("is:unread OR is:read", 0), all);
    expect(all.map((n) => found.get(n)?.correspondent)).toEqual([1, 0, 1, 1, 0]);
  });

  test("stored mail of a person keeps its category when the mailbox is up to date, and is marked", () => {
    const [one] = pair();
    seed.deliver(from(one));
    noteSentTo(one, false);
    expect(rows()).toMatchObject([{ category: "promotions", known: 1 }]);
  });

  test("all stored mail of a person is marked, however much there is", () => {
    const [one, other] = pair();
    h.platform.db.write(() => {
      for (let i = 0; i < 1_200; i++) seed.deliver(from(i % 2 === 0 ? one : other));
    });
    noteSentTo(other);
    expect(rows().every(({ known }, i) => known === i % 2)).toBe(true);
  });

  test("one damaged message does not stop the others", () => {
    const [one] = pair();
    const [broken, whole] = [seed.deliver(from(one)), seed.deliver(from(one))];
    writeOver("head", broken.message_id);
    noteSentTo(one);
    expect(
      rows()
        .filter(({ known }) => known === 1)
        .map(({ id }) => id),
    ).toEqual([whole.message_id]);
  });
});

test("the tags of messages are as short as docs/security.md says", () => {
  const [question, many] = [seed.deliver({ subject: "A question" }), seed.deliver({ subject: "ok" })];
  const to = Array.from({ length: 90 }, (_, i) => ({ name: "", email: `p${i}@example.net` }));
  const message = seed.deliver({ subject: "To all of you", to });
  const lengths = (id: string) =>
    h.platform.db.sql
      .query(
        `SELECT length(msgid_hmac) AS id, length(content_hmac) AS content, length(sender_hmac) AS sender,
           substr(hex(sender_hmac), 4) AS rest, length(subject_hmac) AS subject, length(people) AS people
         FROM messages WHERE id = ?`,
      )
      .get(id);
  const short = { id: 2, content: 1, sender: 2, rest: "0", subject: 1, people: 2 };
  expect(lengths(question.message_id)).toEqual(short);
  expect(lengths(message.message_id)).toEqual(short);
  expect(lengths(many.message_id)).toEqual({ ...short, subject: null, people: 0 });
});
