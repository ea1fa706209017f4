import { expect, test } from "bun:test";
import fc from "fast-check";
import { peopleFixture } from "../../../test/support/people-fixture.ts";
import type { PeopleServices } from "../../app/people.ts";
import { openEnvelope } from "../../mailbox/store/envelope.ts";
import { ContactCounts } from "./counts.ts";
import { contactRoutes } from "./routes.ts";
import type { ContactService } from "./service.ts";

/** Changes that can happen to mail, as small numbers so that fast-check can shrink failures. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("arrive" as const), person: fc.nat(4), thread: fc.nat(3), sent: fc.boolean() }),
  fc.record({ kind: fc.constant("join" as const), one: fc.nat(3), other: fc.nat(3) }),
  fc.record({
    kind: fc.constant("move" as const),
    which: fc.nat(20),
    state: fc.constantFrom("inbox", "archived", "trash", "spam"),
  }),
  fc.record({ kind: fc.constant("delete" as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant("resync" as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant("read" as const), bound: fc.boolean() }),
);

/** The first two entries are the same person. */
const PEOPLE = [
  { name: "Ann Lee", email: "ann.lee@work.example" },
  { name: "Ann Lee", email: "alee@home.example" },
  { name: "Bob", email: "bob@work.example" },
  { name: "", email: "info@work.example" },
  { name: "Cy Dee", email: "cy@far.example" },
];

