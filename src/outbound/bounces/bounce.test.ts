import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { FIXTURES } from "../../../test/support/fixtures-path.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import { type Bounce, readBounce } from "./bounce.ts";

const ID = "<snd_1@mail.test>";

async function read(raw: string): Promise<Bounce | null> {
  return readBounce(await parseMessage(Buffer.from(raw.replace(/\r?\n/g, "\r\n"))));
}

function report(
  status: string,
  {
    from = "MAILER-DAEMON@mx.test (Mail Delivery System)",
    type = 'multipart/report; report-type=delivery-status; boundary="b"',
  } = {},
): string {
  return [
    `From: ${from}`,
    "Subject: Undelivered Mail Returned to Sender",
    "Auto-Submitted: auto-replied",
    `Content-Type: ${type}`,
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "I'm sorry to have to inform you that your message could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    status,
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    "From: alice@mail.test",
    "Subject: hello",
    "Message-ID:",
    ` ${ID}`,
    "--b--",
    "",
  ].join("\n");
}

test("RFC 3464: each recipient with action, status and the server's reply", async () => {
  const status = [
    "Reporting-MTA: dns; mx.test",
    "",
    "Final-Recipient: rfc822; real@inner.test",
    "Original-Recipient: rfc822;bob@mail.test",
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 <real@inner.test>: User",
    "    unknown",
    "",
    "Final-Recipient: rfc822;<carol@mail.test>",
    "Action: delayed (will retry)",
    "Status: 4.4.1 (no answer)",
    "",
    "Final-Recipient: utf-8; \\x{17E}ofie@mail.test",
    "Action: relayed",
    "Status: 2.0.0",
  ].join("\n");
  expect(await read(report(status))).toEqual({
    originalMessageId: ID,
    recipients: [
      {
        address: "bob@mail.test",
        action: "failed",
        status: "5.1.1",
        diagnostic: "550 5.1.1 <real@inner.test>: User unknown",
      },
      { address: "carol@mail.test", action: "delayed", status: "4.4.1", diagnostic: null },
      { address: "žofie@mail.test", action: "relayed", status: "2.0.0", diagnostic: null },
    ],
  });
});

test("the report may name the message, or the notification may only refer to it by In-Reply-To", async () => {
  const base = "Final-Recipient: rfc822; bob@mail.test\nAction: failed\nStatus: 5.0.0";
  const withoutCopy = (status: string) =>
    report(status).replace(/--b\nContent-Type: text\/rfc822-headers[\s\S]*$/, "--b--\n");
  expect((await read(withoutCopy(`X-Original-Message-ID: ${ID}\n\n${base}`)))!.originalMessageId).toBe(ID);
  expect((await read(`In-Reply-To: ${ID}\n${withoutCopy(base)}`))!.originalMessageId).toBe(ID);
  expect((await read(withoutCopy(base)))!.originalMessageId).toBeNull();
});

const COPY = `Return-Path: <alice@mail.test>\nReceived: from x\nMessage-ID: ${ID}\nFrom: alice@mail.test\nTo: someone.else@mail.test\n\nhi\n`;

