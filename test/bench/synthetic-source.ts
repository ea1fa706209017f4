import { readOnThisThread } from "../../src/inbound/message/parsed-message.ts";
import { spamAssassin } from "../support/corpus.ts";
import type { Filled } from "./filled-mailbox.ts";
import { SyntheticMail } from "./synthetic.ts";

/** A message every ten minutes: a million of them in nineteen years, the newest in the year 2025. */
const FIRST_AT = Date.parse("2006-06-01T00:00:00Z");
const STEP_MS = 10 * 60_000;

/** @returns the n-th message of a synthetic mailbox, as large as its original was on the server */
export async function syntheticSource(seed: number): Promise<(n: number) => Filled> {
  const corpus = spamAssassin();
  const read = await readOnThisThread(corpus.map(({ raw }) => ({ source: raw })));
  const contents = read.map((one) => one.contents);
  const mail = new SyntheticMail(contents, seed);
  return (n) => {
    const at = FIRST_AT + n * STEP_MS;
    return { contents: mail.message(n, at), size: corpus[n % corpus.length]!.raw.length, at };
  };
}
