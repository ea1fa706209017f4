/**
 * Fills a data folder with a mailbox made of the corpus, many times over: bun fill.ts DIR MESSAGES. Conversations keep
 * their shape; ids, subjects, names and the order of the words differ from copy to copy. Prints as JSON how long storing
 * took, ms.
 */
import { type Contents, readHere } from "../../src/inbound/contents.ts";
import { spamAssassin } from "../corpus.ts";
import { openFilledMailbox } from "./filled-mailbox.ts";

const [data_dir, wanted] = [process.argv[2]!, Number(process.argv[3])];
const FIRST_AT = Date.parse("2020-01-01T00:00:00Z");
const STEP_MS = 20 * 60_000;
const BATCH = 100;
/** How long it took is told every so many messages. */
const TOLD = 10_000;

const corpus = spamAssassin();
const sizes = corpus.map(({ raw }) => raw.length);
const originals = (await readHere(corpus.map(({ raw }) => ({ source: raw })))).map(({ contents }) => contents);

const mailbox = openFilledMailbox(data_dir);
const began = performance.now();
const progress: { messages: number; ms: number }[] = [];
for (let done = 0; done < wanted; ) {
  const batch = Array.from({ length: Math.min(BATCH, wanted - done) }, (_, i) => message(done + i));
  mailbox.take(batch);
  done += batch.length;
  if (done % TOLD === 0 || done === wanted) progress.push({ messages: done, ms: performance.now() - began });
}
mailbox.finish();
console.log(JSON.stringify({ progress }));

function message(n: number) {
  const at = FIRST_AT + n * STEP_MS;
  const which = n % originals.length;
  return { contents: varied(originals[which]!, Math.floor(n / originals.length), at), size: sizes[which]!, at };
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