/** Formats of servers that send text for people only. */
const SHAPES: [string, string, Partial<Bounce["recipients"][number]>][] = [
  [
    "qmail",
    `From: MAILER-DAEMON@mx.test\nSubject: failure notice\n\nHi. This is the qmail-send program at mx.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<bob@mail.test>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 5.1.1 unknown\nGiving up on 192.0.2.1.\n\n--- Below this line is a copy of the message.\n\n${COPY}`,
    { action: "failed", status: "5.1.1" },
  ],
  [
    "Exim",
    `From: Mail Delivery System <Mailer-Daemon@mx.test>\nX-Failed-Recipients: bob@mail.test\nAuto-Submitted: auto-replied\nSubject: Mail delivery failed: returning message to sender\n\nThis message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  bob@mail.test\n    SMTP error from remote mail server after RCPT TO:<bob@mail.test>:\n    550 5.1.1 no such user\n\n------ This is a copy of the message, including all the headers. ------\n\n${COPY}`,
    { action: "failed", status: "5.1.1" },
  ],
  [
    "Exim, waiting",
    `From: Mail Delivery System <Mailer-Daemon@mx.test>\nSubject: Warning: message 1abc delayed 24 hours\n\nThis message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on mx.test.\n\nThe address to which the message has not yet been delivered is:\n\n  bob@mail.test\n    Delay reason: connection timed out\n\nNo action is required on your part. Delivery attempts will continue for\nsome time, and this warning may be repeated at intervals if the message\nremains undelivered.\n`,
    { action: "delayed", diagnostic: "Delay reason: connection timed out" },
  ],
  [
    "old Postfix",
    `From: MAILER-DAEMON@mx.test (Mail Delivery System)\nSubject: Undelivered Mail Returned to Sender\n\nThis is the Postfix program at host mx.test.\n\nI'm sorry to have to inform you that your message could not be\ndelivered to one or more recipients.\n\n<bob@mail.test>: host mx2.test[192.0.2.2] said: 550 5.7.1 blocked (in\n    reply to RCPT TO command)\n`,
    { action: "failed", status: "5.7.1" },
  ],
  [
    "old Exchange",
    `From: System Administrator <postmaster@corp.test>\nSubject: Undeliverable: hello\n\nYour message\n\n  Subject: hello\n  Sent: Sun, 21 Jan 2001 09:24:27 +0100\n\ndid not reach the following recipient(s):\n\nbob@mail.test on Mon, 25 Feb 2002 13:32:23 +0100\n    The recipient name is not recognized\n    MSEXCH:IMS:Corp:I:SRV 0 (000C05A6) Unknown Recipient\n`,
    { action: "failed", status: null },
  ],
  [
    "Exchange 2003",
    `From: postmaster@corp.test\nSubject: Undeliverable: hello\n\nYour message did not reach some or all of the intended recipients.\n\n      Subject: hello\n\nThe following recipient(s) could not be reached:\n\n      bob@mail.test on 1/2/2004 3:04 PM\n            The e-mail account does not exist at the organization this message was sent to.\n            <corp.test #5.1.1>\n`,
    { action: "failed", status: "5.1.1" },
  ],
  [
    "sendmail",
    `From: Mail Delivery Subsystem <MAILER-DAEMON@mx.test>\nSubject: Returned mail: see transcript for details\n\nThe original message was received at Mon, 2 Mar 2026 09:00:00 GMT\nfrom localhost [127.0.0.1]\n\n   ----- The following addresses had permanent fatal errors -----\n<bob@mail.test>\n    (reason: 550 5.1.1 User unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx2.test.:\n550 5.1.1 User unknown\n`,
    { action: "failed", diagnostic: "550 5.1.1 User unknown" },
  ],
  [
    "old Gmail",
    `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nX-Failed-Recipients: bob@mail.test\nSubject: Delivery Status Notification (Failure)\n\nDelivery to the following recipient failed permanently:\n\n     bob@mail.test\n\nTechnical details of permanent failure:\nGoogle tried to deliver your message, but it was rejected by the server for the recipient domain.\nThe error that the other server returned was:\n550 5.1.1 unknown user\n\n----- Original message -----\n\n${COPY}`,
    { action: "failed" },
  ],
  [
    "old Gmail, waiting",
    `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Delay)\n\nThis is an automatically generated Delivery Status Notification\n\nTHIS IS A WARNING MESSAGE ONLY.\n\nYOU DO NOT NEED TO RESEND YOUR MESSAGE.\n\nDelivery to the following recipient has been delayed:\n\n     bob@mail.test\n\nMessage will be retried for 2 more day(s)\n`,
    { action: "delayed" },
  ],
  [
    "Yahoo",
    `From: MAILER-DAEMON@yahoo.com\nSubject: Failure Notice\n\nSorry, we were unable to deliver your message to the following address.\n\n<bob@mail.test>:\n550: 5.1.1 Unknown recipient\n\n--- Below this line is a copy of the message.\n\n${COPY}`,
    { action: "failed", status: "5.1.1" },
  ],
  [
    "in a sentence",
    `From: postmaster@mx.test\nSubject: Mail delivery failure\n\nThis message was created automatically. A message that you sent could not be delivered.\n\nThe following message, addressed to 'bob@mail.test',\nfailed because it has not been collected after 30 days\n\n---- START OF RETURNED MESSAGE ----\n${COPY}`,
    { action: "failed" },
  ],
];

test.each(SHAPES)("%s", async (_name, raw, expected) => {
  const bounce = await read(raw);
  expect(bounce?.recipients).toEqual([expect.objectContaining({ address: "bob@mail.test", ...expected })]);
  expect(bounce?.originalMessageId).toBe(raw.includes(ID) ? ID : null);
});

