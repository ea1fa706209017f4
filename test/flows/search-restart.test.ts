import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app/mail.ts";
import { readContents } from "../../src/inbound/message/parsed-message.ts";
import { toIncoming } from "../../src/inbound/message/pipeline.ts";
import { SCOPES } from "../../src/kernel/scopes.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { dice } from "../faults/campaign.ts";
import { eventually } from "../support/eventually.ts";
import { one, type Served, serve } from "../support/served-program.ts";

/**
 * Semantic search over POST /v1/search, before and after a restart of the program: the second time vectors are read
 * from the snapshot.
 */

const DOCUMENTS = 1_100;
const QUERIES = 40;
const FIRST_WORDS = 25;
const RECEIVED_AT = Date.parse("2026-01-01T00:00:00Z");
const SUBJECTS = [
  "garden roses water soil seeds planting tomatoes hedge spring compost lawn weeds pruning blossom",
  "flight airport luggage passport boarding delay ticket hotel runway pilot customs journey terminal",
  "invoice payment overdue account bank transfer receipt balance tax refund credit statement budget",
  "engine brakes wheel gearbox garage mileage diesel steering clutch exhaust battery tyre mechanic",
  "violin concert orchestra rehearsal conductor melody audience symphony rhythm choir piano applause",
  "kitchen recipe oven butter flour onions garlic simmer roast pepper sauce dough bake dessert",
  "server network kernel memory database latency compiler patch thread crash backup firewall packet",
  "doctor hospital surgery fever medicine nurse clinic vaccine bandage symptom dentist allergy therapy",
  "football referee goal stadium penalty coach league midfield trophy injury supporters training",
  "school teacher homework exam pupils classroom lesson library pencil university lecture grammar",
];
const COMMON =
  "the a of to and in is that it was for on are with as his they be at one have this from or had by hot but some what".split(
    " ",
  );

