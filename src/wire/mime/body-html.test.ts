import { describe, expect, test } from "bun:test";
import { htmlToText } from "../html/text.ts";
import { splitBody } from "./body.ts";

/** [client, HTML as the client writes it]: each answers "Yes, Friday is fine." to a question about Friday. */
const REPLIES: [string, string][] = [
  [
    "Gmail",
    `<div dir="ltr">Yes, Friday is fine.</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, 3 Feb 2025 at 09:14, Ann &lt;<a href="mailto:ann@example.org">ann@example.org</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div>Shall we meet on Friday?</div></blockquote></div>`,
  ],
  [
    "Gmail in a language we do not know",
    `<div dir="ltr">Yes, Friday is fine.</div><br><div class="gmail_quote"><div class="gmail_attr">Zzz zzz zzzz Ann zzz<br></div><blockquote class="gmail_quote">Shall we meet on Friday?</blockquote></div>`,
  ],
  [
    "Gmail before 2018",
    `<div>Yes, Friday is fine.<div class="gmail_extra"><br><div class="gmail_quote">On Mon, Feb 3, 2025 at 9:14 AM, Ann <span dir="ltr">&lt;<a href="mailto:ann@example.org">ann@example.org</a>&gt;</span> wrote:<br><blockquote class="gmail_quote">Shall we meet on Friday?</blockquote></div></div></div>`,
  ],
  [
    "Outlook on the web",
    `<div class="elementToProof">Yes, Friday is fine.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font><b>Zz:</b> Ann &lt;ann@example.org&gt;<br><b>Zzz:</b> 3 2 2025 09:14<br><b>Z:</b> Bo<br><b>Zzzz:</b> Friday</font><div>&nbsp;</div></div><div>Shall we meet on Friday?</div>`,
  ],
  [
    "Outlook for Windows",
    `<div class=WordSection1><p class=MsoNormal>Yes, Friday is fine.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>From:</b> Ann &lt;ann@example.org&gt; <br><b>Sent:</b> Monday, 3 February 2025 09:14<br><b>To:</b> Bo &lt;bo@example.org&gt;<br><b>Subject:</b> Friday<o:p></o:p></p></div></div><p class=MsoNormal>Shall we meet on Friday?<o:p></o:p></p></div>`,
  ],
  [
    "Outlook for iOS",
    `<div dir="auto">Yes, Friday is fine.</div><div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message"><hr><div id="divRplyFwdMsg"><strong>From:</strong> Ann &lt;ann@example.org&gt;<br><strong>Sent:</strong> Monday<br></div><div>Shall we meet on Friday?</div></div>`,
  ],
  [
    "Apple Mail",
    `<html><body style="word-wrap: break-word;">Yes, Friday is fine.<br><div><br><blockquote type="cite"><div>On 3 Feb 2025, at 09:14, Ann &lt;ann@example.org&gt; wrote:</div><br class="Apple-interchange-newline"><div>Shall we meet on Friday?</div></blockquote></div><br></body></html>`,
  ],
  [
    "Thunderbird",
    `<p>Yes, Friday is fine.</p><div class="moz-cite-prefix">Zz 03.02.25 zz 09:14 zzzz Ann:<br></div><blockquote type="cite" cite="mid:1@example.org"><p>Shall we meet on Friday?</p></blockquote>`,
  ],
  [
    "Yahoo",
    `<div class="yahoo-style-wrap"><div dir="ltr">Yes, Friday is fine.</div><div><br></div></div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, 3 February 2025 at 09:14:05 CET, Ann &lt;ann@example.org&gt; wrote:</div><div><br></div><div>Shall we meet on Friday?</div></div>`,
  ],
  [
    "Proton",
    `<div>Yes, Friday is fine.</div><div><br></div><div class="protonmail_quote">On Monday, February 3rd, 2025 at 09:14, Ann &lt;ann@example.org&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Shall we meet on Friday?</blockquote></div>`,
  ],
  [
    "Zoho",
    `<div>Yes, Friday is fine.</div><div class="zmail_extra"><div>---- On Mon, 03 Feb 2025 09:14:05 +0100 <b>Ann &lt;ann@example.org&gt;</b> wrote ---</div><blockquote><div>Shall we meet on Friday?</div></blockquote></div>`,
  ],
  [
    "QQ",
    `<div>Yes, Friday is fine.</div><div>------------------&nbsp;原始邮件&nbsp;------------------</div><div style="font-size:12px;background:#efefef"><div><b>发件人:</b>&nbsp;"Ann"&lt;ann@example.org&gt;;</div><div><b>发送时间:</b>&nbsp;2025年2月3日 上午9:14</div><div><b>收件人:</b>&nbsp;"Bo"&lt;bo@example.org&gt;;</div><div><b>主题:</b>&nbsp;Friday</div></div><div>Shall we meet on Friday?</div>`,
  ],
  [
    "Outlook for Mac",
    `<div>Yes, Friday is fine.</div><span id="OLK_SRC_BODY_SECTION"><div><b>From:</b> Ann<br><b>Date:</b> Monday<br></div><div>Shall we meet on Friday?</div></span>`,
  ],
];