test("counts equal a full recount after any sequence of changes to the mail", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let contacts: ContactService | undefined;
      const s = peopleFixture((people) => {
        contacts = people.contacts;
        return contactRoutes(people.contacts);
      });
      const { platform, user } = s.h;
      try {
        const rows = () =>
          platform.db.sql
            .query<{ id: string; thread_id: string; state: string; date: number; head: Uint8Array }, []>(
              `SELECT m.id, m.thread_id, t.state, m.sent_date AS date, m.head FROM messages m JOIN threads t ON t.id = m.thread_id
               ORDER BY m.n`,
            )
            .all();
        const listed = async () =>
          new Map<string, [number, string | null]>(
            (await s.h.call("GET", "/contacts?limit=100")).json.data.map(
              (contact: { emails: string[]; threads: number; last_contact: string | null }) => [
                contact.emails.sort().join(" "),
                [contact.threads, contact.last_contact],
              ],
            ),
          );
        const listedInMailbox = async () => {
          const scope = { user_id: user.id, account_id: s.account.id };
          await contacts!.queries.settle(scope);
          const rows = contacts!.queries.list(scope, {}, null, 100);
          return new Map(
            rows.map((row) => [
              row.emails.sort().join(" "),
              [row.threads, new Date(row.last_at).toISOString().slice(0, 10)],
            ]),
          );
        };
        const recounted = () => {
          const found = new Map<string, { threads: Set<string>; last: number }>();
          const sealer = platform.keyring.forUser(user.id);
          const addresses = rows().map((row) => {
            const { from, to } = openEnvelope(sealer, row.id, row.head);
            return { ...row, people: from.email === "ada@example.org" ? to : [from] };
          });
          // Ann becomes one contact when both of her addresses have been seen, and stays one when the mail of one is
          // deleted.
          for (const { people, thread_id, state, date } of addresses) {
            for (const { email } of people) {
              const key = /lee@/.test(email) && annIsOne ? "alee@home.example ann.lee@work.example" : email;
              const entry = found.get(key) ?? { threads: new Set(), last: 0 };
              if (state !== "spam" && state !== "trash") {
                entry.threads.add(thread_id);
                entry.last = Math.max(entry.last, date);
              }
              found.set(key, entry);
            }
          }
          return new Map(
            [...found]
              .filter(([, { threads }]) => threads.size > 0)
              .map(([key, { threads, last }]) => [key, [threads.size, new Date(last).toISOString().slice(0, 10)]]),
          );
        };
        const seen = new Set<string>();
        let annIsOne = false;
        let day = 0;
        for (const step of steps) {
          const all = rows();
          const at = <T>(list: T[], i: number): T | undefined => list[i % Math.max(1, list.length)];
          if (step.kind === "arrive") {
            const other = PEOPLE[step.person]!;
            const ada = { name: "Ada", email: "ada@example.org" };
            s.arrive({
              role: step.sent ? "sent" : "inbox",
              from: step.sent ? ada : other,
              to: [step.sent ? other : ada],
              references: [`<root${step.thread}@x.example>`],
              at: Date.parse("2026-01-01T12:00:00Z") + day++ * 86_400_000,
            });
            seen.add(other.email);
            annIsOne = seen.has(PEOPLE[0]!.email) && seen.has(PEOPLE[1]!.email);
          } else if (step.kind === "join") {
            // A message that refers to two conversations joins them.
            const references = [`<root${step.one}@x.example>`, `<root${step.other}@x.example>`];
            s.arrive({ from: PEOPLE[4]!, references, at: Date.parse("2025-12-01T12:00:00Z") });
            seen.add(PEOPLE[4]!.email);
          } else if (step.kind === "move") {
            const thread = at(all, step.which)?.thread_id;
            const scope = {
              user_id: user.id,
              account_id: null,
              actor: { kind: "user" as const, id: null },
              request_id: null,
            };
            if (thread) s.mailbox.changes.update(scope, thread, { state: step.state as "inbox" });
          } else if (step.kind === "delete") {
            const row = at(all, step.which);
            if (row) {
              platform.db.write(() => {
                platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(row.id);
                s.mailbox.threads.refresh(row.thread_id);
              });
            }
          } else if (step.kind === "resync") {
            const row = at(all, step.which);
            if (row) {
              const head = openEnvelope(platform.keyring.forUser(user.id), row.id, row.head);
              const { subject, from, to, cc, bcc, date, message_id: messageId } = head;
              // The same message, seen again in another folder.
              s.arrive({ subject, from, to, cc, bcc, date, messageId, at: row.date, role: "other" });
            }
          } else if (step.bound) await listedInMailbox();
          else await listed();
        }
        const expected = recounted() as Awaited<ReturnType<typeof listed>>;
        expect(await listed()).toEqual(expected);
        const emails = (of: Map<string, unknown>) => [...of].map(([, counts]) => JSON.stringify(counts)).sort();
        // A mailbox shows only those addresses of a contact that occur in its mail.
        expect(emails(await listedInMailbox())).toEqual(emails(expected));
      } finally {
        s.h.close();
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** Returns the contacts of one mailbox after settling their counts. */
function mailboxFixture() {
  let people!: PeopleServices;
  const s = peopleFixture((given) => {
    people = given;
    return contactRoutes(given.contacts);
  });
  const { platform, user } = s.h;
  const scope = { user_id: user.id, account_id: s.account.id };
  return {
    ...s,
    scope,
    prune: () => people.contactStore.prune(),
    steps: () => new ContactCounts(platform.db).settleIn(scope.user_id, scope.account_id),
    remove({ message_id, thread_id }: { message_id: string; thread_id: string }) {
      platform.db.write(() => {
        platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(message_id);
        s.mailbox.threads.refresh(thread_id);
      });
    },
    async listed(): Promise<Record<string, number>> {
      await people.contacts.queries.settle(scope);
      const found = people.contacts.queries.list(scope, {}, null, 1_000);
      return Object.fromEntries(found.map(({ emails, threads }) => [emails.join(), threads]));
    },
  };
}

const BOB = { name: "Bob", email: "bob@work.example" };
const CY = { name: "Cy", email: "cy@far.example" };

test("the counts of a mailbox stay up to date after the contact that was counted last is deleted", async () => {
  const s = mailboxFixture();
  try {
    s.arrive({ from: BOB });
    const only = s.arrive({ from: CY });
    await s.listed();
    s.remove(only);
    await s.listed();
    s.prune();
    s.arrive({ from: BOB });
    expect(await s.listed()).toEqual({ [BOB.email]: 2 });
  } finally {
    s.h.close();
  }
});

test("a change between two slices of counting is counted the next time", async () => {
  const s = mailboxFixture();
  try {
    const counted = s.arrive({ from: BOB });
    s.arrive({ from: { name: "", email: "dee@work.example" } });
    for (let i = 0; i < 250; i++) s.arrive({ from: { name: "", email: `info${i}@work.example` } });
    const only = s.arrive({ from: CY });
    s.people.contacts.queries.list({ ...s.scope, account_id: null }, {}, null, 1);
    // Now only Cy has the newest number, and all of Cy's mail has been deleted.
    s.remove(only);
    const steps = s.steps();
    expect(steps.next().done).toBe(false);
    s.prune();
    s.remove(counted);
    s.arrive({ from: { name: "", email: "dee@work.example" } });
    s.people.contacts.queries.list({ ...s.scope, account_id: null }, {}, null, 1);
    for (const _ of steps);
    const listed = await s.listed();
    expect([listed[BOB.email], listed["dee@work.example"], listed["info7@work.example"]]).toEqual([undefined, 2, 1]);
  } finally {
    s.h.close();
  }
});

test("a message that is linked to a contact after a later message is counted, too", async () => {
  const s = mailboxFixture();
  const { sql } = s.h.platform.db;
  try {
    for (let i = 0; i < 250; i++) s.arrive({ from: { name: "", email: `info${i}@work.example` } });
    s.arrive({ from: CY });
    const steps = s.steps();
    expect(steps.next().done).toBe(false);
    // For example, a draft that is addressed to Cy only later.
    const earlier = s.arrive({ from: BOB });
    s.arrive({ from: CY });
    for (const _ of steps);
    sql
      .query(
        `INSERT INTO contact_messages SELECT m.n, a.n FROM messages m, contact_addresses a
         WHERE m.id = ? AND a.contact_n = (SELECT max(contact_n) - 1 FROM contact_addresses)`,
      )
      .run(earlier.message_id);
    expect((await s.listed())[CY.email]).toBe(3);
  } finally {
    s.h.close();
  }
});
