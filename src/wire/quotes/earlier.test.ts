import { describe, expect, test } from "bun:test";
import { htmlToText } from "../html/text.ts";
import { splitBody } from "../mime/body.ts";

const text = (lines: string, subject?: string) => splitBody({ text: lines, html: null, subject });
const OWN = "Yes, Friday is fine.";
const BODY = "Shall we meet on Friday?\n\nAnn";
const QUOTED = "> Shall we meet on Friday?\n>\n> Ann";

describe("recognizes attributions with a quote below", () => {
  for (const attribution of [
    "On Nov 26, 2013 you wrote:",
    "On 26 Nov 2013, you wrote:",
    "Am 26.11.2013 hast du geschrieben:",
    "Le 26/11/2013, vous avez écrit :",
    "El 26/11/2013 usted escribió:",
    "2013/11/26 Ann Lee <ann@example.org>",
    "2013/11/26 Ann Lee <\nann@example.org>",
    "On Tuesday, November 26, 2013 at 5:01 PM,\nAnn Margaret Lee-Worthington from the Example Foundation\n<ann.margaret.lee-worthington@example.org>\nwrote:",
    "Am Dienstag, 26. November 2013 um 17:01 Uhr\nschrieb Ann Margaret Lee-Worthington\n<ann.margaret.lee-worthington@example.org>:",
    "Le mardi 26 novembre 2013 à 17:01,\nAnn Lee <\nann@example.org> a\nécrit :",
    "El mar, 26 nov 2013 a las 17:01,\nAnn Lee\n(<ann@example.org>)\nescribió:",
    "W dniu 26 listopada 2013 17:01 użytkownik Ann\nLee <ann@example.org>\nnapisał:",
    "Op 26-11-2013 17:01 schreef Ann Lee\n<ann@example.org>:",
    "Em 26 de novembro de 2013 17:01, Ann Lee\n<ann@example.org>\nescreveu:",
    "Den 26 november 2013 17:01:18, Ann Lee\n(ann@example.org) skrev:",
    "På 26. november 2013 på 17:01:18, Ann Lee (ann@example.org) skrev:",
    "-------- Ann Lee wrote --------",
    "---- Ann Lee wrote ----",
    "---- ann@example.org schrieb ----",
    "---- Ann Lee a écrit ----",
    "---- Ann Lee escribió ----",
    "-----Ann Lee/EXAMPLE wrote: -----",
    "---- On Tue, 26 Nov 2013 17:01:05 +0100 Ann Lee <ann@example.org> wrote ----",
    "Sent from Samsung MobileAnn Lee <ann@example.org> wrote:",
    "Ann Lee (ann@example.org) wrote on 26.11.2013 17:01:",
    "On 26/11/13 17:01, ann wrote:",
    "On Tue, 26 Nov 2013, Ann Lee wrote:",
    "In message <1@example.org>, Ann Lee <ann@example.org> writes",
    "Tue, 26 Nov 2013 17:01, Ann Lee <ann@example.org> kirjoitti:",
    "Ann Lee, 26 novembre 2013 17:01, a écrit :",
  ]) {
    test(attribution.replaceAll("\n", "⏎"), () => {
      expect(text(`${OWN}\n\n${attribution}\n${QUOTED}\n`).bodyText).toBe(OWN);
      expect(text(`${OWN}\n\n${attribution}\n\n${QUOTED}\n\nAt noon?\n`).newText).toBe(`${OWN}\n\nAt noon?`);
    });
  }
});