describe("recognizes replies by their HTML", () => {
  for (const [client, html] of REPLIES) {
    test(client, () => {
      expect(splitBody({ text: htmlToText(html), html, subject: "Re: Friday" }).bodyText).toBe("Yes, Friday is fine.");
    });
  }

  test("the text part is returned, cut where the HTML marks the quote", () => {
    const text =
      "Yes, *Friday* is fine.\nSee https://example.org/a\n\nZzz zzz zzzz Ann zzz\n\nShall we meet on Friday?";
    const html = `<div>Yes, <b>Friday</b> is fine.<br>See <a href="https://example.org/a">https://example.org/a</a></div><div class="gmail_attr">Zzz zzz zzzz Ann zzz</div><blockquote class="gmail_quote">Shall we meet on Friday?</blockquote>`;
    expect(splitBody({ text, html }).bodyText).toBe("Yes, *Friday* is fine.\nSee https://example.org/a");
  });

  test("a text part that only refers to the HTML is not replaced", () => {
    const text = "This message needs an HTML reader.";
    expect(splitBody({ text, html: "<p>Big sale</p>" }).bodyText).toBe(text);
  });

  test("answers inside Gmail's quote are kept", () => {
    const html = `<div class="gmail_quote"><div class="gmail_attr">On Mon, 3 Feb 2025 at 09:14, Ann &lt;a@example.org&gt; wrote:<br></div><blockquote class="gmail_quote">Friday?</blockquote><div>Yes.</div><blockquote class="gmail_quote">Noon?</blockquote><div>One.</div></div>`;
    const { bodyText } = splitBody({ text: htmlToText(html), html });
    expect(bodyText).toMatch(/> Friday\?\s+Yes\.\s+> Noon\?\s+One\./);
    expect(bodyText).not.toContain("wrote");
  });
});

describe("recognizes forwards by their HTML", () => {
  const cases: [string, string, string][] = [
    [
      "Gmail",
      "Fwd: Friday",
      `<div>Please look.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: <b>Ann</b> &lt;ann@example.org&gt;<br>Date: Mon, 3 Feb 2025<br>Subject: Friday<br>To: Bo<br></div><br><div>Shall we meet on Friday?</div></div>`,
    ],
    [
      "Apple",
      "Fwd: Friday",
      `<div>Please look.</div><blockquote type="cite"><div>Begin forwarded message:</div><br><div><b>From: </b>Ann &lt;ann@example.org&gt;</div><div><b>Subject: </b>Friday</div><div><b>Date: </b>3 February 2025</div><div><b>To: </b>Bo</div><br><div>Shall we meet on Friday?</div></blockquote>`,
    ],
    [
      "Thunderbird",
      "Fwd: Friday",
      `<p>Please look.</p><div class="moz-forward-container">-------- Zzzzz --------<table class="moz-email-headers-table"><tr><th>Subject: </th><td>Friday</td></tr></table>Shall we meet on Friday?</div>`,
    ],
    [
      "Outlook",
      "FW: Friday",
      `<p class=MsoNormal>Please look.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class=MsoNormal><b>From:</b> Ann &lt;ann@example.org&gt;<br><b>Sent:</b> Monday<br><b>To:</b> Bo<br><b>Subject:</b> Friday</p></div><p class=MsoNormal>Shall we meet on Friday?</p>`,
    ],
  ];
  for (const [client, subject, html] of cases) {
    test(client, () => {
      const split = splitBody({ text: htmlToText(html), html, subject });
      expect(split.bodyText).toContain("Shall we meet on Friday?");
      expect(split.newText).toBe("Please look.");
    });
  }
});

test("a signature that only the HTML marks is removed from the new text", () => {
  const html = `<div>See you.</div><div class="gmail_signature">Bo Berg<br>ACME Ltd, Sales</div><div class="gmail_attr">On Mon, 3 Feb 2025 at 09:14, Ann &lt;a@example.org&gt; wrote:</div><blockquote class="gmail_quote">When?</blockquote>`;
  const text =
    "See you.\n\nBo Berg\nACME Ltd, Sales\n\nOn Mon, 3 Feb 2025 at 09:14, Ann <a@example.org> wrote:\n\n> When?";
  expect(splitBody({ text, html })).toEqual({ bodyText: "See you.\n\nBo Berg\nACME Ltd, Sales", newText: "See you." });
});
