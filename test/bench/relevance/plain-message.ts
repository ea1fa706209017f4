/** A message of one text part. */
export interface PlainMessage {
  /** Message-ID without its brackets. */
  id: string;
  subject: string;
  text: string;
  /** The From header. */
  from?: string;
}

/** Absent for mail without a sender. */
export const LIBRARIAN = "librarian@example.net";

/** Returns the message as a server would store it, CRLF line endings in the header. */
export function plainMessage({ id, subject, text, from = `Librarian <${LIBRARIAN}>` }: PlainMessage): Buffer {
  const head = [
    `From: ${from}`,
    "To: reader@example.org",
    `Subject: ${subject.replace(/\s+/g, " ").trim()}`,
    `Message-ID: <${id}>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}\r\n`);
}