describe("recognizes announcements of earlier mail without quote marks", () => {
  for (const announced of [
    "On Nov 26, 2013 you wrote:",
    "-----Antwort Nachricht-----\nVon: Ann Lee <ann@example.org>",
    "-----Antwort Nachricht-----",
    "-----Ursprüngliche Nachricht-----\nVon: Ann Lee",
    "---- Ann Lee wrote ----",
    "-------- Ann Lee schrieb --------",
    "--- Ann Lee wrote: ---",
    "----- Previous message -----",
    "------- Original Message -------\nOn Tuesday, November 26th, 2013 at 5:01 PM, Ann Lee <ann@example.org> wrote:",
    "--- Original Message ---",
    "__________ Original Message __________",
    "=====Original Message=====",
    "-------- Réponse au message --------",
    "----- Mensaje anterior -----",
    "-------- Messaggio precedente --------",
    "----- Föregående meddelande -----",
    "----- Předchozí zpráva -----",
    "----- Предыдущее сообщение -----",
    "----- Önceki ileti -----",
    "----- Poprzednia wiadomość -----",
    'Message du : 26/11/2013 17:01\nDe : "Ann Lee" <ann@example.org>\nA : bo@example.org\nCopie à : \nSujet : Vendredi',
    'Message du 26/11/13 17:01\nDe : "Ann Lee" <ann@example.org>\nA : bo@example.org\nObjet : Vendredi',
    "Message du : 26/11/2013 17:01 De : Ann Lee <ann@example.org> A : bo@example.org Sujet : Vendredi",
    "From: Ann Lee <ann@example.org> Sent: Tuesday, November 26, 2013 5:01 PM To: Bo Subject: Friday",
    "Von: Ann Lee <ann@example.org> Gesendet: Dienstag, 26. November 2013 17:01 An: Bo Betreff: Freitag",
    "De : Ann Lee <ann@example.org> Envoyé : mardi 26 novembre 2013 17:01 À : Bo Objet : Vendredi",
    "De: Ann Lee <ann@example.org> Enviado: martes, 26 de noviembre de 2013 17:01 Para: Bo Asunto: Viernes",
    "Da: Ann Lee <ann@example.org> Inviato: martedì 26 novembre 2013 17:01 A: Bo Oggetto: Venerdì",
    "От: Ann Lee <ann@example.org> Отправлено: 26 ноября 2013 г. 17:01 Кому: Bo Тема: Пятница",
    "差出人: Ann Lee <ann@example.org> 送信日時: 2013年11月26日 17:01 宛先: Bo 件名: 金曜日",
    "发件人: Ann Lee <ann@example.org> 发送时间: 2013年11月26日 17:01 收件人: Bo 主题: 星期五",
    "*From:* Ann Lee <ann@example.org> *Sent:* Tuesday, November 26, 2013 5:01 PM *To:* Bo *Subject:* Friday",
    "**From:** Ann Lee <ann@example.org>\n**Sent:** Tuesday, November 26, 2013 5:01 PM\n**To:** Bo\n**Subject:** Friday",
    "From: Ann Lee <ann@example.org> Sent: Tuesday, November 26, 2013 5:01 PM\nTo: Bo Subject: Friday",
    "Date: Tue, 26 Nov 2013 17:01:05 +0100\nFrom: ann@example.org\nTo: bo@example.org\nSubject: Friday",
    "From: ann@example.org\nDate: Tue, 26 Nov 2013 17:01:05 +0100",
  ]) {
    test(announced.replaceAll("\n", "⏎"), () => {
      expect(text(`${OWN}\n\nBo\n\n${announced}\n\n${BODY}\n`, "Re: Friday").bodyText).toBe(`${OWN}\n\nBo`);
      expect(text(`${announced}\n\n${BODY}`, "Re: Friday").bodyText).toContain("Shall we meet on Friday?");
    });
  }

  test("a forward is kept, on one line or many, by its subject or its marker", () => {
    const line = "From: Ann Lee <ann@example.org> Sent: Tuesday, November 26, 2013 5:01 PM To: Bo Subject: Friday";
    expect(text(`Please look.\n\n${line}\n\n${BODY}`, "FW: Friday").bodyText).toContain(BODY);
    expect(text(`FYI ${line}\n\n${BODY}`).bodyText).toContain(BODY);
    const marked = `Look: ---------- Forwarded message ---------- ${line}\n\n${BODY}`;
    expect(text(marked).bodyText).toBe(marked);
    expect(text(marked).newText).toBe("Look:");
  });
});