const folder = mkdtempSync(join(tmpdir(), "postroom-search-restart-"));
let server: Served | null = null;
afterAll(() => {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

interface Person {
  user_id: string;
  key: string;
  texts: string[];
}

/** Builds a text about one or two topics, from words that the model has. */
function textOf(random: () => number): string {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const about = [pick(SUBJECTS), pick(SUBJECTS)].map((words) => words.split(" "));
  return Array.from({ length: 45 }, () => (random() < 0.4 ? pick(COMMON) : pick(pick(about)))).join(" ");
}

/** People with a mailbox each, filled as by an import. */
async function fill(data_dir: string, people: readonly { email: string; documents: number }[]): Promise<Person[]> {
  const platform = openPlatform({
    config: loadConfig({ data_dir, env: {} }),
    clock: systemClock,
    durability: "normal",
  });
  try {
    const mailbox = createMailbox(platform);
    const pipeline = mailPipeline(platform, mailbox);
    const filled: Person[] = [];
    for (const [i, { email, documents }] of people.entries()) {
      const random = dice(i + 5);
      const role = i === 0 ? ("owner" as const) : ("member" as const);
      const user = platform.users.add({
        email,
        plan: "autopilot",
        role,
        timezone: "UTC",
      });
      const account = mailbox.accounts.add({
        user_id: user.id,
        provider: "imap",
        email,
        connection: null,
      });
      const inbox = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
      const texts = Array.from({ length: documents }, () => textOf(random));
      for (let from = 0; from < documents; from += 100) {
        const batch = await Promise.all(
          texts.slice(from, from + 100).map(async (text, k) => {
            const head = `From: a@example.net\r\nTo: ${email}\r\nSubject: ${from + k}\r\nMessage-ID: <${from + k}@${email}>`;
            const { contents } = await readContents({
              source: Buffer.from(`${head}\r\n\r\n${text}\r\n`),
            });
            return toIncoming(contents, {
              folderId: inbox.id,
              uid: from + k + 1,
              internalDate: RECEIVED_AT,
              size: text.length,
              flags: {
                seen: k % 3 > 0,
                flagged: false,
                answered: false,
                draft: false,
                important: false,
              },
              labels: [],
              flagsHash: 0,
              serverThreadId: `${from + k}`,
            });
          }),
        );
        platform.db.write(() => pipeline.take(account, inbox, batch));
      }
      mailbox.accounts.setProgress(account.id, {
        phase: "live",
        done: documents,
        total: documents,
      });
      mailbox.accounts.setStatus(account.id, "paused", null);
      const { secret: key } = platform.keys.create({
        name: "t",
        user_id: user.id,
        scopes: [...SCOPES],
        test: false,
      });
      filled.push({ user_id: user.id, key, texts });
    }
    return filled;
  } finally {
    platform.close();
  }
}

interface Row {
  message_id: string;
  subject: string;
  score: number;
}

async function search({ key }: Person, query: string, mode = "semantic"): Promise<{ data: Row[] }> {
  const body = JSON.stringify({ query, mode, limit: 10 });
  const headers = { "content-type": "application/json" };
  const response = await server!.fetch("/search", key, {
    method: "POST",
    headers,
    body,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { data: Row[] };
}

interface Answers {
  foundItself: number;
  /** By query and mode: subjects with their scores. */
  answers: [subject: string, score: number][][][];
}

/** A score changes by about a millionth as the mail ages. */
const SCORE_DRIFT = 0.0005;

function expectSame(now: Answers, before: Answers): void {
  expect(now.foundItself).toBe(before.foundItself);
  for (const [i, modes] of now.answers.entries()) {
    for (const [j, rows] of modes.entries()) {
      const earlier = new Map(before.answers[i]![j]!);
      expect(rows.map(([subject]) => subject).sort()).toEqual([...earlier.keys()].sort());
      for (const [subject, score] of rows) expect(Math.abs(score - earlier.get(subject)!)).toBeLessThan(SCORE_DRIFT);
    }
  }
}

/** Searches for documents' own first words, with a filter, without one, and together with full-text search. */
async function answers(person: Person): Promise<Answers> {
  const step = Math.floor(person.texts.length / QUERIES);
  const found: [subject: string, score: number][][][] = [];
  let foundItself = 0;
  for (let i = 0; i < QUERIES; i++) {
    const query = person.texts[i * step]!.split(" ").slice(0, FIRST_WORDS).join(" ");
    const { data } = await search(person, query);
    if (data.some(({ subject }) => subject === `${i * step}`)) foundItself++;
    const filtered = await search(person, `is:unread ${query}`);
    const hybrid = await search(person, query, "hybrid");
    found.push(
      [data, filtered.data, hybrid.data].map((rows) =>
        rows.map(({ subject, score }): [string, number] => [subject, score]),
      ),
    );
  }
  return { foundItself, answers: found };
}

test("after a restart of the program a semantic search returns the same results for every user", async () => {
  const people = await fill(folder, [
    { email: "ada@example.org", documents: DOCUMENTS },
    { email: "bea@example.org", documents: DOCUMENTS + 77 },
  ]);
  const [ada] = people as [Person];
  const ask = async () => [await answers(people[0]!), await answers(people[1]!)];
  server = await serve(folder);
  // The search waits until all mail is embedded, so that the snapshot written at the end holds all of it.
  await eventually(() => people.every(({ user_id }) => waitingOf(user_id) === 0), 240_000);
  const before = await ask();
  for (const { foundItself } of before) expect(foundItself).toBeGreaterThanOrEqual(QUERIES * 0.95);
  expect((await server.stop()).code).toBe(0);
  for (const { user_id } of people) expect(existsSync(join(folder, "vectors", `${user_id}.bin`))).toBe(true);

  server = await serve(folder);
  const after = await ask();
  for (const [i, answered] of after.entries()) expectSame(answered, before[i]!);

  // Mail deleted while nothing ran is gone, and everything else is unchanged.
  const [first] = (await search(ada, ada.texts[0]!)).data;
  expect((await server.stop()).code).toBe(0);
  const platform = openPlatform({
    config: loadConfig({ data_dir: folder, env: {} }),
    clock: systemClock,
  });
  platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(first!.message_id);
  platform.close();
  server = await serve(folder);
  const [later, other] = await ask();
  expect(JSON.stringify(later!.answers)).not.toContain(`["${first!.subject}",`);
  expect(later!.foundItself).toBeGreaterThanOrEqual(before[0]!.foundItself - 1);
  expectSame(other!, before[1]!);
}, 600_000);

function waitingOf(user_id: string): number {
  return one<{ c: number }>(folder, "SELECT count(*) AS c FROM embed_queue WHERE user_id = ?", user_id).c;
}