const ORDINARY: [string, string][] = [
  [
    "a person who writes about a bounce",
    "From: bob@mail.test\nSubject: Undelivered Mail Returned to Sender\n\nHi, my mail could not be delivered to\n\n  <carol@mail.test>:\n  550 no such user\n\nWhat now?\n",
  ],
  [
    "a reply out of the office",
    "From: bob@mail.test\nAuto-Submitted: auto-replied\nSubject: Out of office: hello\n\nI am away. In urgent cases write to\n\n  carol@mail.test\n\nYour message will not be delivered to anybody else.\n",
  ],
  [
    "a read receipt",
    'From: bob@mail.test\nSubject: Read: hello\nContent-Type: multipart/report; report-type=disposition-notification; boundary="b"\n\n--b\nContent-Type: text/plain\n\nread\n--b\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822;bob@mail.test\nDisposition: manual-action/MDN-sent-manually; displayed\n--b--\n',
  ],
  [
    "a bounce that someone forwards as an attachment",
    `From: bob@mail.test\nSubject: Fwd: failure\nContent-Type: multipart/mixed; boundary="o"\n\n--o\nContent-Type: text/plain\n\nlook\n--o\nContent-Type: message/rfc822\n\n${report("Final-Recipient: rfc822; x@y.test\nAction: failed")}\n--o--\n`,
  ],
  [
    "parts of a bounce inside a person's mail",
    report("Final-Recipient: rfc822; x@y.test\nAction: failed", {
      from: "bob@mail.test",
      type: 'multipart/mixed; boundary="b"',
    }),
  ],
  [
    "the postmaster's newsletter",
    "From: postmaster@mail.test\nSubject: Maintenance\n\nOn Sunday we move the server. Questions to\n\n  help@mail.test\n",
  ],
  [
    "a list's daemon",
    "From: MAILER-DAEMON@list.test\nList-Id: <x.list.test>\nSubject: x\n\nMail could not be delivered to\n\n<bob@mail.test>:\nno\n",
  ],
  ["an empty report", report("Reporting-MTA: dns; mx.test", { from: "bob@mail.test" })],
  ["nothing", ""],
];

test.each(ORDINARY)("no bounce: %s", async (_name, raw) => {
  expect(await read(raw)).toBeNull();
});

test("reading a daemon's mail ends and never throws, for any content", async () => {
  const piece = fc.constantFrom(
    "<a@b>:",
    "  a@b",
    "could not be delivered",
    "\n",
    "\n\n",
    ">",
    "@",
    "<",
    "550 5.1.1 x",
    "--- Below this line",
    ": ",
    "Message-ID: <x@y>",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, fc.string({ maxLength: 20 })), { maxLength: 60 }), async (pieces) => {
      const bounce = await read(`From: MAILER-DAEMON@mx.test\nSubject: failure\n\n${pieces.join("")}`);
      for (const { address } of bounce?.recipients ?? []) expect(address).toMatch(/^[^\s<>]+@[^\s<>]+$/);
    }),
  );
  const long = `From: MAILER-DAEMON@mx.test\n\ncould not be delivered\n${"<a@b>:".repeat(100_000)}\n${"a@".repeat(100_000)}${" ".repeat(100_000)}`;
  const work = workFromNow();
  await read(long);
  expect(work()).toBeLessThan(4_000);
});

const suites: [string, string[], Partial<Bounce["recipients"][number]>[]][] = [
  [
    "mailparser/delivery-status.eml",
    ["<xxxxx@email.amazonses.com>"],
    [{ address: "xxxx@xxxx.com", action: "failed", status: "5.1.1" }],
  ],
  [
    "ruby-mail/emails/multipart_report_emails/report_422.eml",
    ["<15655788.13.1200472642578.JavaMail.Administrator@mail.ttttt.com.au>"],
    [{ action: "delayed", status: "4.2.2" }],
  ],
  [
    "ruby-mail/emails/multipart_report_emails/report_530.eml",
    ["<200712232303.lBNN3jDq002941@mail12.rrrr.com.au>"],
    [{ action: "failed", status: "5.3.0" }],
  ],
  [
    "ruby-mail/emails/multipart_report_emails/multipart_report_multiple_status.eml",
    ["<4c2a146147ac8_61ff157c4ec1652df@s.h.c.mail>"],
    [{ address: "u@ci.com", status: "5.3.0" }],
  ],
  [
    "ruby-mail/emails/multipart_report_emails/multi_address_bounce1.eml",
    ["<118707422.15521266992174819.JavaMail.root@lvmail01>"],
    Array.from({ length: 5 }, () => ({ action: "failed" as const, status: "5.1.1" })),
  ],
  [
    "cpython/msg_16.txt",
    ["<002001c144a6$8752e060$56104586@oxy.edu>"],
    [{ address: "jangel1@cougar.noc.ucla.edu", status: "5.0.0" }],
  ],
  [
    "cpython/msg_43.txt",
    ["<edab.7804f5cb8070@python.org>"],
    Array.from({ length: 11 }, () => ({ action: "failed" as const, status: "5.7.1" })),
  ],
];
const present = existsSync(FIXTURES);
if (!present)
  console.info("skipped: delivery status notifications of other projects' test suites are not beside this project");

test.skipIf(!present).each(suites)("real notification %s", async (file, [id], recipients) => {
  const bounce = readBounce(await parseMessage(readFileSync(join(FIXTURES, "mime", file))));
  expect(bounce?.originalMessageId).toBe(id!);
  expect(bounce?.recipients).toEqual(recipients.map((one) => expect.objectContaining(one)));
});
