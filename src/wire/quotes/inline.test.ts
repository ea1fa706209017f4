import { describe, expect, test } from "bun:test";
import { htmlToText } from "../html/text.ts";
import { splitBody } from "../mime/body.ts";

const text = (lines: string, subject?: string) => splitBody({ text: lines, html: null, subject });

/** [own words, the attribution that a mail program wrote on the same line, wrapped or not]. */
const SAME_LINE: [string, string][] = [
  ["thanks", "On Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote:"],
  ["thanks", "On Wed, 4 Apr 2018 at 10:22, Ann Lee\n<ann@example.org> wrote:"],
  ["See you then. Bo", "On Wed, Apr 4, 2018 at 10:22 AM Ann Margaret\nLee-Worthington <\nann@example.org>\nwrote:"],
  ["sounds good to me!", "On Nov 26, 2013, at 5:01 PM, Ann Lee wrote:"],
  ["ok", "On 26/11/2013 17:01, Ann Lee wrote:"],
  ["I'll be there at 5 with 20 others.", "On 2018-04-04 10:22, ann@example.org wrote:"],
  ["write to bo@example.com instead", "On Wed, Apr 4, 2018 at 10:22 AM, Ann Lee <ann@example.org> wrote:"],
  ["On Friday we fly. ", "On Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote:"],
  ["thanks", "on Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote:"],
  ["Danke dir!", "Am Mi., 4. Apr. 2018 um 10:22 Uhr schrieb Ann Lee <ann@example.org>:"],
  ["passt", "Am 04.04.2018 um 10:22 schrieb Ann Lee:"],
  ["merci beaucoup", "Le mer. 4 avr. 2018 à 10:22, Ann Lee <ann@example.org> a écrit :"],
  ["gracias", "El mié, 4 abr 2018 a las 10:22, Ann Lee (<ann@example.org>) escribió:"],
  ["va bene", "Il giorno mer 4 apr 2018 alle ore 10:22 Ann Lee <ann@example.org> ha scritto:"],
  ["prima zo", "Op wo 4 apr 2018 om 10:22 schreef Ann Lee <ann@example.org>:"],
  ["combinado", "Em qua., 4 de abr. de 2018 às 10:22, Ann Lee <ann@example.org> escreveu:"],
  ["tack så mycket", "Den ons 4 apr. 2018 kl 10:22 skrev Ann Lee <ann@example.org>:"],
  ["fint", "ons. 4. apr. 2018 kl. 10:22 skrev Ann Lee <ann@example.org>:"],
  ["sopii minulle hyvin", "ke 4. huhtik. 2018 klo 10.22 Ann Lee (ann@example.org) kirjoitti:"],
  ["dobrze, do jutra", "śr., 4 kwi 2018 o 10:22 Ann Lee <ann@example.org> napisał(a):"],
  ["děkuji mnohokrát", "st 4. 4. 2018 v 10:22 odesílatel Ann Lee <ann@example.org> napsal:"],
  ["спасибо, до завтра", "ср, 4 апр. 2018 г. в 10:22, Ann Lee <ann@example.org>:"],
  ["дякую!", "ср, 4 квіт. 2018 р. о 10:22 Ann Lee <ann@example.org> пише:"],
  ["teşekkürler!", "4 Nis 2018 Çar 10:22 tarihinde Ann Lee <ann@example.org> şunu yazdı:"],
  ["rendben!", "2018. ápr. 4., Sze 10:22 dátummal Ann Lee <ann@example.org> ezt írta:"],
  ["mulțumesc", "În mie., 4 apr. 2018 la 10:22, Ann Lee <ann@example.org> a scris:"],
  ["ευχαριστώ", "Στις Τετ 4 Απρ 2018 στις 10:22 π.μ., ο/η Ann Lee <ann@example.org> έγραψε:"],
  ["ありがとうございます。", "2018年4月4日(水) 10:22 Ann Lee <ann@example.org>:"],
  ["好的，谢谢！", "在 2018年4月4日，10:22，Ann Lee <ann@example.org> 写道："],
  ["네 감사합니다!", "2018년 4월 4일 (수) 오전 10:22, Ann Lee <ann@example.org>님이 작성:"],
  ["תודה!", "בתאריך יום ד׳, 4 באפר׳ 2018 ב-10:22 מאת Ann Lee <ann@example.org>:"],
  ["شكرا!", "في الأربعاء، 4 أبريل 2018 في 10:22 ص كتب Ann Lee <ann@example.org>:"],
  ["Good idea!", "Ann Lee <ann@example.org> wrote:"],
  ["good idea, I agree.", "Ann wrote:"],
  ["thanks", "-----Original Message-----"],
  ["thanks", "---- Ann Lee wrote ----"],
  ["will do", "2018/04/04 Ann Lee <ann@example.org>"],
];

