import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32, inflateSync } from "node:zlib";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { sandboxMessages, sandboxThreads } from "../src/sandbox/sample-mail.ts";
import { fill } from "../src/sandbox/template.ts";
import type { SandboxRawMessage } from "../src/sandbox/types.ts";

const NOW = new Date("2025-06-11T13:20:30Z");
const DAY_MS = 86_400_000;
const OWNER = "alex@sandbox.example";

interface Read extends SandboxRawMessage {
  source: string;
  mail: Email;
  root: string;
}

/** Parses all messages and finds each one's thread by its References, as a mail client would. */
async function readAll(messages: SandboxRawMessage[]): Promise<Read[]> {
  return Promise.all(
    messages.map(async (message) => {
      const mail = await PostalMime.parse(message.raw, { attachmentEncoding: "arraybuffer" });
      const root = mail.references?.split(/\s+/)[0] ?? mail.messageId!;
      return { ...message, source: Buffer.from(message.raw).toString("latin1"), mail, root };
    }),
  );
}

function threadsOf(all: Read[]): Read[][] {
  return [...Map.groupBy(all, (m) => m.root).values()];
}

const header = (m: Read, name: string) => m.mail.headers.find((h) => h.key === name)?.value;
const bytes = (a: Attachment) => Buffer.from(a.content as ArrayBuffer);
const isText = (a: Attachment) => /^text\//.test(a.mimeType);
const read = (m: Read) => `${m.mail.subject}\n${m.mail.text ?? ""}\n${m.mail.html ?? ""}`;

let all: Read[];
let attachments: Attachment[];
beforeAll(async () => {
  all = await readAll(await sandboxMessages(NOW));
  attachments = all.flatMap((m) => m.mail.attachments);
});

describe("quantity", () => {
  test("there is enough mail, and Alex wrote enough of it", () => {
    expect(all.length).toBeGreaterThanOrEqual(130);
    expect(sandboxThreads().length).toBeGreaterThanOrEqual(55);
    expect(all.filter((m) => m.folder === "sent").length).toBeGreaterThanOrEqual(35);
    expect(threadsOf(all).filter((t) => t.length >= 8).length).toBeGreaterThanOrEqual(4);
  });

  test("folders, flags and labels are varied", () => {
    const folders = Map.groupBy(all, (m) => m.folder);
    expect(folders.get("spam")!.length).toBeGreaterThanOrEqual(5);
    expect([2, 3]).toContain(folders.get("trash")!.length);
    expect(folders.get("snoozed")!.length).toBeGreaterThanOrEqual(1);
    expect(folders.get("archive")!.length).toBeGreaterThanOrEqual(25);
    expect(folders.get("inbox")!.length).toBeGreaterThanOrEqual(40);
    expect(all.filter((m) => !m.flags.seen && m.folder === "inbox").length).toBeGreaterThanOrEqual(12);
    expect(all.filter((m) => m.flags.flagged).length).toBeGreaterThanOrEqual(3);
    expect(all.filter((m) => m.flags.answered).length).toBeGreaterThanOrEqual(25);
    expect(all.filter((m) => m.folder === "sent").every((m) => m.flags.seen && !m.flags.answered)).toBe(true);
    const labels = new Set(all.flatMap((m) => m.labels));
    for (const label of ["clients", "travel", "receipts", "Família"]) expect(labels).toContain(label);
  });

  test("the sources stay small", () => {
    const folder = join(import.meta.dir, "../src/sandbox");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
    const sizes = files.map((file) => (statSync(file).isFile() ? statSync(file).size : 0));
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(400_000);
  });

  test("composing takes less than half a second", async () => {
    // Processor time, so that other work on the machine does not fail the test.
    const times: number[] = [];
    for (let run = 0; run < 3; run++) {
      const start = process.cpuUsage();
      await sandboxMessages(NOW);
      const used = process.cpuUsage(start);
      times.push((used.user + used.system) / 1000);
    }
    expect(Math.min(...times)).toBeLessThan(500);
  });
});

