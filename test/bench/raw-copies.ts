import { spamAssassin } from "../support/corpus.ts";

/** Fields with message ids, and the lines that continue them. */
const IDS = /^(?:Message-ID|In-Reply-To|References):.*(?:\r\n[ \t].*)*/gim;

/** Yields this many messages as a server has them: the corpus many times over (`inCopy`). */
export function* rawCopies(messages: number): Generator<Buffer> {
  const corpus = spamAssassin().map(({ raw }) => Buffer.from(raw).toString("latin1"));
  for (let n = 0; n < messages; n++) {
    yield Buffer.from(inCopy(corpus[n % corpus.length]!, Math.floor(n / corpus.length)), "latin1");
  }
}

/**
 * Returns a message with other ids and another subject in each copy, so that the conversations of the copies are
 * separate.
 */
export function inCopy(raw: string, copy: number): string {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw
    .slice(0, end)
    .replace(IDS, (field) => field.replaceAll("<", `<${copy}.`))
    .replace(/^Subject: (.*)$/im, `Subject: $1 ${copy}`);
  return head + raw.slice(end);
}
