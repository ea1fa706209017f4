/**
 * Reads the corpus into a new mailbox, as the mail worker does: bun rules-ingest.ts MESSAGES RULES history|live. Prints {
 * ms, cpu_ms, matched }: reading, storing, all steps; without the network.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailPipeline } from "../../src/app/mail.ts";
import { createPeople } from "../../src/app/people.ts";
import type { RuleInput } from "../../src/features/rules/validate.ts";
import { readOnThisThread } from "../../src/inbound/message/parsed-message.ts";
import { toIncoming } from "../../src/inbound/message/pipeline.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { spamAssassin } from "../support/corpus.ts";

const [messages, rules, kind] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]];
const BATCH = 100;
const YEAR_MS = 365 * 86_400_000;
const data_dir = mkdtempSync(join(tmpdir(), "postroom-bench-rules-"));
const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, durability: "normal" });
const mailbox = createMailbox(platform);
const user = platform.users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" });
const { id } = mailbox.accounts.add({ user_id: user.id, provider: "imap", email: user.email, connection: null });
mailbox.accounts.setProgress(id, { phase: kind === "live" ? "live" : "importing", done: 0, total: messages });
const account = mailbox.accounts.get(id)!;
const folder = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
const people = createPeople(platform, mailbox);
const writer = { user_id: user.id, account_id: null, actor: { kind: "user" as const, id: null }, request_id: null };
for (let i = 0; i < rules; i++) people.rules.create(writer, rule(i));
const pipeline = mailPipeline(platform, mailbox);
const corpus = spamAssassin(messages);
const received = platform.clock.now() - (kind === "live" ? 0 : YEAR_MS);

const began = performance.now();
const cpu = process.cpuUsage();
for (let done = 0; done < corpus.length; done += BATCH) {
  const batch = corpus.slice(done, done + BATCH);
  const read = await readOnThisThread(batch.map(({ raw }) => ({ source: raw })));
  const incoming = read.map(({ contents }, i) =>
    toIncoming(contents, {
      folderId: folder.id,
      uid: done + i + 1,
      internalDate: received - done - i,
      size: batch[i]!.raw.length,
      flags: { seen: false, flagged: false, answered: false, draft: false, important: false },
      labels: [],
      flagsHash: 0,
      serverThreadId: null,
    }),
  );
  platform.db.write(() => pipeline.take(account, folder, incoming));
}
const ms = performance.now() - began;
const { user: in_program, system } = process.cpuUsage(cpu);
const { matched } = platform.db.sql
  .query<{ matched: number }, []>("SELECT count(*) AS matched FROM audit WHERE actor_kind = 'rule'")
  .get()!;
platform.close();
rmSync(data_dir, { recursive: true, force: true });
console.log(JSON.stringify({ ms, cpu_ms: (in_program + system) / 1000, matched }));

/** Typical rules: most for one sender, some for words in subjects and texts. Few of them match. */
function rule(i: number): RuleInput {
  const conditions: RuleInput["conditions"][] = [
    [{ field: "from", op: "equals", value: `person${i}@example.com` }],
    [{ field: "from_domain", op: "equals", value: i === 1 ? "zzzlist.org" : `company${i}.example` }],
    [{ field: "subject", op: "contains", value: i % 20 === 2 ? "razor" : `invoice ${i}` }],
    [{ field: "list_id", op: "contains", value: `list${i}` }],
    [
      { field: "body", op: "contains", value: `reference ${i}` },
      { field: "has_attachment", op: "equals", value: "true" },
    ],
  ];
  return { kind: "inbox", conditions: conditions[i % 5]!, actions: [{ type: "addLabel", value: `Label ${i % 10}` }] };
}
