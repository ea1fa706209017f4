import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { envelopeDate, NoMbox, readMbox } from "./read.ts";
import { asctime, mboxEntry } from "./write.ts";

/** Splits the text into pieces of these lengths, repeatedly. */
async function* pieces(text: string | Uint8Array, sizes: readonly number[] = [1_000_000]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function write(source: string, sizes?: number[], headers: string[] = []): Promise<string> {
  const entry = { sender: "bob@example.net", received_at: Date.UTC(2026, 1, 3, 4, 5, 6), headers };
  const chunks: Uint8Array[] = [];
  for await (const chunk of mboxEntry({ ...entry, source: pieces(source, sizes) })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function read(text: string | Uint8Array, sizes?: number[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { source } of readMbox(pieces(text, sizes))) found.push(Buffer.from(source).toString());
  return found;
}

describe("writing", () => {
  test("begins with the sender and the time, and ends lines with LF", async () => {
    expect(await write("Subject: x\r\n\r\nhello\r\n")).toBe(
      "From bob@example.net Tue Feb  3 04:05:06 2026\nSubject: x\n\nhello\n\n",
    );
  });

  test("quotes lines that would begin a message, quoted ones too", async () => {
    const text = await write("A: b\n\nFrom here\n>From there\n>> From no\n>>From yes\nFromage\n");
    expect(text.split("\n").slice(3, 8)).toEqual([
      ">From here",
      ">>From there",
      ">> From no",
      ">>>From yes",
      "Fromage",
    ]);
  });

  test("puts further headers first, and an end to a message without one", async () => {
    expect(await write("A: b\n\nend", undefined, ["Status: RO"])).toEndWith("2026\nStatus: RO\nA: b\n\nend\n\n");
  });

  test("asctime writes the day with two characters", () => {
    expect(asctime(Date.UTC(1996, 0, 3, 1, 5, 34))).toBe("Wed Jan  3 01:05:34 1996");
  });
});

describe("reading", () => {
  test("what was written is read, in pieces of any size", async () => {
    const line = fc.oneof(
      fc.constantFrom("From x", ">From y", "", ">", "F", "\u00e4\u00f6\u00fc"),
      fc.string({ maxLength: 20 }),
    );
    const body = fc.array(
      line.map((text) => text.replace(/[\r\n]/g, "")),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 }),
        async (bodies, sizes) => {
          const sources = bodies.map((lines, i) => `Subject: ${i}\n\n${lines.map((text) => `${text}\n`).join("")}`);
          const written = (await Promise.all(sources.map((source) => write(source, sizes)))).join("");
          expect(await read(written, sizes)).toEqual(sources);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a From line counts only after an empty line", async () => {
    expect(await read("From a b\nX: y\n\ntext\nFrom the middle\n\nFrom c d\nX: z\n\nmore\n")).toEqual([
      "X: y\n\ntext\nFrom the middle\n",
      "X: z\n\nmore\n",
    ]);
  });

  test("reads CRLF files, and a file without a final line end", async () => {
    expect(await read("From a b\r\nX: y\r\n\r\none\r\n\r\nFrom c d\r\nX: z\r\n\r\ntwo")).toEqual([
      "X: y\r\n\r\none\r\n",
      "X: z\r\n\r\ntwo",
    ]);
  });

  test("millions of empty lines, and a line without an end, take little more memory than their own size", () => {
    // Runs in a separate process, so that its memory is only that of reading.
    const program = `
      import { readMbox } from ${JSON.stringify(join(import.meta.dir, "read.ts"))};
      const size = 4 * 1024 * 1024;
      const lengths = [];
      for (const filling of ["\\n", "x"]) {
        const file = async function* () {
          yield Buffer.from("From a b\\n\\n");
          for (let at = 0; at < size; at += 65536) yield Buffer.alloc(65536, filling);
        };
        for await (const { source } of readMbox(file())) lengths.push(source.length - size);
      }
      // Not maxRSS, which includes the parent's memory at the start of this process.
      const status = await Bun.file("/proc/self/status").text();
      console.log(JSON.stringify({ lengths, peakMb: Number(/VmHWM:\\s*(\\d+)/.exec(status)[1]) / 1024 }));`;
    const { stdout } = Bun.spawnSync([process.execPath, "-e", program]);
    const { lengths, peakMb } = JSON.parse(stdout.toString());
    expect(lengths).toEqual([0, 1]);
    expect(peakMb).toBeLessThan(350);
  }, 60_000);

  test("an empty file has no messages; a file in another format is refused", async () => {
    expect(await read("")).toEqual([]);
    expect(await read("\n\n")).toEqual([]);
    await expect(read("PK\u0003\u0004\u0000 some archive\n")).rejects.toBeInstanceOf(NoMbox);
  });

  test("a long line may be split in the middle of a CRLF pair", async () => {
    const long = "a".repeat(70_000);
    const text = await write(`A: b\r\n\r\n${long}\r\nFrom x\r\n`, [70_007, 1]);
    expect(text.split("\n").slice(3, 5)).toEqual([long, ">From x"]);
  });
});

test.each([
  ["bob@x Sat Jan  3 01:05:34 1996", "1996-01-03T01:05:34.000Z"],
  ["- Tue Feb 03 04:05:06 2026", "2026-02-03T04:05:06.000Z"],
  ["1234567@xxx Mon Apr 05 12:00:00 +0000 2021", "2021-04-05T12:00:00.000Z"],
  ["a@b Mon Apr  5 12:00:00 2021 +0200", "2021-04-05T10:00:00.000Z"],
  ["a@b Mon Apr  5 12:00 CET 2021", "2021-04-05T12:00:00.000Z"],
  ["MAILER-DAEMON", null],
])("the date of 'From %s'", (envelope, iso) => {
  const ms = envelopeDate(envelope);
  expect(ms === null ? null : new Date(ms).toISOString()).toBe(iso);
});
