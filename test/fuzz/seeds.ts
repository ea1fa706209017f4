/** Small seeds of our own, so that fuzzing works without third-party collections. */

const crlf = (text: string): string => text.trimStart().replaceAll("\n", "\r\n");

export const MAIL_SEEDS: readonly string[] = [
  `
From: =?utf-8?q?M=C3=BCller?= <m@example.net>
To: "A, B" <a@example.org>, group: b@example.org, c@example.org;
Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?utf-8?B?4pyT?=
Message-ID: <1@example.net>
References: <0@example.net> <broken
Date: Mon, 02 Mar 2026 09:00:00 +0000 (UTC)
Content-Type: text/plain; charset=iso-8859-15; format=flowed; delsp=yes
Content-Transfer-Encoding: quoted-printable

Caf=E9 and a soft=
 break.

> quoted
>> twice

On Mon, 2 Mar 2026 Bob wrote:
> older
--=20
Bob
`,
  `
From: a@example.net
Subject: parts
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

preamble
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset="utf-7"

+AGE-bc
--inner
Content-Type: text/html; charset=utf-8

<p style="color:red">Hello <a href="javascript:alert(1)">you</a><img src=cid:1 width=1 height=1></p><blockquote>old</blockquote>
--inner--
--outer
Content-Type: application/pdf; name*0*=UTF-8''r%c3%a9; name*1="sum.pdf"
Content-Disposition: attachment; filename="=?utf-8?q?a=2Fb?="
Content-Transfer-Encoding: base64

JVBERi0xLjQKJeLjz9MK
--outer
Content-Type: message/rfc822

From: inner@example.net
Subject: inside

text
--outer--
epilogue
`,
  `
From: MAILER-DAEMON@example.net
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Final-Recipient: rfc822; nobody@example.org
Action: failed
Status: 5.1.1

--b--
`,
  `
From: winmail@example.net
Content-Type: text/calendar; method=REQUEST; charset=utf-8

BEGIN:VCALENDAR
METHOD:REQUEST
END:VCALENDAR
`,
  "\r\n",
  "begin 644 file.txt\r\n#0V%T\r\n`\r\nend\r\n",
].map(crlf);

export const MAIL_WORDS = [
  "\r\n",
  "\r\n\r\n",
  "\n",
  "--outer\r\n",
  "--inner--\r\n",
  "Content-Type: multipart/mixed; boundary=outer\r\n\r\n--outer\r\n",
  "Content-Type: message/rfc822\r\n\r\n",
  'Content-Type: text/plain; charset="x-unknown"\r\n',
  "charset=utf-16le",
  "Content-Transfer-Encoding: base64\r\n",
  "Content-Transfer-Encoding: x-uuencode\r\n",
  "=?utf-8?q?=?=",
  "=?iso-2022-jp?B?",
  "?=",
  "=\r\n",
  "=FF",
  "<div>",
  "<blockquote>",
  "<table><tr><td>",
  "</",
  "<style>",
  "<!--",
  "&#x110000;",
  "> ",
  "((((",
  '"""',
  "<<<@>>>",
  "\0",
  "\ufeff",
  "name*0*=",
  "; boundary=",
  "On Mon, someone wrote:\r\n",
  "From: a\r\nSent: b\r\nTo: c\r\nSubject: d\r\n\r\n",
  "-----Original Message-----\r\n",
];

export const CALENDAR_SEEDS: readonly string[] = [
  `
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//x//y//EN
METHOD:REQUEST
BEGIN:VTIMEZONE
TZID:Europe/Lisbon
BEGIN:STANDARD
DTSTART:19961027T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0100
TZOFFSETTO:+0000
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19960331T010000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0000
TZOFFSETTO:+0100
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.net
SEQUENCE:2
DTSTAMP:20260301T090000Z
DTSTART;TZID=Europe/Lisbon:20260302T090000
DURATION:PT1H
RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=20
EXDATE;TZID=Europe/Lisbon:20260309T090000
SUMMARY:Planning\\, weekly
ORGANIZER;CN="Bob":mailto:bob@example.net
ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:alice@example.org
END:VEVENT
BEGIN:VEVENT
UID:1@example.net
RECURRENCE-ID;TZID=Europe/Lisbon:20260311T090000
DTSTAMP:20260301T090000Z
DTSTART;TZID=Europe/Lisbon:20260311T100000
SUMMARY:Planning\\, moved
END:VEVENT
END:VCALENDAR
`,
  `
BEGIN:VCALENDAR
METHOD:CANCEL
BEGIN:VEVENT
UID:2@example.net
DTSTART;VALUE=DATE:20260302
DTEND;VALUE=DATE:20260304
RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20991231
STATUS:CANCELLED
END:VEVENT
END:VCALENDAR
`,
  `
BEGIN:VCALENDAR
METHOD:REPLY
BEGIN:VEVENT
UID:1@example.net
DTSTAMP:20260301T090000Z
ATTENDEE;PARTSTAT=ACCEPTED:mailto:alice@example.org
END:VEVENT
END:VCALENDAR
`,
].map(crlf);