describe("keeps own words on the line of an attribution, and removes the attribution", () => {
  for (const [own, attribution] of SAME_LINE) {
    test(`${own} | ${attribution.replaceAll("\n", "⏎")}`, () => {
      const { bodyText, newText } = text(`${own} ${attribution}\n> Shall we meet on Friday?\n> Ann\n`);
      expect(bodyText).toBe(own.trim());
      expect(newText).toBe(own.trim());
    });
  }

  test("below an own paragraph, with an empty line before the quote and an answer below it", () => {
    const mail = `Hello Ann,\n\nthat works for me. On Wed, 4 Apr 2018 at 10:22, Ann Lee\n<ann@example.org> wrote:\n\n> When?\n\nAt noon.\n`;
    expect(text(mail).newText).toBe("Hello Ann,\n\nthat works for me.\n\nAt noon.");
  });

  test("above history without quote marks", () => {
    const mail = `thanks On Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote:\n\nShall we meet on Friday?\n\nAnn`;
    expect(text(mail).bodyText).toBe("thanks");
  });

  test("the quote on the same line as well", () => {
    const mail = `thanks On Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote: > Shall we meet?\n> Ann`;
    expect(text(mail).bodyText).toBe("thanks");
  });

  test("at the end of a paragraph on one long line", () => {
    const own = `${"I have read your plan and I like it. ".repeat(60).trim()}`;
    const mail = `${own} On Wed, 4 Apr 2018 at 10:22, Ann Lee <ann@example.org> wrote:\n> Shall we meet?`;
    expect(text(mail).bodyText).toBe(own);
  });

  test("a header block on one line, after own words and in HTML", () => {
    const block =
      "From: Ann Lee &lt;ann@example.org&gt; Sent: Wednesday, April 4, 2018 10:22 AM To: Bo &lt;bo@example.org&gt; Subject: Friday";
    for (const html of [
      `<div>thanks ${block}</div><div>Shall we meet?</div>`,
      `<div>thanks</div><div><b>${block}</b></div><div>Shall we meet?</div>`,
      `<p>thanks</p><span>${block} Shall we meet?</span>`,
      `<div>thanks -----Original Message----- ${block}</div><div>Shall we meet?</div>`,
    ]) {
      expect(splitBody({ text: htmlToText(html), html, subject: "Re: Friday" }).bodyText).toBe("thanks");
    }
  });

  test("in HTML, on the line of Gmail's and Thunderbird's quotes", () => {
    for (const html of [
      `<div>thanks <span>On Wed, 4 Apr 2018 at 10:22, Ann &lt;ann@example.org&gt; wrote:</span><blockquote class="gmail_quote">Friday?</blockquote></div>`,
      `thanks On Wed, 4 Apr 2018 at 10:22, Ann &lt;<a href="mailto:ann@example.org">ann@example.org</a>&gt; wrote:<blockquote type="cite">Friday?</blockquote>`,
      `<div>thanks</div><div class="gmail_attr">On Wed, 4 Apr 2018 at 10:22, Ann &lt;ann@example.org&gt; wrote:</div><blockquote class="gmail_quote">Friday?</blockquote>`,
    ]) {
      expect(splitBody({ text: htmlToText(html), html }).bodyText).toBe("thanks");
    }
  });

  test("typed inside the element that holds the attribution", () => {
    const html = `<div class="gmail_attr">On Wed, 4 Apr 2018 at 10:22, Ann &lt;a@example.org&gt; wrote:<br>Friday is fine.</div><blockquote class="gmail_quote">Friday?</blockquote>`;
    expect(splitBody({ text: htmlToText(html), html }).bodyText).toContain("Friday is fine.");
    const before = `<div class="moz-cite-prefix">Friday is fine. <br>On 4/4/18 10:22, Ann Lee wrote:<br></div><blockquote type="cite">Friday?</blockquote>`;
    expect(splitBody({ text: htmlToText(before), html: before }).bodyText).toBe("Friday is fine.");
  });
});

test("one's own sentence above a quote is kept, and the quote is removed", () => {
  const mail = "I disagree with what Ann wrote:\n> we meet on Friday\n\nFriday is a holiday.";
  expect(text(mail).bodyText).toBe("I disagree with what Ann wrote:\n\nFriday is a holiday.");
});

describe("keeps prose that only mentions who wrote and when", () => {
  for (const mail of [
    "On Wednesday I wrote: the plan is to meet at noon.",
    "On Wednesday, 4 Apr 2018 at 10:00 we will meet Ann and then see together what she wrote:\n\nthe plan\n\nand the budget",
    "I like what you did on Wed, 4 Apr 2018 10:00 and what Ann <ann@example.org> wrote:\n\nit is good\n\nreally",
    "Please read this. In the minutes of 4 April 2018 at 10:00 the secretary wrote:\n\nthe motion is carried.",
    "The mail From: ann@example.org arrived, and To: was empty.",
    "From: Berlin To: Paris Date: Friday\n\nOK?",
    "On 4 April 2018 you wrote:\n\n“the plan is good”\n\nI still think so.",
    "We met On Stage, 4 of us, and it was good.\nwrote: a program",
    "Departure 2018/04/04 Gate 7\nArrival 2018/04/05 Gate 9",
    "I told bo@example.org on 3 Feb 2025 at 10:00.\nAnd Ann said:\n\nfine",
    "On 3 Feb 2025 at 10:00 we meet.\nAnn wrote:\n\nfine",
  ]) {
    test(mail.split("\n")[0]!, () => expect(text(mail).bodyText).toBe(mail));
  }
});
