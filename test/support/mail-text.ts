/** Builds a plain message in wire form, for tests that care about its location and not its content. */
export function mailText(of: {
  id: string;
  subject?: string;
  from?: string;
  to?: string;
  in_reply_to?: string;
  /** ms. */
  date?: number;
  text?: string;
}): string {
  const lines = [
    `From: ${of.from ?? "Bea <bea@example.net>"}`,
    `To: ${of.to ?? "alice@mail.test"}`,
    `Subject: ${of.subject ?? `About ${of.id}`}`,
    `Message-ID: <${of.id}@flows.test>`,
    ...(of.in_reply_to ? [`In-Reply-To: <${of.in_reply_to}@flows.test>`] : []),
    `Date: ${new Date(of.date ?? Date.parse("2026-01-05T10:00:00Z")).toUTCString()}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    of.text ?? `Hello, this is ${of.id}.`,
    "",
  ];
  return lines.join("\r\n");
}
