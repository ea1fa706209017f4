import type { LoadedMessage } from "../support/dovecot.ts";

const HOUR_MS = 3_600_000;

interface Letter {
  id: string;
  from: string;
  subject: string;
  text: string;
  headers?: string[];
  type?: string;
}

const NOOR = "Noor Haddad <noor@partner.example>";

/** The trace of a receiving server that checked the sender. */
const CHECKED = [
  "Authentication-Results: mx.mail.test; spf=pass smtp.mailfrom=noor@partner.example; dmarc=pass header.from=partner.example",
  "Received: from out.partner.example (out.partner.example [203.0.113.9]) by mx.mail.test (Postfix) with ESMTPS id 1",
];

/** Mail with everything that a stored message has: an HTML part, an attachment, a list, a question. */
const LETTERS: readonly Letter[] = [
  {
    id: "posters",
    from: NOOR,
    subject: "The posters",
    text: "Could you send me the posters by Friday?",
    headers: CHECKED,
  },
  {
    ...{ id: "figures", from: NOOR, subject: "The figures", type: 'multipart/mixed; boundary="b"' },
    text: [
      ...["--b", 'Content-Type: multipart/alternative; boundary="c"', ""],
      ...["--c", "Content-Type: text/plain; charset=utf-8", "", "Could you check the figures?", ""],
      ...["--c", "Content-Type: text/html; charset=utf-8", "", "<p>Could you check the <b>figures</b>?</p>", "--c--"],
      ...["--b", 'Content-Type: text/csv; name="figures.csv"'],
      ...['Content-Disposition: attachment; filename="figures.csv"', "", "month,total", "May,12", "--b--", ""],
    ].join("\r\n"),
  },
  {
    ...{ id: "offers", from: "Shop <news@shop.example>", subject: "Offers of the week", text: "Everything for less." },
    headers: [
      "List-Id: Offers <offers.shop.example>",
      "List-Unsubscribe: <https://shop.example/leave/1>, <mailto:leave@shop.example>",
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ],
  },
  {
    ...{ id: "answer", from: NOOR, subject: "Re: The posters", text: "I will pay you 240 euros on Monday." },
    headers: ["In-Reply-To: <posters@partner.example>", "References: <posters@partner.example>"],
  },
  {
    ...{ id: "lunch", from: "Bob <bob@mail.test>", subject: "Lunch", text: "Shall we meet on Tuesday at noon?" },
    headers: ["Cc: Dora <dora@partner.example>", "Bcc: Carol <carol@mail.test>", "Reply-To: Bob <bob@partner.example>"],
  },
];

export function sampleMails(now: number): LoadedMessage[] {
  return LETTERS.map(({ id, from, subject, text, headers = [], type }, i) => {
    const date = new Date(now - (LETTERS.length - i) * HOUR_MS);
    const head = [
      ...[`From: ${from}`, "To: Alice <alice@mail.test>", `Subject: ${subject}`, `Date: ${date.toUTCString()}`],
      ...[`Message-ID: <${id}@partner.example>`, "MIME-Version: 1.0", ...headers],
      `Content-Type: ${type ?? "text/plain; charset=utf-8"}`,
    ];
    return { raw: [...head, "", text, ""].join("\r\n"), date };
  });
}

/** Returns the report of a server that could not deliver a message to its first recipient (RFC 3464). */
export function bounceOf(raw: string): string {
  const [, to] = /^To: .*?([^\s<>,]+@[^\s<>,]+)/m.exec(raw)!;
  const [id] = /^Message-ID: .*$/im.exec(raw)!;
  return [
    ...["From: Mail Delivery System <mailer-daemon@partner.example>", "To: alice@mail.test"],
    ...["Subject: Undelivered Mail Returned to Sender", `Date: ${new Date().toUTCString()}`],
    ...["Message-ID: <bounce@partner.example>", "Auto-Submitted: auto-replied", "MIME-Version: 1.0"],
    ...['Content-Type: multipart/report; report-type=delivery-status; boundary="r"', ""],
    ...["--r", "Content-Type: text/plain", "", "Your message could not be delivered.", ""],
    ...["--r", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; partner.example", ""],
    ...[`Final-Recipient: rfc822; ${to}`, "Action: failed", "Status: 5.2.2"],
    ...["Diagnostic-Code: smtp; 552 5.2.2 Mailbox full", ""],
    ...["--r", "Content-Type: text/rfc822-headers", "", id, "", "--r--", ""],
  ].join("\r\n");
}
