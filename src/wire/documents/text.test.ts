import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { ManualClock } from "../../platform/clock.ts";
import { docx, pdf } from "../../sandbox/attachments.ts";
import { DOCUMENT_BOUNDS } from "./bounds.ts";
import { DocumentThread, type DocumentWorker } from "./document-thread.ts";
import { extractText } from "./text.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, type: string, fileName: string | null = null) =>
  extractText({ bytes, type, fileName });

describe("text", () => {
  test("text is decoded in its charset", async () => {
    expect(await read(Buffer.from("f0d2c9d7c5d4", "hex"), "text/plain; charset=koi8-r")).toBe("Привет");
    expect(await read(Buffer.from([0xff, 0xfe, 0x41, 0, 0x42, 0]), "text/plain; charset=utf-16")).toBe("AB");
  });

  test("Markdown is returned unchanged", async () => {
    expect(await read(bytesOf("# Title\r\n\r\n\r\n\r\n* one  \r\n"), "application/octet-stream", "notes.md")).toBe(
      "# Title\n\n* one",
    );
  });

  test("HTML is returned without its markup and scripts", async () => {
    const page = "<style>p{}</style><p>Hello <b>there</b></p><script>alert(1)</script>";
    expect(await read(bytesOf(page), "text/html; charset=utf-8")).toBe("Hello there");
  });

  test("the text of a calendar is returned", async () => {
    const ics =
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Lunch\\, then\r\n  walk\r\nATTENDEE;CN="Lee, Ann";ROLE=CHAIR:mailto:ann@example.com\r\nEND:VEVENT\r\nEND:VCALENDAR';
    expect(await read(bytesOf(ics), "text/calendar")).toBe("Lunch, then walk\nLee, Ann ann@example.com");
  });

  test("a file that is not text gives null instead of noise", async () => {
    expect(await read(new Uint8Array([0x89, 0x50, 0x4e, 0x47]), "image/png", "a.png")).toBeNull();
    expect(await read(new Uint8Array([1, 0, 2, 0]), "text/plain")).toBeNull();
    expect(await read(bytesOf("text"), "application/octet-stream", null)).toBeNull();
  });
});

describe("PDF and DOCX", () => {
  test("a PDF is read, even under another name", async () => {
    const file = pdf("Offer 7", ["Two nights, 240 EUR", "(breakfast included)"]);
    const text = "Offer 7\nTwo nights, 240 EUR\n(breakfast included)";
    expect(await read(file, "application/pdf", "offer.pdf")).toBe(text);
    expect(await read(file, "application/octet-stream", null)).toBe(text);
  });

  test("a DOCX is read with tables, breaks and tracked deletions", async () => {
    expect(await read(docx(["First & last", "Second"]), DOCX)).toBe("First & last\nSecond");
    const xml =
      "<w:document><w:body><w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>" +
      "<w:p><w:r><w:t>kept</w:t><w:br/><w:t>below</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p></w:body></w:document>";
    const file = zipSync({
      "word/document.xml": strToU8(xml),
      "word/footnotes.xml": strToU8("<w:p><w:t>note</w:t></w:p>"),
    });
    expect(await read(file, "application/octet-stream", "table.docx")).toBe("a\tb\n\nkept\nbelow\n\nnote");
  });

  test("broken files give null, and the next one is read", async () => {
    expect(await read(bytesOf("%PDF-1.4 and nothing else"), "application/pdf")).toBeNull();
    expect(await read(bytesOf("PK no zip"), DOCX)).toBeNull();
    expect(await read(zipSync({ "other.xml": strToU8("<a/>") }), DOCX)).toBeNull();
    expect(await read(docx(["still here"]), DOCX)).toBe("still here");
  });

  test("an archive that claims to unpack to more than the limit is not unpacked", async () => {
    const bomb = zipSync({ "word/document.xml": new Uint8Array(DOCUMENT_BOUNDS.unpackedBytes + 1) }, { level: 1 });
    expect(await read(bomb, DOCX)).toBeNull();
  });

  test("any bytes give a result without throwing", async () => {
    const good = pdf("Title", ["line one", "line two"]);
    const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(damage, async (places) => {
        const bytes = Uint8Array.from(good);
        for (const [at, value] of places) bytes[at] = value;
        const text = await read(bytes, "application/pdf");
        expect(text === null || typeof text === "string").toBe(true);
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});

describe("the thread", () => {
  /** Returns a worker that never answers. */
  function stuck() {
    const ended: number[] = [];
    let started = 0;
    const start = (): DocumentWorker => {
      const number = started++;
      return {
        postMessage() {},
        terminate: () => void ended.push(number),
        addEventListener() {},
      };
    };
    return { start, ended, started: () => started };
  }

  test("a document that takes too long is aborted with its thread, and the next gets a new one", async () => {
    const clock = new ManualClock();
    const { start, ended, started } = stuck();
    const thread = new DocumentThread({ start, clock, memory: () => 0 });
    const reading = thread.read("pdf", new Uint8Array(1));
    await Promise.resolve();
    clock.advance(DOCUMENT_BOUNDS.timeMs);
    expect(await reading).toBeNull();
    expect(ended).toEqual([0]);
    const next = thread.read("pdf", new Uint8Array(1));
    await Promise.resolve();
    await Promise.resolve();
    expect(started()).toBe(2);
    clock.advance(DOCUMENT_BOUNDS.timeMs);
    expect(await next).toBeNull();
  });

  test("a document that leaves much memory allocated ends its thread", async () => {
    const clock = new ManualClock();
    let memory = 0;
    let answer: (data: unknown) => void = () => {};
    let ended = 0;
    const start = (): DocumentWorker => ({
      postMessage({ id }: { id: number }) {
        memory += DOCUMENT_BOUNDS.keptBytes + 1;
        answer({ id, text: "words" });
      },
      terminate: () => void ended++,
      addEventListener(type: string, listener: unknown) {
        if (type === "message") answer = (data) => (listener as (event: { data: unknown }) => void)({ data });
      },
    });
    const thread = new DocumentThread({ start, clock, memory: () => memory });
    expect(await thread.read("pdf", new Uint8Array(1))).toBe("words");
    expect(ended).toBe(1);
  });

  test("a document that takes too much memory is aborted at once", async () => {
    const clock = new ManualClock();
    let memory = 100;
    const { start, ended } = stuck();
    const thread = new DocumentThread({ start, clock, memory: () => memory });
    const reading = thread.read("docx", new Uint8Array(1));
    await Promise.resolve();
    memory += DOCUMENT_BOUNDS.memoryBytes + 1;
    clock.advance(200);
    expect(await reading).toBeNull();
    expect(ended).toEqual([0]);
  });
});
