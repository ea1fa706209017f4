import { afterAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type SeedMessage, seedMailbox } from "../../../test/support/seed-mail.ts";
import { systemClock } from "../../platform/clock.ts";
import { loadConfig } from "../../platform/config/load.ts";
import { openPlatform } from "../../platform/platform.ts";
import { Sealer } from "../../platform/sealing/sealer.ts";
import { linkMessage } from "./thread-index.ts";
import { threadAll } from "./thread-links.ts";

const DAY = 24 * 60 * 60 * 1000;
const AT = Date.parse("2026-02-01T08:00:00Z");
const ME = "ada@example.org";

const data_dir = mkdtempSync(join(tmpdir(), "postroom-thread-index-"));
const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, durability: "normal" });
let users = 0;

afterAll(() => {
  platform.close();
  rmSync(data_dir, { recursive: true, force: true });
});

type Mail = Pick<SeedMessage, "subject" | "from" | "to" | "references"> & { date: number; message_id: string };

/** Returns the threads as sets of message ids, found by storing the messages in this order. */
function arrival(mails: readonly Mail[]): string[][] {
  const user = platform.users.add({
    email: `u${users++}@example.org`,
    plan: "autopilot",
    role: "owner",
    timezone: "UTC",
  });
  const seeded = seedMailbox(platform, user.id);
  const threads = new Map<string, string>();
  platform.db.write(() => {
    for (const mail of mails) {
      const { message_id } = seeded.deliver({ ...mail, messageId: mail.message_id, text: mail.message_id });
      threads.set(message_id, mail.message_id);
    }
  });
  const rows = platform.db.sql
    .query<{ id: string; thread_id: string }, [string]>("SELECT id, thread_id FROM messages WHERE account_id = ?")
    .all(seeded.account.id);
  const sets = [...Map.groupBy(rows, (row) => row.thread_id).values()];
  return inOrder(sets.map((set) => set.map((row) => threads.get(row.id)!)));
}

function byDefinition(mails: readonly Mail[]): string[][] {
  const links = mails.map(({ date, message_id, subject = "", from = person("x"), to = [], references = [] }) =>
    linkMessage({ subject, from, to, reply_to: [], cc: [], bcc: [], message_id, in_reply_to: [], references }, date),
  );
  return inOrder(threadAll(links, new Set([ME])).map((set) => set.map((i) => mails[i]!.message_id)));
}

const inOrder = (sets: string[][]) => sets.map((set) => set.sort()).sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
const person = (name: string) => ({ name: "", email: `${name}@example.net` });

const mails = fc
  .array(
    fc.record({
      subject: fc.constantFrom("Plan", "Re: Plan", "Re: Plan", "AW: Plan", "Fwd: Plan", "Other", "Re: Other"),
      from: fc.constantFrom(person("ann"), person("bob"), { name: "", email: ME }),
      to: fc.subarray([person("ann"), person("cleo"), { name: "", email: ME }]),
      day: fc.integer({ min: 0, max: 90 }),
      answers: fc.option(fc.nat(8), { nil: null, freq: 3 }),
    }),
    { minLength: 2, maxLength: 9 },
  )
  .map((list) =>
    list.map(({ day, answers, ...mail }, i): Mail => {
      const references = answers !== null && answers < i ? [`<${answers}.1@example.net>`] : [];
      return { ...mail, message_id: `<${i}.1@example.net>`, date: AT + day * DAY, references };
    }),
  );

const expectAsDefined = () => {
  const shuffled = mails.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, ([list, order]) => {
      expect(arrival(order)).toEqual(byDefinition(list));
    }),
    { numRuns: 150 },
  );
};

test("the threads match the definition, in any order of arrival", expectAsDefined);

test("the threads match the definition where the tags and bits of all subjects and people collide", () => {
  const { longHmac } = Sealer.prototype;
  const equal = spyOn(Sealer.prototype, "longHmac").mockImplementation(function (this: Sealer, purpose, text) {
    return purpose === "subject" ? new Uint8Array(32) : longHmac.call(this, purpose, text);
  });
  try {
    expectAsDefined();
  } finally {
    equal.mockRestore();
  }
});

test("a thousand equal subjects do not hide the one message that a reply belongs to", () => {
  // The notices of a shop are separate threads. Bob's program answers one of them without references.
  const notices = Array.from({ length: 1_000 }, (_, i): Mail => {
    const from = i === 700 ? person("bob") : person(`clerk${i}`);
    return { subject: "Delivery", from, message_id: `<${i}.1@example.net>`, date: AT + i * 1_000 };
  });
  const answer: Mail = {
    subject: "Re: Delivery",
    from: person("bob"),
    message_id: "<a.1@example.net>",
    date: AT + DAY,
  };
  const together = ["<700.1@example.net>", "<a.1@example.net>"];
  for (const order of [
    [...notices, answer],
    [answer, ...notices],
  ]) {
    const joined = arrival(order).filter((set) => set.length > 1);
    expect(joined).toEqual([together]);
  }
});

test("a thousand answers without references become one thread, in bounded time", () => {
  const answers = Array.from(
    { length: 1_000 },
    (_, i): Mail => ({
      subject: "Re: Delivery",
      from: person("bob"),
      message_id: `<${i}.2@example.net>`,
      date: AT + ((i * 7_919) % 1_000) * 60_000,
    }),
  );
  expect(arrival(answers)).toHaveLength(1);
}, 20_000);
