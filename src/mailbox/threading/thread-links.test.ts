import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FIXTURES } from "../../../test/support/fixtures-path.ts";
import {
  assignThread,
  type LinkMessage,
  referenceKeys,
  subjectKey,
  subjectLink,
  type ThreadIndex,
  threadAll,
} from "./thread-links.ts";

const DAY = 24 * 60 * 60 * 1000;
const ME = new Set(["me@home.net"]);

const message = (fields: Partial<LinkMessage> = {}): LinkMessage => ({
  messageId: null,
  inReplyTo: [],
  references: [],
  serverThreadId: null,
  subject: "",
  participants: ["ann@work.org", "me@home.net"],
  date: 0,
  ...fields,
});

/** A thread index in memory: threads are numbers, and a merge rewrites the members of the younger ones. */
class MemoryIndex implements ThreadIndex<LinkMessage, number> {
  readonly placed: { message: LinkMessage; thread: number; subject: string | null }[] = [];
  readonly #keys = new Map<string, number>();
  #next = 0;

  threadOfKey(key: string) {
    return this.#keys.get(key);
  }
  withSubject(key: string, from: number, to: number) {
    return this.placed.filter((row) => row.subject === key && row.message.date >= from && row.message.date <= to);
  }
  create() {
    return this.#next++;
  }
  merge(threads: [number, number, ...number[]]) {
    const kept = Math.min(...threads);
    for (const row of this.placed) if (threads.includes(row.thread)) row.thread = kept;
    for (const [key, thread] of this.#keys) if (threads.includes(thread)) this.#keys.set(key, kept);
    return kept;
  }
  add(message: LinkMessage, thread: number, keys: string[], subject: string | null) {
    this.placed.push({ message, thread, subject });
    for (const key of keys) this.#keys.set(key, thread);
  }
}

/** Returns the threads as sets of positions in `original`, for any order of arrival. */
function arrival(order: LinkMessage[], original: LinkMessage[], self: Set<string>): number[][] {
  const index = new MemoryIndex();
  for (const one of order) assignThread(index, one, self);
  const threads = Map.groupBy(index.placed, (row) => row.thread).values();
  return canonical([...threads].map((rows) => rows.map((row) => original.indexOf(row.message))));
}

const canonical = (threads: number[][]) =>
  threads.map((thread) => thread.toSorted((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!);

describe("referenceKeys", () => {
  test("returns one key for the message itself, for each ancestor and for the server's thread", () => {
    const keys = referenceKeys({
      messageId: "<c@x>",
      inReplyTo: ["<b@x>"],
      references: ["<a@x>", "<b@x>"],
      serverThreadId: "17",
    });
    expect(keys).toEqual(["id:<c@x>", "id:<a@x>", "id:<b@x>", "srv:17"]);
  });

  test.each([
    ["missing brackets", "a@x.org", ["id:<a@x.org>"]],
    ["text around it", "id is <a@x.org> (ann)", ["id:<a@x.org>"]],
    ["folded in the middle", "<a\r\n bc@x.org>", ["id:<abc@x.org>"]],
    ["quoted left part", '<"a b"@x.org>', ["id:<ab@x.org>"]],
    ["domain in capitals", "<A@X.ORG>", ["id:<A@x.org>"]],
    ["no domain but long", "<20260302-abcdef0123>", ["id:<20260302-abcdef0123>"]],
    ["no domain and short", "<12>", []],
    ["empty", "<>", []],
    ["only an at sign", "<@>", []],
    ["no left part", "<@localhost>", []],
    ["a program's constant", "<null@localhost>", []],
    ["prose", "your message of Monday", []],
    ["never closed", "<a@x.org", []],
    ["control characters", "<a\0b@x.org>", []],
    ["endless", `<${"a".repeat(2000)}@x.org>`, []],
  ])("Message-ID with %s", (_, messageId, keys) => {
    expect(referenceKeys(message({ messageId }))).toEqual(keys);
  });

  test("addresses of people quoted in In-Reply-To are not taken for message ids", () => {
    const prose = ["<ann@work.org>", "<9129.1029967743@work.org>"];
    expect(referenceKeys(message({ inReplyTo: prose, participants: [] }))).toEqual(["id:<9129.1029967743@work.org>"]);
    expect(referenceKeys(message({ inReplyTo: ["<Ann@work.org>"] }))).toEqual([]);
    expect(referenceKeys(message({ inReplyTo: prose, references: ["<root@x>"], participants: [] }))).toEqual([
      "id:<root@x>",
    ]);
  });

  test("addresses of people that got into References are not taken for message ids", () => {
    expect(referenceKeys(message({ references: ["<ann@work.org>", "<r@x>"] }))).toEqual(["id:<r@x>"]);
  });

  test("a reply to several messages joins all of them", () => {
    expect(referenceKeys(message({ inReplyTo: ["<a@x>", "<b@x>"] }))).toEqual(["id:<a@x>", "id:<b@x>"]);
  });

  test("very long References keep the root and the most recent ancestors", () => {
    const references = Array.from({ length: 5000 }, (_, i) => `<${i}@x>`);
    const keys = referenceKeys(message({ references }));
    expect(keys).toHaveLength(101);
    expect(keys[0]).toBe("id:<0@x>");
    expect(keys.at(-1)).toBe("id:<4999@x>");
  });
});

describe("subjectKey", () => {
  test.each(["", "Re:", "RE: AW:", "(no subject)", "Re: (kein Betreff)", "hi", "Re: ok", "?!?!", "件名なし"])(
    "%p yields no key",
    (subject) => {
      expect(subjectKey(subject)).toBeNull();
    },
  );
  test.each([
    ["Re: Lunch", "subj:lunch"],
    ["AW: WG: Lunch", "subj:lunch"],
    ["回复: 会议", "subj:会议"],
  ])("the key of %p", (subject, key) => {
    expect(subjectKey(subject)).toBe(key);
  });
});

describe("subjectLink", () => {
  const asked = message({ messageId: "<1@x>", subject: "Budget for May", date: 0 });
  const answered = message({ messageId: "<2@x>", subject: "AW: Budget for May", date: 3 * DAY });

  test("a reply without references is linked with the message it answers, in either argument order", () => {
    expect(subjectLink(asked, answered, ME)).toBe(true);
    expect(subjectLink(answered, asked, ME)).toBe(true);
  });

  test.each<[string, LinkMessage, LinkMessage]>([
    ["neither is a reply", message({ subject: "Your invoice" }), message({ subject: "Your invoice", date: DAY })],
    ["the later one is a forward", asked, { ...answered, subject: "Fwd: Budget for May" }],
    ["the reply names its parent", asked, { ...answered, references: ["<9@x>"] }],
    ["the reply names its parent in In-Reply-To", asked, { ...answered, inReplyTo: ["<9@x>"] }],
    ["the reply is older than what it would answer", { ...asked, date: 4 * DAY }, answered],
    ["31 days lie between", asked, { ...answered, date: 31 * DAY }],
    ["only the account's own address is shared", asked, { ...answered, participants: ["bob@work.org", "me@home.net"] }],
    ["the subjects differ", asked, { ...answered, subject: "Re: Budget for June" }],
    ["a date is not known", { ...asked, date: Number.NaN }, answered],
    ["there is no subject", { ...asked, subject: "" }, { ...answered, subject: "Re: " }],
  ])("no link when %s", (_, a, b) => {
    expect(subjectLink(a, b, ME)).toBe(false);
    expect(subjectLink(b, a, ME)).toBe(false);
  });

  test("two replies link regardless of which one is older", () => {
    expect(subjectLink(answered, { ...answered, messageId: "<3@x>", date: DAY }, ME)).toBe(true);
    expect(subjectLink(answered, { ...answered, messageId: "<3@x>", references: ["<1@x>"], date: 5 * DAY }, ME)).toBe(
      true,
    );
  });

  test("notes to oneself share the user as a participant", () => {
    const note = message({ subject: "Shopping list", participants: ["me@home.net"] });
    expect(subjectLink(note, { ...note, subject: "Re: Shopping list" }, ME)).toBe(true);
  });

  test("an invalid id in References does not count as a reference", () => {
    expect(subjectLink(asked, { ...answered, references: ["<>"], inReplyTo: ["your mail"] }, ME)).toBe(true);
  });
});

describe("threads", () => {
  test("an ancestor that arrives late joins what looked like two threads", () => {
    const root = message({ messageId: "<r@x>" });
    const left = message({ messageId: "<a@x>", references: ["<r@x>"] });
    const right = message({ messageId: "<b@x>", inReplyTo: ["<r@x>"] });
    const all = [left, right, root];
    expect(arrival(all, all, ME)).toEqual([[0, 1, 2]]);
  });

  test("monthly invoices stay separate", () => {
    const all = [0, 1, 2].map((i) => message({ messageId: `<${i}@shop>`, subject: "Your invoice", date: i * DAY }));
    expect(threadAll(all, ME)).toEqual([[0], [1], [2]]);
  });

  // Only few ids, subjects, people and days, so that messages collide often.
  const id = fc.integer({ min: 0, max: 9 }).map((n) => `<m${n}@x>`);
  const subject = fc.constantFrom(
    "Plan",
    "Re: Plan",
    "AW: Plan",
    "Fwd: Plan",
    "Re: Fwd: Plan",
    "Re: Lunch",
    "Lunch",
    "",
    "Re:",
  );
  const person = fc.constantFrom("me@home.net", "ann@work.org", "bob@work.org");
  const mail: fc.Arbitrary<LinkMessage> = fc.record({
    messageId: fc.option(id),
    inReplyTo: fc.oneof(
      { weight: 3, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.array(id, { maxLength: 2 }) },
    ),
    references: fc.oneof(
      { weight: 3, arbitrary: fc.constant<string[]>([]) },
      { weight: 1, arbitrary: fc.array(id, { maxLength: 3 }) },
    ),
    serverThreadId: fc.option(fc.constantFrom("1", "2"), { freq: 9 }),
    subject,
    participants: fc.array(person, { minLength: 1, maxLength: 3 }),
    date: fc.integer({ min: 0, max: 90 }).map((day) => day * DAY),
  });

  test("any order of arrival gives the threads that the definition gives", () => {
    const shuffled = fc
      .array(mail, { maxLength: 25 })
      .chain((all) => fc.record({ all: fc.constant(all), order: fc.shuffledSubarray(all, { minLength: all.length }) }));
    fc.assert(
      fc.property(shuffled, ({ all, order }) => {
        const threads = canonical(threadAll(all, ME));
        expect(arrival(all, all, ME)).toEqual(threads);
        expect(arrival(order, all, ME)).toEqual(threads);
        expect(canonical(threadAll(order, ME).map((thread) => thread.map((i) => all.indexOf(order[i]!))))).toEqual(
          threads,
        );
      }),
      { numRuns: 400 },
    );
  });

  test("the relation is symmetric", () => {
    fc.assert(fc.property(mail, mail, (a, b) => expect(subjectLink(a, b, ME)).toBe(subjectLink(b, a, ME))));
  });
});

/**
 * Test scripts of an IMAP server: `[script, messages in use, threads]` for the first answer, and for later ones where
 * the script expunges or appends. They were written for REFERENCES. Those that depend on its merge by subject are the
 * two noted below.
 */
const SCRIPTS: [string, number[], number[][]][] = [
  ["thread", [1, 2, 3], [[1, 2, 3]]],
  ["thread", [2, 3], [[2, 3]]],
  // One Message-ID twice: the server treats the second message as having none. To a user both are copies of one
  // message.
  ["thread2", [1, 2], [[1, 2]]],
  ["thread3", [1, 2], [[1, 2]]],
  // The server merges "foo" and "Re: foo" by subject alone. We keep them apart, because the reply names another parent.
  ["thread4", [1, 2], [[1], [2]]],
  ["thread5", [1, 2, 3, 4], [[1, 2, 3, 4]]],
  ["thread5", [3, 4], [[3], [4]]],
  ["thread5", [3, 4, 5], [[3], [4, 5]]],
  ["thread6", [1, 2], [[1, 2]]],
  ["thread7", [1, 2, 3, 4], [[1, 2, 3, 4]]],
  ["thread7", [1, 3, 4], [[1, 3, 4]]],
  ["thread8", [1, 2], [[1, 2]]],
  ["thread8", [1, 3], [[1, 3]]],
];

describe("IMAP THREAD scripts", () => {
  const folder = join(FIXTURES, "threads/imaptest");
  if (!existsSync(folder)) console.info(`skipped: the THREAD scripts are not at ${folder}`);

  test.skipIf(!existsSync(folder)).each(SCRIPTS)("%s with messages %p", (script, play, threads) => {
    const mailbox = readFileSync(join(folder, `${script}.mbox`), "latin1")
      .split(/^From .*\n/m)
      .slice(1);
    const header = (text: string, name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(text)?.[1] ?? "";
    const all = play.map((number) => {
      const text = mailbox[number - 1]!;
      return message({
        messageId: header(text, "Message-Id") || null,
        inReplyTo: header(text, "In-Reply-To").split(" ").filter(Boolean),
        references: header(text, "References").split(" ").filter(Boolean),
        subject: header(text, "Subject"),
        date: number,
      });
    });
    expect(threadAll(all, ME).map((thread) => thread.map((i) => play[i]!))).toEqual(threads);
  });
});