describe("keeps own words around quoted lines", () => {
  test("a short answer between long quoted lines", () => {
    const mail = [
      "On Tue, 26 Nov 2013 at 17:01, Ann Lee <ann@example.org> wrote:",
      "> Could you please tell me whether the meeting on Friday is at noon or at",
      "> one, and whether Bo can bring the printed plans of the second floor too?",
      "at noon",
      "> And one more thing that is much too long to be asked on a single line of",
      "yes please",
      "> text.",
    ].join("\n");
    const { bodyText, newText } = text(mail);
    for (const own of ["at noon", "yes please"]) {
      expect(bodyText).toContain(own);
      expect(newText).toContain(own);
    }
  });

  test("below a header block whose mail is quoted line by line", () => {
    const block = "-----Original Message-----\n> From: Ann <ann@example.org>\n> Sent: Tuesday\n>";
    expect(text(`${block}\n> Friday?\n\nFriday is fine, at noon.\n`).bodyText).toContain("Friday is fine, at noon.");
  });

  test("below a header block above quoted lines", () => {
    const block = "From: Ann <ann@example.org>\nSent: Tuesday, November 26, 2013 5:01 PM\nTo: Bo\nSubject: Friday";
    const mail = `Hello,\n\n-----Original Message-----\n${block}\n\n> Friday?\n\nFriday is fine, at noon.\n`;
    expect(text(mail, "Re: Friday").bodyText).toContain("Friday is fine, at noon.");
  });

  test("between the attribution and the quote", () => {
    const mail = "On Tue, 26 Nov 2013 at 17:01, Ann <ann@example.org> wrote:\n\nI agree with most of it.\n\n> Friday?";
    expect(text(mail).bodyText).toContain("I agree with most of it.");
  });

  test("quotes of quotes are part of the history", () => {
    const mail = `${OWN}\n\nOn 26/11/13 17:01, Ann wrote:\n> On 25/11/13 9:00, Bo wrote:\n>> When?\n> Friday.\n`;
    expect(text(mail).bodyText).toBe(OWN);
  });
});

describe("recognizes containers of web mail programs", () => {
  for (const [name, html] of [
    [
      "Outlook's header on one line",
      `<div>${OWN}</div><div><span><b>From:</b> Ann &lt;ann@example.org&gt; <b>Sent:</b> Tuesday, November 26, 2013 5:01 PM <b>To:</b> Bo <b>Subject:</b> Friday</span></div><div>Friday?</div>`,
    ],
    [
      "a header table",
      `<p>${OWN}</p><hr><table><tr><td>From:</td><td>Ann &lt;ann@example.org&gt;</td></tr><tr><td>Sent:</td><td>Tue, 26 Nov 2013 17:01</td></tr><tr><td>To:</td><td>Bo</td></tr><tr><td>Subject:</td><td>Friday</td></tr></table><p>Friday?</p>`,
    ],
    [
      "Laposte",
      `<p>${OWN}</p><blockquote><p>&gt; Message du : 26/11/2013 17:01<br>&gt; De : "Ann" &lt;ann@example.org&gt;<br>&gt; A : bo@example.org<br>&gt; Sujet : Friday</p><p>Friday?</p></blockquote>`,
    ],
    [
      "Yahoo",
      `<div>${OWN}</div><div class="yahoo_quoted"><div>On Tuesday, November 26, 2013 5:01 PM, Ann &lt;a@example.org&gt; wrote:</div>Friday?</div>`,
    ],
    [
      "Gmail",
      `${OWN}<div class="gmail_extra"><br><div class="gmail_quote">2013/11/26 Ann <span>&lt;a@example.org&gt;</span><br><blockquote class="gmail_quote">Friday?</blockquote></div></div>`,
    ],
    ["Samsung", `<div>${OWN}</div><div><br></div><div>---- Ann Lee wrote ----</div><div>Friday?</div>`],
  ] as const) {
    test(name, () => {
      expect(splitBody({ text: htmlToText(html), html, subject: "Re: Friday" }).bodyText).toBe(OWN);
    });
  }
});
