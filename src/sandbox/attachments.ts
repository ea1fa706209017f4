import { crc32, deflateSync } from "node:zlib";
import { escapeHtml } from "./body.ts";
import type { Picture, SandboxAttachment } from "./types.ts";

export interface MadeAttachment {
  filename: string;
  contentType: string;
  content: Buffer;
  cid?: string;
}

/** Generates the bytes of an attachment. `fill` resolves date templates in all text. The output is deterministic. */
export function makeAttachment(source: SandboxAttachment, fill: (text: string) => string): MadeAttachment {
  const made = (contentType: string, content: Buffer): MadeAttachment => ({
    filename: fill(source.name),
    contentType,
    content,
    ...(source.cid ? { cid: source.cid } : {}),
  });
  if ("pdf" in source) return made("application/pdf", pdf(fill(source.pdf.title), source.pdf.lines.map(fill)));
  if ("docx" in source) {
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    return made(type, docx(source.docx.map(fill)));
  }
  if ("csv" in source) {
    const cell = (text: string) => (/[",;\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const rows = source.csv.map((row) => row.map((text) => cell(fill(text))).join(","));
    return made("text/csv; charset=utf-8", Buffer.from(`${rows.join("\r\n")}\r\n`));
  }
  if ("text" in source) {
    return made(source.mime ?? "text/plain; charset=utf-8", Buffer.from(fill(source.text).replace(/\r?\n/g, "\r\n")));
  }
  return made("image/png", png(source.picture));
}

/** Characters outside Latin-1 that occur in the texts, with their codes in WinAnsiEncoding (PDF 1.7, annex D). */
const WIN_ANSI: Record<string, number> = {
  "€": 0x80,
  "–": 0x96,
  "—": 0x97,
  "’": 0x92,
  "“": 0x93,
  "”": 0x94,
  "•": 0x95,
};

/** Returns whether a PDF can show the text with its built-in fonts. */
export function isPdfText(text: string): boolean {
  return [...text].every((char) => WIN_ANSI[char] !== undefined || char.codePointAt(0)! <= 0xff);
}

function pdfString(text: string): string {
  let out = "";
  for (const char of text) {
    const code = WIN_ANSI[char] ?? char.codePointAt(0)!;
    if (code > 0xff) throw new Error(`no WinAnsi character for ${char}`);
    out += code > 0x7e ? `\\${code.toString(8)}` : /[\\()]/.test(char) ? `\\${char}` : char;
  }
  return `(${out})`;
}

/** Returns a one-page A4 PDF 1.4 with a bold title and lines of selectable, searchable text. */
export function pdf(title: string, lines: string[]): Buffer {
  const shown = lines.map((line) => `T* ${pdfString(line)} Tj`).join("\n");
  const stream = `BT\n/F2 18 Tf 56 780 Td ${pdfString(title)} Tj\n/F1 11 Tf 16 TL 0 -18 Td\n${shown}\nET`;
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 6 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>",
    font("Helvetica"),
    font("Helvetica-Bold"),
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    `<< /Title ${pdfString(title)} /Producer (Sandbox) >>`,
  ];
  let out = "%PDF-1.4\n";
  const offsets = objects.map((body, i) => {
    const at = out.length;
    out += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  out += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${out.lastIndexOf("xref\n0")}\n%%EOF\n`;
  return Buffer.from(out, "latin1");
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Returns an 8-bit indexed PNG. The palette contains the colors of the bands, then that of the disc. */
function png({ width, height, bands, disc }: Picture): Buffer {
  const palette = [...bands, ...(disc ? [disc.color] : [])];
  const rows = Buffer.alloc((width + 1) * height);
  const radius = disc ? (disc.r * Math.min(width, height)) ** 2 : 0;
  for (let y = 0; y < height; y++) {
    const row = y * (width + 1) + 1;
    rows.fill(Math.floor((y * bands.length) / height), row, row + width);
    if (!disc) continue;
    const rise = (y - disc.y * height) ** 2;
    if (rise >= radius) continue;
    const half = Math.sqrt(radius - rise);
    const left = Math.max(0, Math.ceil(disc.x * width - half));
    rows.fill(bands.length, row + left, row + Math.min(width, Math.floor(disc.x * width + half) + 1));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", head),
    pngChunk("PLTE", Buffer.from(palette.join(""), "hex")),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a ZIP of stored (uncompressed) entries, dated 1980-01-01, the earliest date of the format. */
function zip(files: [name: string, content: string][]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const data = Buffer.from(content);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const entry = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, path, data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, path]));
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/** Returns a WordprocessingML document. A paragraph that begins with `# ` is bold and larger. */
export function docx(paragraphs: string[]): Buffer {
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const schema = "http://schemas.openxmlformats.org";
  const run = (text: string) => {
    const heading = text.startsWith("# ");
    const style = heading ? '<w:rPr><w:b/><w:sz w:val="32"/></w:rPr>' : "";
    return `<w:p><w:r>${style}<w:t xml:space="preserve">${escapeHtml(heading ? text.slice(2) : text)}</w:t></w:r></w:p>`;
  };
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  const rels = "application/vnd.openxmlformats-package.relationships+xml";
  return zip([
    [
      "[Content_Types].xml",
      `${xml}<Types xmlns="${schema}/package/2006/content-types"><Default Extension="rels" ContentType="${rels}"/>` +
        `<Default Extension="xml" ContentType="application/xml"/>` +
        `<Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    ],
    [
      "_rels/.rels",
      `${xml}<Relationships xmlns="${schema}/package/2006/relationships"><Relationship Id="rId1" ` +
        `Type="${schema}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ],
    [
      "word/document.xml",
      `${xml}<w:document xmlns:w="${schema}/wordprocessingml/2006/main"><w:body>${paragraphs.map(run).join("")}</w:body></w:document>`,
    ],
  ]);
}