describe("form", () => {
  test("every message parses, with its date, its own Message-ID and CRLF line ends", () => {
    for (const m of all) {
      expect(m.mail.subject).toBeTruthy();
      expect(m.mail.from?.address).toContain("@");
      expect(m.mail.to?.length).toBeGreaterThan(0);
      expect(new Date(m.mail.date!).getTime()).toBe(Math.floor(m.internalDate.getTime() / 1000) * 1000);
      expect((m.mail.text ?? "") + (m.mail.html ?? "")).not.toBe("");
      expect(read(m)).not.toContain("{{");
      expect(read(m)).not.toMatch(/\bundefined\b|\[object |Invalid Date|\uFFFD/);
      expect(m.source).not.toMatch(/[^\r]\n|\r[^\n]/);
      expect(Math.max(...m.source.split("\r\n").map((line) => line.length))).toBeLessThan(999);
    }
    expect(new Set(all.map((m) => m.mail.messageId)).size).toBe(all.length);
  });

  test("the same seeding time gives the same bytes; another time changes only the dates", async () => {
    const again = await sandboxMessages(NOW);
    expect(again.map((m) => Buffer.from(m.raw).toString("base64"))).toEqual(
      all.map((m) => Buffer.from(m.raw).toString("base64")),
    );
    const later = await sandboxMessages(new Date(NOW.getTime() + DAY_MS));
    expect(later.at(-1)!.internalDate.getTime() - all.at(-1)!.internalDate.getTime()).toBe(DAY_MS);
  });

  test("only reserved domains occur", () => {
    const reserved = /(^|\.)example(\.(com|org|net))?$/;
    for (const m of all) {
      const attached = m.mail.attachments.filter(isText).map((a) =>
        bytes(a)
          .toString()
          .replace(/\r?\n /g, ""),
      );
      const headers = m.mail.headers.map((h) => h.value);
      const text = [...headers, read(m), ...attached].join("\n");
      for (const [, host] of text.matchAll(/(?:https?:\/\/|[\w.+-]@)([\w.-]*[\w-])/g)) expect(host).toMatch(reserved);
      expect(text).not.toMatch(/\b(www\.|[\w-]+\.(com|org|net|io|pt|de|fr|co)\b(?<!example\.(com|org|net)))/);
    }
  });

  test("a mistyped template is an error, not mail", () => {
    const scope = { now: NOW, date: new Date(NOW.getTime() - DAY_MS), lang: "en-GB" as const };
    expect(fill("{{now+2|weekday}}, {{date|iso}}, {{now+3b|day}}", scope)).toBe("Friday, 2025-06-10, 16 June");
    expect(fill("{{now|lastmonth}}", scope)).toBe("May 2025");
    expect(fill("{{now-3b|long}}, {{now+1fri|long}}", scope)).toBe("Friday 6 June, Friday 13 June");
    for (const bad of ["{{now+2|weekdy}}", "{{today}}", "{{now+2b|day}"]) expect(() => fill(bad, scope)).toThrow();
  });
});

describe("dates", () => {
  // A Wednesday, a Sunday after midnight, a Monday morning, both clock changes, a leap day, the turn of the year.
  const seeds = [
    NOW.toISOString(),
    "2025-06-15T00:02:00Z",
    "2025-06-16T08:00:00Z",
    "2025-03-30T01:30:00Z",
    "2025-10-26T01:30:00Z",
    "2028-02-29T22:59:59Z",
    "2026-01-01T00:10:00Z",
  ];
  test.each(seeds)("seeded at %s: threads are consistent and nothing is out of order", async (seed) => {
    const now = new Date(seed);
    const messages = await readAll(await sandboxMessages(now));
    const at = new Map(messages.map((m) => [m.mail.messageId, m.internalDate.getTime()]));
    let previous = 0;
    for (const m of messages) {
      expect(m.internalDate.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(m.internalDate.getTime()).toBeGreaterThanOrEqual(previous);
      previous = m.internalDate.getTime();
      if (m.mail.inReplyTo) expect(m.internalDate.getTime()).toBeGreaterThan(at.get(m.mail.inReplyTo)!);
      if (m.mail.inReplyTo) expect(m.mail.references!.split(/\s+/).at(-1)).toBe(m.mail.inReplyTo);
    }
    expect(threadsOf(messages).length).toBe(sandboxThreads().length);
    expect(
      threadsOf(messages)
        .map((t) => t.length)
        .sort(),
    ).toEqual(
      sandboxThreads()
        .map((t) => t.messages.length)
        .sort(),
    );
    expect(now.getTime() - previous).toBeLessThan(15 * 60_000);
    const age = (now.getTime() - messages[0]!.internalDate.getTime()) / DAY_MS;
    expect(age).toBeGreaterThan(380);
    expect(age).toBeLessThan(450);
  });
});

describe("people", () => {
  test("Alex greets and signs off in the same ways", () => {
    const sent = all.filter((m) => m.folder === "sent");
    const greeting = /^(Hi |Hallo |Hola|Buenos días|Bonjour|Olá |Bom dia|Boa tarde|田中様)/;
    const closing =
      /\n(Best|Cheers|Lots of love|Viele Grüße|Un saludo|Bien à vous|Beijinhos|Obrigado|Cumprimentos),?\n+Alex|\nアレックス/;
    for (const m of sent) {
      expect(m.mail.from!.address).toBe(OWNER);
      expect(m.mail.text).toMatch(greeting);
      expect(m.mail.text).toMatch(closing);
    }
  });

  test("Alex has made promises with future deadlines, and people wait for answers", () => {
    const soon = Array.from({ length: 10 }, (_, n) => [`{{now+${n}b|weekday}}`, `{{now+${n}b|long}}`]).flat();
    const promise = /I'll send|envio-te|Envio-lhe|je vous l'envoie|las tendrás|will be with you by|I'll transfer/i;
    const open = sandboxThreads()
      .flatMap((t) => t.messages)
      .filter((m) => m.from === "alex" && promise.test(m.body!) && soon.some((d) => m.body!.includes(d)));
    expect(open.length).toBeGreaterThanOrEqual(4);
    const waiting = threadsOf(all).filter((t) => {
      const last = t.at(-1)!;
      const own = (last.mail.text ?? "").split(/\n(?:On |Am |Le |El |_{8}|.*escreveu|.*wrote:)/)[0]!;
      return last.folder === "inbox" && last.mail.from!.address !== OWNER && /[?？؟]/.test(own);
    });
    expect(waiting.length).toBeGreaterThanOrEqual(12);
  });

  test("seven languages, one of them written from right to left", () => {
    const langs = new Map<string, number>();
    for (const t of sandboxThreads())
      langs.set(t.lang ?? "en-GB", (langs.get(t.lang ?? "en-GB") ?? 0) + t.messages.length);
    for (const lang of ["de-DE", "fr-FR", "es-ES", "pt-PT", "ja-JP", "ar-JO"])
      expect(langs.get(lang)).toBeGreaterThan(2);
    expect(langs.get("en-GB")!).toBeGreaterThan(all.length / 2);
    expect(all.some((m) => /[\u3040-\u30ff]/.test(m.mail.text ?? ""))).toBe(true);
    expect(all.some((m) => /[\u0600-\u06ff]/.test(m.mail.text ?? "") && m.mail.html?.includes('dir="rtl"'))).toBe(true);
  });

  test("replies quote as Gmail, Outlook, Apple Mail and plain text do", () => {
    const html = all.map((m) => m.mail.html ?? "");
    expect(html.filter((h) => h.includes('class="gmail_quote')).length).toBeGreaterThan(20);
    expect(html.filter((h) => h.includes('id="divRplyFwdMsg"')).length).toBeGreaterThan(10);
    expect(html.filter((h) => h.includes('blockquote type="cite"')).length).toBeGreaterThan(5);
    expect(
      all.some((m) => m.mail.text?.includes("---------- Forwarded message") && m.mail.attachments.length > 0),
    ).toBe(true);
    expect(all.filter((m) => !m.mail.html && /^> /m.test(m.mail.text!)).length).toBeGreaterThan(2);
    for (const word of ["schrieb", "a écrit :", "escribió:", "escreveu", "Gesendet:", "wrote:"]) {
      expect(all.some((m) => m.mail.text?.includes(word))).toBe(true);
    }
  });
});

describe("kinds of mail", () => {
  test("newsletters can be unsubscribed from, carry a remote image and a tracking pixel, and differ", () => {
    const letters = all.filter((m) => m.labels.includes("newsletters"));
    expect(letters.length).toBeGreaterThanOrEqual(8);
    expect(new Set(letters.map((m) => m.mail.subject)).size).toBe(letters.length);
    for (const m of letters) {
      expect(header(m, "list-id")).toBeTruthy();
      expect(header(m, "list-unsubscribe")).toMatch(/^<https:/);
      expect(m.mail.html).toMatch(/<img src="https:\/\/open\.[\w.]+\.example\/[^"]+" width="1" height="1"/);
    }
    expect(letters.filter((m) => m.mail.html!.includes('src="https://img.')).length).toBeGreaterThanOrEqual(7);
    expect(letters.filter((m) => m.mail.from!.name === "Type Weekly").length).toBeGreaterThanOrEqual(4);
  });

  test("receipts have tables and sums", () => {
    const receipts = all.filter((m) => m.labels.includes("receipts") && m.mail.html?.includes("<th"));
    expect(receipts.length).toBeGreaterThanOrEqual(6);
    for (const m of receipts) expect(m.mail.html).toMatch(/€/);
    expect(all.filter((m) => m.mail.html && !m.mail.text).length).toBeGreaterThanOrEqual(2);
  });

  test("an invitation, a later update of it, and a cancelled one", () => {
    const invites = all.flatMap((m) =>
      m.mail.attachments
        .filter((a) => a.mimeType === "text/calendar" && a.method)
        .map((a) => ({
          method: a.method,
          text: bytes(a)
            .toString()
            .replace(/\r?\n /g, ""),
          folded: bytes(a),
        })),
    );
    const field = (text: string, name: string) => new RegExp(`^${name}[:;](.*?)\\r?$`, "m").exec(text)?.[1];
    const by = (method: string) => invites.filter((i) => i.method === method);
    expect(by("CANCEL").length).toBe(1);
    const uids = Map.groupBy(by("REQUEST"), (i) => field(i.text, "UID")!);
    const updated = [...uids.values()].find((versions) => versions.length === 2)!;
    expect(updated.map((i) => field(i.text, "SEQUENCE"))).toEqual(["0", "1"]);
    expect(field(updated[0]!.text, "DTSTART")).not.toBe(field(updated[1]!.text, "DTSTART"));
    expect(uids.has(field(by("CANCEL")[0]!.text, "UID")!)).toBe(true);
    const stamp = NOW.toISOString().replace(/[-:]|\.\d+/g, "");
    for (const i of invites) {
      expect(field(i.text, "DTSTART")! > stamp).toBe(true);
      expect(i.text).toContain(`mailto:${OWNER}`);
      for (const line of i.folded.toString().split("\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(76);
    }
  });

  test("a list, a code host, social notifications and spam look genuine", () => {
    expect(all.filter((m) => header(m, "list-post")).length).toBeGreaterThanOrEqual(5);
    expect(all.some((m) => m.mail.from!.address === "notifications@codeharbor.example")).toBe(true);
    expect(all.filter((m) => m.mail.from!.address === "notify@plaza.example").length).toBeGreaterThanOrEqual(3);
    for (const m of all) {
      const results = header(m, "authentication-results");
      if (m.folder === "sent") expect(results).toBeUndefined();
      else expect(results).toContain(m.folder === "spam" ? "dmarc=fail" : "dmarc=pass");
    }
  });
});

describe("attachments", () => {
  const named = (end: string) => attachments.filter((a) => a.filename?.endsWith(end));

  test("each kind is there", () => {
    for (const end of [".pdf", ".csv", ".png", ".docx", ".txt", ".ics", ".vcf"]) {
      expect(named(end).length).toBeGreaterThan(0);
    }
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    expect(new Set(named(".docx").map((a) => a.mimeType))).toEqual(new Set([type]));
  });

  test("PDF cross references point at their objects", () => {
    for (const file of named(".pdf").map((a) => bytes(a).toString("latin1"))) {
      expect(file.startsWith("%PDF-1.4\n") && file.endsWith("%%EOF\n")).toBe(true);
      const start = Number(/startxref\n(\d+)/.exec(file)![1]);
      expect(file.slice(start, start + 4)).toBe("xref");
      const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map((m) => Number(m[1]));
      for (const [i, at] of offsets.entries()) expect(file.slice(at)).toStartWith(`${i + 1} 0 obj\n`);
      const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(file)!;
      expect(stream!.length).toBe(Number(length));
    }
  });

  test("PNG chunks and pixels are complete", () => {
    for (const file of named(".png").map(bytes)) {
      expect(file.subarray(1, 4).toString()).toBe("PNG");
      const chunks = new Map<string, Buffer>();
      for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
        const end = at + 8 + file.readUInt32BE(at);
        expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
        chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, end));
      }
      const head = chunks.get("IHDR")!;
      const pixels = inflateSync(chunks.get("IDAT")!);
      expect(pixels.length).toBe((head.readUInt32BE(0) + 1) * head.readUInt32BE(4));
      expect(Math.max(...pixels)).toBeLessThan(chunks.get("PLTE")!.length / 3);
    }
  });

  test("DOCX files are ZIP archives with a document inside", () => {
    for (const file of named(".docx").map(bytes)) {
      const end = file.length - 22;
      expect(file.readUInt32LE(end)).toBe(0x06054b50);
      let at = file.readUInt32LE(end + 16);
      for (let entry = 0; entry < file.readUInt16LE(end + 10); entry++) {
        expect(file.readUInt32LE(at)).toBe(0x02014b50);
        const [size, length, local] = [
          file.readUInt32LE(at + 20),
          file.readUInt16LE(at + 28),
          file.readUInt32LE(at + 42),
        ];
        const name = file.toString("utf8", at + 46, at + 46 + length);
        expect(file.toString("utf8", local + 30, local + 30 + length)).toBe(name);
        const data = file.subarray(local + 30 + length, local + 30 + length + size);
        expect(file.readUInt32LE(at + 16)).toBe(crc32(data));
        if (name === "word/document.xml") expect(data.toString()).toContain("<w:t ");
        at += 46 + length;
      }
    }
  });

  test("an inline image is the one its HTML shows", () => {
    const inline = all.filter((m) => m.mail.html?.includes("cid:"));
    expect(inline.length).toBeGreaterThan(0);
    for (const m of inline) {
      const cid = /src="cid:([^"]+)"/.exec(m.mail.html!)![1];
      expect(m.mail.attachments.some((a) => a.contentId === `<${cid}>` && a.related)).toBe(true);
    }
  });
});
