import { isPdfText } from "./attachments.ts";
import { cellsOf, type FieldReader } from "./blocks.ts";
import { type Brand, newsletter, notice, type Rendered, receipt } from "./layouts.ts";
import type { Invite, Picture, SandboxAttachment, SandboxMessage } from "./types.ts";
import * as values from "./values.ts";

/** The objects that the blocks of a file refer to by name. */
export interface Shared {
  brands: Map<string, Brand>;
  headers: Map<string, Record<string, string>>;
}

type ReadPart = (part: FieldReader, message: SandboxMessage, parts: readonly FieldReader[], shared: Shared) => void;

const READ: Record<string, ReadPart> = {
  html: (part, message) => {
    message.html = part.text();
  },
  notice: (part, message, _parts, shared) => render(part, message, readNotice(part, shared)),
  receipt: (part, message, _parts, shared) => render(part, message, readReceipt(part, shared)),
  newsletter: (part, message, parts, shared) => render(part, message, readNewsletter(part, parts, shared)),
  article: ofNewsletter,
  closing: ofNewsletter,
  pdf: (part, message) => attach(part, message, () => ({ pdf: readPdf(part) })),
  docx: (part, message) => attach(part, message, () => ({ docx: part.text().split("\n") })),
  csv: (part, message) => attach(part, message, () => ({ csv: part.text().split("\n").map(cellsOf) })),
  text: (part, message) => attach(part, message, () => readText(part)),
  picture: (part, message) => attach(part, message, () => ({ picture: readPicture(part) })),
  invite: (part, message) => {
    message.invite = readInvite(part);
  },
};

/** Reads the blocks below a message: its layout, HTML, attachments and invitation. */
export function readParts(message: SandboxMessage, parts: readonly FieldReader[], shared: Shared): void {
  for (const part of parts) {
    const read = READ[part.block.kind];
    if (!read) part.fail(`\`${part.block.kind}\` is none of: message, ${Object.keys(READ).join(", ")}.`);
    read(part, message, parts, shared);
  }
}

function ofNewsletter(part: FieldReader, _message: SandboxMessage, parts: readonly FieldReader[]): void {
  if (!parts.some(({ block }) => block.kind === "newsletter")) part.fail("This needs a `--- newsletter` above.");
}

function render(part: FieldReader, message: SandboxMessage, { html, body }: Rendered): void {
  if (message.body !== undefined) part.fail("A message with a layout has no text of its own.");
  message.html = html;
  if (!part.value("html-only", "`yes`", values.asYes)) message.body = body;
  part.text();
}

function brandOf(part: FieldReader, { brands }: Shared): Brand {
  return part.needed("brand", "the name of a `=== brand` above", (name) => brands.get(name));
}

function readNotice(part: FieldReader, shared: Shared): Rendered {
  const [label = "", path = ""] = part.rows("button", 2)[0] ?? [];
  const token = part.optional("token");
  return notice(brandOf(part, shared), {
    heading: part.required("heading"),
    paragraphs: part.block.text.split(/\n{2,}/),
    ...(label ? { button: { label, path } } : {}),
    ...(token ? { token } : {}),
  });
}

function readReceipt(part: FieldReader, shared: Shared): Rendered {
  const [head] = part.rows("columns", 3) as [string, string, string][];
  const note = part.optional("note");
  const logo = part.optional("logo");
  return receipt(brandOf(part, shared), {
    title: part.required("title"),
    intro: part.block.text,
    facts: part.rows("fact", 2) as [string, string][],
    rows: part.rows("row", 3) as [string, string, string][],
    totals: part.rows("total", 2) as [string, string][],
    ...(head ? { head } : {}),
    ...(note ? { note } : {}),
    ...(logo ? { logo } : {}),
  });
}

function readNewsletter(part: FieldReader, parts: readonly FieldReader[], shared: Shared): Rendered {
  const more = part.optional("more");
  const unsubscribe = part.optional("unsubscribe");
  const articles = parts
    .filter(({ block }) => block.kind === "article")
    .map((article) => {
      const img = article.optional("image");
      const path = article.required("path");
      return { title: article.block.name, text: article.text(), path, ...(img ? { img } : {}) };
    });
  const closing = parts.find(({ block }) => block.kind === "closing")?.text();
  return newsletter(brandOf(part, shared), {
    title: part.required("title"),
    intro: part.block.text,
    articles,
    token: part.required("token"),
    ...(closing ? { closing } : {}),
    ...(more ? { more } : {}),
    ...(unsubscribe ? { unsubscribe } : {}),
  });
}

type Kind = SandboxAttachment extends infer Each ? (Each extends unknown ? Omit<Each, "name" | "cid"> : never) : never;

function attach(part: FieldReader, message: SandboxMessage, content: () => Kind): void {
  const cid = part.optional("content-id");
  const name = part.name();
  const attachment = { name, ...(cid ? { cid } : {}), ...content() } as SandboxAttachment;
  part.text();
  message.attachments = [...(message.attachments ?? []), attachment];
}

function readText(part: FieldReader): { text: string; mime?: string } {
  const mime = part.optional("type");
  return { text: `${part.text()}\n`, ...(mime ? { mime } : {}) };
}

function readPdf(part: FieldReader): { title: string; lines: string[] } {
  const title = part.required("title");
  const lines = part.block.text.split("\n");
  for (const line of [title, ...lines]) if (!isPdfText(line)) part.fail(`A PDF cannot show this line: ${line}`);
  return { title, lines };
}

function readPicture(part: FieldReader): Picture {
  const size = part.needed("size", "width and height, such as `320x200`", (value) => {
    const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(value) ?? [];
    return width && height ? { width: Number(width), height: Number(height) } : undefined;
  });
  const bands = part.needed("bands", "colors such as `2b1d14`, from top to bottom", (value) => {
    const colors = value.split(/\s+/);
    return colors.every(isColor) ? colors : undefined;
  });
  const disc = part.value("disc", "x, y, radius and color, such as `0.5 0.4 0.2 e8c07d`", (value) => {
    const [x, y, r, color = "", more] = value.split(/\s+/);
    const numbers = [x, y, r].map(Number);
    if (more !== undefined || !isColor(color) || numbers.some(Number.isNaN)) return undefined;
    return { x: numbers[0]!, y: numbers[1]!, r: numbers[2]!, color };
  });
  part.noText();
  return { ...size, bands, ...(disc ? { disc } : {}) };
}

const isColor = (text: string): boolean => /^[0-9a-f]{6}$/.test(text);

function readInvite(part: FieldReader): Invite {
  const location = part.optional("location");
  const description = part.optional("description");
  const rrule = part.optional("repeat");
  const invite: Invite = {
    method: part.needed("method", "`REQUEST` or `CANCEL`", values.asMethod),
    uid: part.required("uid"),
    sequence: part.needed("sequence", "a number", values.asNumber),
    summary: part.required("summary"),
    start: part.needed("start", values.A_TIME, values.asWhen),
    minutes: part.needed("minutes", "a number", values.asNumber),
    organizer: part.needed("organizer", values.A_PERSON, values.asPerson),
    attendees: part.list("attendees", values.A_PERSON, values.asPerson) ?? [],
    ...(location ? { location } : {}),
    ...(description ? { description } : {}),
    ...(rrule ? { rrule } : {}),
  };
  part.noText();
  return invite;
}
