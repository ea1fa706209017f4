import { german } from "./notes-german.ts";
import { more } from "./notes-more.ts";
import { others } from "./notes-others.ts";

/** A short mail that we wrote. */
export interface Note {
  id: string;
  /** Day, "2026-03-04". */
  at: string;
  from: [name: string, address: string];
  subject: string;
  text: string;
  files?: string[];
}

/** The mailbox "notes": the mail of Lena Vogt, who writes and reads six languages. */
export const notes: Note[] = [...german, ...others, ...more];
export const NOTES_OWNER = "lena.vogt@notes.example";

const encoded = (text: string) => Buffer.from(text).toString("base64");
const word = (text: string) => (/^[ -~]*$/.test(text) ? text : `=?utf-8?B?${encoded(text)}?=`);
const folded = (text: string) => encoded(text).replace(/.{76}/g, "$&\r\n");

/** Returns the note as a message on a server, CRLF line endings. Files hold only their own names. */
export function rawNote({ id, at, from: [name, address], subject, text, files = [] }: Note): Uint8Array {
  const head = [
    `From: ${word(name)} <${address}>`,
    `To: Lena Vogt <${NOTES_OWNER}>`,
    `Subject: ${word(subject)}`,
    `Date: ${new Date(`${at}T09:00:00Z`).toUTCString()}`,
    `Message-ID: <${id}@notes.example>`,
    "MIME-Version: 1.0",
  ];
  const plain = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(text)}\r\n`;
  if (files.length === 0) return Buffer.from(`${head.join("\r\n")}\r\n${plain}`);
  const attached = files.map((file) => {
    const type = `Content-Type: application/octet-stream; name="${word(file)}"`;
    const disposition = `Content-Disposition: attachment; filename="${word(file)}"`;
    return `${type}\r\n${disposition}\r\nContent-Transfer-Encoding: base64\r\n\r\n${folded(file)}\r\n`;
  });
  const parts = [plain, ...attached].map((part) => `--part\r\n${part}`).join("");
  return Buffer.from(
    `${head.join("\r\n")}\r\nContent-Type: multipart/mixed; boundary=part\r\n\r\n${parts}--part--\r\n`,
  );
}
