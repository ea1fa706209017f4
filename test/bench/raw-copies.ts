import { spamAssassin } from "../support/corpus.ts";

/**
 * Yields this many messages as a server has them: the corpus many times over, with other ids and subjects in each copy,
 * so that conversations stay separate.
 */
export function* rawCopies(messages: number): Generator<Buffer> {
  const corpus = spamAssassin().map(({ raw }) => Buffer.from(raw).toString("latin1"));
  for (let n = 0; n < messages; n++) {
    const copy = Math.floor(n / corpus.length);
    const text = corpus[n % corpus.length]!;
    const end = text.indexOf("\r\n\r\n");
    const head = text
      .slice(0, end)
      .replace(/^((?:Message-ID|In-Reply-To|References):[^<]*)</gim, `$1<${copy}.`)
      .replace(/^Subject: (.*)$/im, `Subject: $1 ${copy}`);
    yield Buffer.from(`${head}${text.slice(end)}`, "latin1");
  }
}
