/**
 * Fills a data folder with a mailbox made of the corpus, many times over: bun fill.ts DIR MESSAGES. Conversations keep
 * their shape; ids, subjects, names and the order of the words differ from copy to copy. Prints as JSON how long storing
 * took, ms.
 */
import { mailPipeline } from "../../src/app-mail.ts";
import { type Contents, readHere } from "../../src/inbound/contents.ts";
import { toIncoming } from "../../src/inbound/pipeline.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { spamAssassin } from "../corpus.ts";
import { OWNER } from "./postroom.ts";

const [data_dir, wanted] = [process.argv[2]!, Number(process.argv[3])];
const FIRST_AT = Date.parse("2020-01-01T00:00:00Z");
const STEP_MS = 20 * 60_000;
const BATCH = 100;
/** How long it took is told every so many messages. */
const TOLD = 10_000;

const corpus = spamAssassin();
const sizes = corpus.map(({ raw }) => raw.length);
const originals = (await readHere(corpus.map(({ raw }) => ({ source: raw })))).map(({ contents }) => contents);

const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, durability: "normal" });
const mailbox = createMailbox(platform);
const pipeline = mailPipeline(platform, mailbox);
const owner = platform.users.list().find(({ email }) => email === OWNER)!;
const email = "ada@example.org";
const account = mailbox.accounts.add({ user_id: owner.id, provider: "imap", email, connection: null });
const folder = mailbox.folders.upsert(account, "INBOX", "/", "inbox");
account.sync.phase = "importing";

const began = performance.now();
const progress: { messages: number; ms: number }[] = [];
for (let done = 0; done < wanted; ) {
  const batch = Array.from({ length: Math.min(BATCH, wanted - done) }, (_, i) => message(done + i));
  const { failed } = platform.db.write(() => pipeline.take(account, folder, batch));
  if (failed > 0) throw new Error(`${failed} messages could not be stored`);
  done += batch.length;
  if (done % TOLD === 0 || done === wanted) progress.push({ messages: done, ms: performance.now() - began });
}
account.sync = { phase: "live", done: wanted, total: wanted };
mailbox.accounts.setProgress(account.id, account.sync);
mailbox.accounts.setStatus(account.id, "paused", null);
platform.db.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
platform.close();
console.log(JSON.stringify({ progress }));

function message(n: number) {
  const at = FIRST_AT + n * STEP_MS;
  const which = n % originals.length;
  return toIncoming(varied(originals[which]!, Math.floor(n / originals.length), at), {
    folder_id: folder.id,
    uid: n + 1,
    internal_date: at,
    size: sizes[which]!,
    flags: { seen: n % 5 !== 0, flagged: n % 50 === 0, answered: false, draft: false, important: false },
    labels: n % 20 === 0 ? [`Label ${n % 7}`] : [],
    flags_hash: 0,
    server_thread_id: null,
  });
}

function varied(contents: Contents, copy: number, date: number): Contents {
  const id = (text: string) => text.replace("<", `<${copy}.`);
  const words = (text: string) => {
    const lines = text.split("\n");
    const from = lines.length > 0 ? (copy * 7) % lines.length : 0;
    return [...lines.slice(from), ...lines.slice(0, from)].join("\n");
  };
  const person = ({ name, email }: { name: string; email: string }) => ({
    name: name === "" ? "" : `${name} ${copy}`,
    email: email.replace("@", `.${copy}@`),
  });
  return {
    ...contents,
    messageId: contents.messageId === null ? null : id(contents.messageId),
    inReplyTo: contents.inReplyTo.map(id),
    references: contents.references.map(id),
    subject: `${contents.subject} ${copy}`,
    from: person(contents.from),
    to: contents.to.map(person),
    date,
    text: words(contents.text),
    bodyText: words(contents.bodyText),
    newText: words(contents.newText),
  };
}
