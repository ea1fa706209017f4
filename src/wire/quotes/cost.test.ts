import { expect, test } from "bun:test";
import { splitBody } from "../mime/body.ts";

const BYTES = 2_000_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(BYTES / piece.length)).slice(0, BYTES);
const cpuSeconds = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** Each line could begin a header block, and could be part of the blocks of the thirty lines above it. */
const SHAPES = {
  "names on lines of 400 characters": fill(`${"a: > b: > ".repeat(40)}\n`),
  "names on lines of 3,900 characters": fill(`${"a: > b: > ".repeat(390)}\n`),
  "recipients without a sender": fill("To: x\n"),
  "dates without a sender": fill("Date: 1\n"),
  "dates without a colon": fill("message du 1 a: b: c: \n"),
  "senders and recipients": fill("From: x\nTo: y\n"),
};

for (const [name, text] of Object.entries(SHAPES)) {
  test(`2 MB of ${name} are split within three seconds of CPU time`, () => {
    expect(cpuSeconds(() => splitBody({ text, html: null, subject: "Re: x" }))).toBeLessThan(3);
  });
}