export const CALENDAR_WORDS = [
  "BEGIN:VEVENT\r\n",
  "END:VEVENT\r\n",
  "BEGIN:VCALENDAR\r\n",
  "RRULE:FREQ=SECONDLY\r\n",
  "RRULE:FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2\r\n",
  "RRULE:FREQ=DAILY;INTERVAL=0\r\n",
  "RRULE:FREQ=MONTHLY;BYSETPOS=-400;BYDAY=MO\r\n",
  "RDATE:20260101T000000Z\r\n",
  "DTSTART:99991231T235959Z\r\n",
  "DTSTART:00000000\r\n",
  "DTSTART;TZID=No/Where:20260302T090000\r\n",
  "DURATION:P99999999W\r\n",
  "TZOFFSETTO:+9999\r\n",
  ';X="',
  "\r\n ",
  ":",
  "\\n",
  "COUNT=999999999",
  "UNTIL=",
];

export const VCARD_SEEDS: readonly string[] = [
  "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada L\r\nN:L;Ada;;;\r\nEMAIL;TYPE=INTERNET:ada@example.org\r\nNOTE:x\\ny\r\nEND:VCARD\r\n",
  "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC;B\r\nEMAIL:b@example.org\r\nEND:VCARD\r\n",
];

export const QUERY_SEEDS: readonly string[] = [
  'from:bob subject:"annual report" -draft',
  "is:unread has:attachment before:2026-03-01 OR label:Invoices",
  "in:archived older_than:3d newer_than:2w pay*",
  'to:(ada OR bob) "exact phrase" -"not this" 東京 café',
  "filename:pdf cc:team@example.org is:starred",
  "{from:me list:dev} -(subject:(a OR b) larger:10M) has:{pdf images}",
  "category:social older:7d newer:11/20/2026 rfc822msgid:<a@b.example>",
];

export const QUERY_WORDS = [
  '"',
  "-",
  "OR ",
  "OR OR ",
  "from:",
  "before:",
  "older_than:",
  "larger:",
  "rfc822msgid:<",
  "subject:(",
  "-{",
  "(",
  ")",
  "*",
  ":",
  "::",
  "is:",
  "in:",
  "AND ",
  "NOT ",
  "NEAR(",
  "\0",
  "^",
  "{",
  "}",
  "ａ",
  "\u202e",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "a".repeat(500),
];

/** Answers of a server in order: greeting, login, list, select, fetch. */
export const IMAP_SEEDS: readonly string[] = [
  crlf(`
* LIST (\\HasNoChildren \\Inbox) "/" INBOX
* LIST (\\HasChildren \\Noselect) "/" "A b"
* LIST (\\HasNoChildren) NIL {5}
Jobs&
* LIST () "/" "&Jjo-"
`),
  crlf(`
* 2 EXISTS
* 0 RECENT
* FLAGS (\\Seen \\Answered \\Flagged \\Deleted \\Draft pr_mzxw6)
* OK [PERMANENTFLAGS (\\Seen \\*)] ok
* OK [UIDVALIDITY 1700000000] ok
* OK [UIDNEXT 8] ok
* OK [HIGHESTMODSEQ 715194045007] ok
`),
  crlf(`
* 1 FETCH (UID 5 FLAGS (\\Seen) RFC822.SIZE 310 INTERNALDATE "17-Jul-2026 02:44:25 -0700" BODY[] {12}
Subject: a

)
* 2 FETCH (UID 7 FLAGS () MODSEQ (624140003) BODYSTRUCTURE (("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1 NIL NIL NIL)("APPLICATION" "PDF" ("NAME" "a.pdf") "<1>" NIL "BASE64" 9000 NIL ("ATTACHMENT" ("FILENAME" "a.pdf")) NIL) "MIXED" ("BOUNDARY" "x") NIL NIL))
* 3 FETCH (ENVELOPE ("Mon, 2 Mar 2026 09:00:00 +0000" "s" (("Bob" NIL "bob" "example.net")) NIL NIL NIL NIL NIL "<0@x>" "<1@x>"))
`),
  "* STATUS INBOX (MESSAGES 2 UIDNEXT 8 UIDVALIDITY 1700000000 HIGHESTMODSEQ 9)\r\n",
  '* SEARCH 1 2 3 5 8\r\n* ESEARCH (TAG "A1") UID ALL 1:3,5\r\n',
  "* VANISHED (EARLIER) 41,43:116,118\r\n* 3 EXPUNGE\r\n",
];

export const IMAP_WORDS = [
  "(",
  ")",
  "((((((((",
  '"',
  "\\",
  "{0}\r\n",
  "{5}\r\n",
  "{4294967296}\r\n",
  "{-1}\r\n",
  "~{3}\r\n",
  "NIL",
  "\r\n",
  "* ",
  "+ ",
  "[",
  "]",
  "* BYE bye\r\n",
  "* OK [ALERT] x\r\n",
  "* BAD x\r\n",
  "\0",
  "BODY[]",
  "BODY[HEADER.FIELDS (",
  "UID 0",
  "UID 4294967296",
  "* 99999999999999999999 EXISTS\r\n",
  "<0.5>",
  "* CAPABILITY IMAP4rev1 QRESYNC CONDSTORE\r\n",
];

export const CURSOR_WORDS = ["A", "-", "_", "=", "%", "\0", "é", "AAAA", "..", "/"];
