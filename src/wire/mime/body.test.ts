import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { splitBody } from "./body.ts";

const text = (lines: string, subject?: string) => splitBody({ text: lines, html: null, subject });

/** [client and language, lines above the quoted text as the program writes them]; each is followed by "> " lines. */
const ATTRIBUTIONS: [string, string][] = [
  ["Gmail en", "On Mon, Feb 3, 2025 at 9:14 AM Ann Lee <ann@example.org> wrote:"],
  ["Gmail en, wrapped", "On Mon, Feb 3, 2025 at 9:14 AM Ann Margaret Lee-Worthington <\nann.lee@example.org> wrote:"],
  ["Apple en", "On 3 Feb 2025, at 09:14, Ann Lee <ann@example.org> wrote:"],
  ["Thunderbird en", "On 03/02/2025 09:14, Ann Lee wrote:"],
  ["Yahoo en", "On Monday, February 3, 2025 at 09:14:05 AM GMT+1, Ann Lee <ann@example.org> wrote:"],
  ["mutt", "On Mon, Feb 03, 2025 at 09:14:05AM +0100, Ann Lee wrote:"],
  ["Gnus", "Ann Lee <ann@example.org> writes:"],
  ["Usenet", "In article <abc@example.org>, Ann Lee <ann@example.org> wrote:"],
  ["Horde", "Quoting Ann Lee <ann@example.org>:"],
  ["by hand", "Ann wrote:"],
  ["Gmail de", "Am Mo., 3. Feb. 2025 um 09:14 Uhr schrieb Ann Lee <ann@example.org>:"],
  ["Gmail de, wrapped", "Am Mo., 3. Feb. 2025 um 09:14 Uhr schrieb Ann Lee <\nann@example.org>:"],
  ["Thunderbird de", "Am 03.02.25 um 09:14 schrieb Ann Lee:"],
  ["Apple de", "Am 03.02.2025 um 09:14 schrieb Ann Lee <ann@example.org>:"],
  ["Gmail fr", "Le lun. 3 févr. 2025 à 09:14, Ann Lee <ann@example.org> a écrit :"],
  ["Apple fr", "Le 3 févr. 2025 à 09:14, Ann Lee <ann@example.org> a écrit :"],
  ["Gmail es", "El lun, 3 feb 2025 a las 9:14, Ann Lee (<ann@example.org>) escribió:"],
  ["Gmail it", "Il giorno lun 3 feb 2025 alle ore 09:14 Ann Lee <ann@example.org> ha scritto:"],
  ["Thunderbird it", "Il 03/02/2025 09:14, Ann Lee ha scritto:"],
  ["Gmail pt-BR", "Em seg., 3 de fev. de 2025 às 09:14, Ann Lee <ann@example.org> escreveu:"],
  ["Gmail pt", "Ann Lee <ann@example.org> escreveu (segunda, 3/02/2025 à(s) 09:14):"],
  ["Gmail nl", "Op ma 3 feb 2025 om 09:14 schreef Ann Lee <ann@example.org>:"],
  ["Apple nl", "Op 3 feb 2025, om 09:14 heeft Ann Lee <ann@example.org> het volgende geschreven:"],
  ["Gmail sv", "Den mån 3 feb. 2025 kl 09:14 skrev Ann Lee <ann@example.org>:"],
  ["Apple sv", "3 feb. 2025 kl. 09:14 skrev Ann Lee <ann@example.org>:"],
  ["Gmail da", "Den man. 3. feb. 2025 kl. 09.14 skrev Ann Lee <ann@example.org>:"],
  ["Gmail no", "man. 3. feb. 2025 kl. 09:14 skrev Ann Lee <ann@example.org>:"],
  ["Gmail fi", "ma 3. helmik. 2025 klo 9.14 Ann Lee (ann@example.org) kirjoitti:"],
  ["Thunderbird fi", "Ann Lee kirjoitti 3.2.2025 klo 9.14:"],
  ["Gmail pl", "pon., 3 lut 2025 o 09:14 Ann Lee <ann@example.org> napisał(a):"],
  ["Thunderbird pl", "W dniu 3.02.2025 o 09:14, Ann Lee pisze:"],
  ["Apple pl", "Wiadomość napisana przez Ann Lee <ann@example.org> w dniu 03.02.2025, o godz. 09:14:"],
  ["Gmail cs", "po 3. 2. 2025 v 9:14 odesílatel Ann Lee <ann@example.org> napsal:"],
  ["Thunderbird cs", "Dne 03. 02. 25 v 9:14 Ann Lee napsal(a):"],
  ["Gmail sk", "po 3. 2. 2025 o 9:14 Ann Lee <ann@example.org> napísal(a):"],
  ["Gmail ru", "пн, 3 февр. 2025 г. в 09:14, Ann Lee <ann@example.org>:"],
  ["Thunderbird ru", "03.02.2025 09:14, Ann Lee пишет:"],
  ["Yandex ru", '03.02.2025, 09:14, "Ann Lee" <ann@example.org>:'],
  ["Mail.ru", "Понедельник, 3 февраля 2025, 9:14 +03:00 от Ann Lee <ann@example.org>:"],
  ["Gmail uk", "пн, 3 лют. 2025 р. о 09:14 Ann Lee <ann@example.org> пише:"],
  ["Gmail tr", "Ann Lee <ann@example.org>, 3 Şub 2025 Pzt, 09:14 tarihinde şunu yazdı:"],
  ["Gmail ja", "2025年2月3日(月) 9:14 Ann Lee <ann@example.org>:"],
  ["Apple ja", "2025/02/03 9:14、Ann Lee <ann@example.org>のメール:"],
  ["Gmail zh-CN", "Ann Lee <ann@example.org> 于2025年2月3日周一 09:14写道："],
  ["Apple zh-CN", "在 2025年2月3日，09:14，Ann Lee <ann@example.org> 写道："],
  ["Gmail zh-TW", "Ann Lee <ann@example.org> 於 2025年2月3日 週一 上午9:14寫道："],
  ["Gmail ko", "2025년 2월 3일 (월) 오전 9:14, Ann Lee <ann@example.org>님이 작성:"],
  ["Gmail ar", "في الاثنين، 3 فبراير 2025 في 9:14 ص تمت كتابة ما يلي بواسطة Ann Lee <ann@example.org>:"],
  ["Thunderbird ar", "في 3/2/2025 9:14 ص، كتب Ann Lee:"],
  ["Gmail he", "‫בתאריך יום ב׳, 3 בפבר׳ 2025 ב-9:14 מאת ‪Ann Lee‬‏ <‪ann@example.org‬‏>:‬"],
  ["Gmail hu", "Ann Lee <ann@example.org> ezt írta (időpont: 2025. febr. 3., H, 9:14):"],
  ["Gmail ro", "În lun., 3 feb. 2025 la 09:14, Ann Lee <ann@example.org> a scris:"],
  ["Gmail el", "Στις Δευ 3 Φεβ 2025 στις 9:14 π.μ., ο/η Ann Lee <ann@example.org> έγραψε:"],
  ["Gmail bg", "На пн, 3.02.2025 г. в 9:14 Ann Lee <ann@example.org> написа:"],
  ["Gmail hr", "pon, 3. velj 2025. u 09:14 Ann Lee <ann@example.org> napisao je:"],
  ["Gmail vi", "Vào Th 2, 3 thg 2, 2025 vào lúc 09:14 Ann Lee <ann@example.org> đã viết:"],
  ["Gmail id", "Pada tanggal Sen, 3 Feb 2025 pukul 09.14 Ann Lee <ann@example.org> menulis:"],
  ["Gmail ca", "Missatge de Ann Lee <ann@example.org> del dia dl., 3 de febr. 2025 a les 9:14:"],
  ["Gmail et", "Kuupäev E, 3. veebruar 2025 kell 09:14 kirjutas Ann Lee <ann@example.org>:"],
  ["Gmail lt", "2025-02-03, pr, 09:14 Ann Lee <ann@example.org> rašė:"],
  ["Gmail th", "เมื่อ จ. 3 ก.พ. 2025 เวลา 09:14 Ann Lee <ann@example.org> เขียนว่า:"],
  ["an unknown program", "<2025-02-03 09:14:05> Ann Lee <ann@example.org> blabla:"],
  ["K-9 de", "Ann Lee <ann@example.org> schrieb am 3. Februar 2025 09:14:05 MEZ:"],
];

describe("recognizes attributions above quoted text", () => {
  for (const [name, attribution] of ATTRIBUTIONS) {
    test(name, () => {
      const quote = "> Shall we meet on Friday?\n> \n> Ann";
      const top = text(`Yes, Friday is fine.\n\n${attribution}\n\n${quote}\n`);
      expect(top).toEqual({ bodyText: "Yes, Friday is fine.", newText: "Yes, Friday is fine." });
      const bottom = text(`${attribution}\n${quote}\n\nYes, Friday is fine.\n`);
      expect(bottom).toEqual({ bodyText: "Yes, Friday is fine.", newText: "Yes, Friday is fine." });
    });
  }
});

describe("recognizes attributions above unquoted history", () => {
  const long = ATTRIBUTIONS.filter(
    ([, line]) => /<.*@/s.test(line) && /\d:\d\d|\d\.\d\d /.test(line) && !line.includes("blabla"),
  );
  const quiet = new Set(["Mail.ru", "Gmail ca", "Gmail ar", "Apple pl"]);
  for (const [name, attribution] of long.filter(([name]) => !quiet.has(name))) {
    test(name, () => {
      const split = text(`Yes, Friday is fine.\n\n${attribution}\n\nShall we meet on Friday?\n\nAnn\n`);
      expect(split.bodyText).toBe("Yes, Friday is fine.");
    });
  }
});

const HEADER_BLOCKS: [string, string][] = [
  [
    "Outlook en",
    "From: Ann Lee <ann@example.org>\nSent: Monday, February 3, 2025 9:14 AM\nTo: Bo <bo@example.org>\nSubject: Friday",
  ],
  [
    "Outlook.com",
    "________________________________\nFrom: Ann Lee <ann@example.org>\nSent: 03 February 2025 09:14\nTo: Bo <bo@example.org>\nSubject: Friday",
  ],
  [
    "Outlook mobile",
    "________________________________\nFrom: Ann Lee <ann@example.org>\nSent: Monday, 3 February 2025 09:14:05\nTo: Bo <bo@example.org>; Cy\n<cy@example.org>\nCc: Di\nSubject: Re: Friday",
  ],
  [
    "Outlook 2003",
    "-----Original Message-----\nFrom: Ann Lee [mailto:ann@example.org]\nSent: Monday, February 03, 2025 9:14 AM\nTo: Bo\nSubject: Friday",
  ],
  [
    "Outlook Mac",
    "From: Ann Lee <ann@example.org>\nDate: Monday, 3 February 2025 at 09:14\nTo: Bo <bo@example.org>\nSubject: Friday",
  ],
  [
    "Samsung",
    "-------- Original message --------\nFrom: Ann Lee <ann@example.org>\nDate: 03/02/2025 09:14 (GMT+01:00)\nTo: Bo <bo@example.org>\nSubject: Friday",
  ],
  [
    "Outlook de",
    "Von: Ann Lee <ann@example.org>\nGesendet: Montag, 3. Februar 2025 09:14\nAn: Bo <bo@example.org>\nBetreff: Freitag",
  ],
  [
    "Outlook fr",
    "De : Ann Lee <ann@example.org>\nEnvoyé : lundi 3 février 2025 09:14\nÀ : Bo <bo@example.org>\nObjet : Vendredi",
  ],
  [
    "Outlook es",
    "De: Ann Lee <ann@example.org>\nEnviado: lunes, 3 de febrero de 2025 9:14\nPara: Bo <bo@example.org>\nAsunto: Viernes",
  ],
  [
    "Outlook it",
    "Da: Ann Lee <ann@example.org>\nInviato: lunedì 3 febbraio 2025 09:14\nA: Bo <bo@example.org>\nOggetto: Venerdì",
  ],
  [
    "Outlook pt",
    "De: Ann Lee <ann@example.org>\nEnviada em: segunda-feira, 3 de fevereiro de 2025 09:14\nPara: Bo <bo@example.org>\nAssunto: Sexta",
  ],
  [
    "Outlook nl",
    "Van: Ann Lee <ann@example.org>\nVerzonden: maandag 3 februari 2025 09:14\nAan: Bo <bo@example.org>\nOnderwerp: Vrijdag",
  ],
  [
    "Outlook sv",
    "Från: Ann Lee <ann@example.org>\nSkickat: den 3 februari 2025 09:14\nTill: Bo <bo@example.org>\nÄmne: Fredag",
  ],
  [
    "Outlook da",
    "Fra: Ann Lee <ann@example.org>\nSendt: 3. februar 2025 09:14\nTil: Bo <bo@example.org>\nEmne: Fredag",
  ],
  [
    "Outlook fi",
    "Lähettäjä: Ann Lee <ann@example.org>\nLähetetty: maanantai 3. helmikuuta 2025 9.14\nVastaanottaja: Bo\nAihe: Perjantai",
  ],
  [
    "Outlook pl",
    "Od: Ann Lee <ann@example.org>\nWysłano: poniedziałek, 3 lutego 2025 09:14\nDo: Bo <bo@example.org>\nTemat: Piątek",
  ],
  [
    "Outlook cs",
    "Od: Ann Lee <ann@example.org>\nOdesláno: pondělí 3. února 2025 9:14\nKomu: Bo <bo@example.org>\nPředmět: Pátek",
  ],
  ["Outlook ru", "От: Ann Lee <ann@example.org>\nОтправлено: 3 февраля 2025 г. 9:14\nКому: Bo\nТема: Пятница"],
  ["Outlook uk", "Від: Ann Lee <ann@example.org>\nНадіслано: 3 лютого 2025 р. 9:14\nКому: Bo\nТема: П'ятниця"],
  ["Outlook tr", "Kimden: Ann Lee <ann@example.org>\nGönderildi: 3 Şubat 2025 Pazartesi 09:14\nKime: Bo\nKonu: Cuma"],
  ["Outlook ja", "差出人: Ann Lee <ann@example.org>\n送信日時: 2025年2月3日 9:14\n宛先: Bo\n件名: 金曜日"],
  ["Outlook zh", "发件人: Ann Lee <ann@example.org>\n发送时间: 2025年2月3日 9:14\n收件人: Bo\n主题: 星期五"],
  ["Outlook zh-TW", "寄件者: Ann Lee <ann@example.org>\n寄件日期: 2025年2月3日 上午 09:14\n收件者: Bo\n主旨: 星期五"],
  [
    "Outlook ko",
    "보낸 사람: Ann Lee <ann@example.org>\n보낸 날짜: 2025년 2월 3일 월요일 오전 9:14\n받는 사람: Bo\n제목: 금요일",
  ],
  ["Outlook ar", "من: Ann Lee <ann@example.org>\nتم الإرسال: 3 فبراير 2025 9:14\nإلى: Bo\nالموضوع: الجمعة"],
  [
    "QQ",
    '------------------ 原始邮件 ------------------\n发件人: "Ann Lee" <ann@example.org>;\n发送时间: 2025年2月3日(星期一) 上午9:14\n收件人: "Bo"<bo@example.org>;\n主题: 星期五',
  ],
  [
    "Zimbra",
    '----- Original Message -----\nFrom: "Ann Lee" <ann@example.org>\nTo: "Bo" <bo@example.org>\nSent: Monday, February 3, 2025 9:14:05 AM\nSubject: Friday',
  ],
  [
    "bold stars",
    "*From:* Ann Lee <ann@example.org>\n*Sent:* Monday, February 3, 2025 9:14 AM\n*To:* Bo <bo@example.org>\n*Subject:* Friday",
  ],
];

describe("recognizes header blocks", () => {
  for (const [name, block] of HEADER_BLOCKS) {
    test(name, () => {
      const mail = `Yes, Friday is fine.\n\nBo\n\n${block}\n\nShall we meet on Friday?\n\nAnn\n`;
      expect(text(mail, "RE: Friday").bodyText).toBe("Yes, Friday is fine.\n\nBo");
      const forward = text(mail, "FW: Friday");
      expect(forward.bodyText).toContain("Shall we meet on Friday?");
      expect(forward.newText).toBe("Yes, Friday is fine.\n\nBo");
      expect(text(`${block}\n\nShall we meet on Friday?`).bodyText).toContain("Shall we meet on Friday?");
    });
  }

  test("a note such as FYI makes it a forward even when the subject is unknown", () => {
    const mail = `FYI\n\n${HEADER_BLOCKS[0]![1]}\n\nShall we meet on Friday?`;
    expect(text(mail).bodyText).toBe(mail);
    expect(text(mail).newText).toBe("FYI");
  });

  test("a contact form and travel plans are not header blocks", () => {
    for (const mail of [
      "New request\n\nFrom: ann@example.org\nDate: 2025-02-03\nSubject: Prices\nMessage: What does it cost?",
      "My plan:\n\nFrom: Berlin\nTo: Paris\nDate: Friday\n\nOK?",
    ]) {
      expect(text(mail)).toEqual({ bodyText: mail, newText: mail });
    }
  });
});

describe("recognizes forwards", () => {
  const headers =
    "From: Ann Lee <ann@example.org>\nDate: Mon, Feb 3, 2025 at 9:14 AM\nSubject: Friday\nTo: <bo@example.org>";
  for (const marker of [
    "---------- Forwarded message ---------",
    "---------- Weitergeleitete Nachricht ---------",
    "---------- Forwarded message ----------",
    "-------- Forwarded Message --------",
    "-------- Weitergeleitete Nachricht --------",
    "-------- Message transféré --------",
    "---------- Mensaje reenviado ---------",
    "-------- Messaggio Inoltrato --------",
    "---------- Doorgestuurd bericht ---------",
    "-------- Пересылаемое сообщение --------",
    "---------- 转发的邮件 ----------",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:",
    "Début du message réexpédié :",
    "----- Forwarded by Ann Lee/ACME on 02/03/2025 09:14 AM -----",
  ]) {
    test(marker, () => {
      const mail = `Please look at this.\n\n${marker}\n${headers}\n\nShall we meet?\n\nOn Sun, Feb 2, 2025 at 8:00 AM Bo <b@example.org> wrote:\n> hello`;
      expect(text(mail)).toEqual({ bodyText: mail, newText: "Please look at this." });
      expect(text(`${marker}\n${headers}\n\nShall we meet?`).newText).toBe("Shall we meet?");
    });
  }

  test("a forward inside the history of a reply is history", () => {
    const mail = `Thanks!\n\nOn Mon, Feb 3, 2025 at 9:14 AM Ann <a@example.org> wrote:\n\n> ---------- Forwarded message ---------\n> ${headers.replaceAll("\n", "\n> ")}\n> hello`;
    expect(text(mail).bodyText).toBe("Thanks!");
  });
});

describe("answers between quoted lines", () => {
  const mail = [
    "On Mon, Feb 3, 2025 at 9:14 AM Ann Lee <ann@example.org> wrote:",
    "> Shall we meet on Friday?",
    "",
    "Yes.",
    "",
    "> At noon?",
    "",
    "Rather at one.",
    "",
    "> Ann",
  ].join("\n");

  test("are kept with the lines they answer; the rest of the quote is removed", () => {
    const kept = "> Shall we meet on Friday?\n\nYes.\n\n> At noon?\n\nRather at one.";
    expect(text(mail)).toEqual({ bodyText: kept, newText: kept });
  });

  test("are recognized with initials before the quoted lines and a remark above them", () => {
    const mail =
      "Hello!\n\nMonday, February 3, 2025, 9:14:05 AM Ann Lee <ann@example.org> wrote:\n\n[...]\n\nAL> Friday?\nAL> At noon?\n\nYes, gladly.\n";
    expect(text(mail).newText).toBe("Hello!\n\n[...]\n\nYes, gladly.");
  });

  test("an answer after a top-posted line is kept", () => {
    const split = text("Hi Ann,\n\nAnn wrote:\n> Shall we meet on Friday?\n\nYes, gladly, at the usual place.\n");
    expect(split.newText).toBe("Hi Ann,\n\nYes, gladly, at the usual place.");
  });

  test("a quoted line that was wrapped in transit is not an answer", () => {
    const split = text(
      "Fine.\n\nAnn wrote:\n> This is a rather long quoted line which some server on its way broke\nin two\n> and it goes on\n",
    );
    expect(split.bodyText).toBe("Fine.");
  });
});

describe("signatures", () => {
  test("are kept in the body and removed from the new text", () => {
    const mail = "See you.\n\n-- \nBo Berg\nACME Ltd\n+1 555 0100";
    expect(text(mail)).toEqual({ bodyText: mail, newText: "See you." });
  });

  test("are recognized below the quote, too", () => {
    const split = text("See you.\n\nAnn wrote:\n> When?\n\n-- \nBo Berg");
    expect(split).toEqual({ bodyText: "See you.\n\n-- \nBo Berg", newText: "See you." });
  });

  for (const line of [
    "Sent from my iPhone",
    "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "Von meinem iPhone gesendet",
    "Gesendet von Outlook für iOS",
    "Envoyé de mon iPhone",
    "Télécharger Outlook pour Android",
    "Enviado desde mi iPhone",
    "Enviado do meu iPhone",
    "Inviato da iPhone",
    "Verstuurd vanaf mijn iPhone",
    "Skickat från min iPhone",
    "Sendt fra min iPhone",
    "Lähetetty iPhonesta",
    "Wysłane z iPhone'a",
    "Odesláno z iPhonu",
    "Отправлено с iPhone",
    "Надіслано з iPhone",
    "iPhone'umdan gönderildi",
    "iPhoneから送信",
    "发自我的iPhone",
    "從我的 iPhone 傳送",
    "나의 iPhone에서 보냄",
    "أرسلت من iPhone",
    "נשלח מה-iPhone שלי",
  ]) {
    test(line, () => {
      const split = text(`OK\n\n${line}\n\nOn Mon, Feb 3, 2025 at 9:14 AM Ann <a@example.org> wrote:\n\n> hello\n`);
      expect(split).toEqual({ bodyText: `OK\n\n${line}`, newText: "OK" });
    });
  }

  test("sentences that only sound like a signature are kept", () => {
    for (const mail of [
      "Sent from the warehouse this morning, it should arrive on Friday.",
      "The parcel:\n----\nthree books, two pens,\nand much else\nthat I forgot\nto list\nhere\nbecause\nit is\na lot",
    ]) {
      expect(text(mail).newText).toBe(mail);
    }
  });
});

describe("keeps text that only looks quoted", () => {
  for (const [name, mail] of [
    ["prose with 'wrote'", "In the novel Ann wrote:\n\nIt was a dark night.\n\nAnd I liked it."],
    ["a citation the writer introduces", "As the poet said:\n\n> To be or not to be"],
    ["a date and a colon", "The plan for Monday, 3 Feb 2025, 09:14:\n\n- coffee\n- work"],
    ["an interpreter session", "Try this:\n\n>>> print(1)\n1"],
    ["a table", "| a | b |\n| - | - |\n| 1 | 2 |"],
    ["a heading and rules", "Agenda\n======\n\n1. Tea\n\nNotes\n-----\n\n2. Cake"],
    ["only a quote", "> To be or not to be"],
  ] as const) {
    test(name, () => expect(text(mail)).toEqual({ bodyText: mail, newText: mail }));
  }

  test("a reply with nothing new keeps its body", () => {
    const mail = "On Mon, Feb 3, 2025 at 9:14 AM Ann <a@example.org> wrote:\n\n> hello";
    expect(text(mail)).toEqual({ bodyText: mail, newText: "" });
  });
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    "> quoted",
    ">",
    ">> deep",
    "hello",
    "",
    " ",
    "-- ",
    "-----",
    "On Mon, Feb 3, 2025 at 9:14 AM Ann <a@example.org>",
    "wrote:",
    "Ann <",
    "a@example.org> wrote:",
    "From: a@example.org",
    "Sent: today",
    "To: b",
    "Subject: x",
    "-----Original Message-----",
    "Begin forwarded message:",
    "Sent from my iPhone",
    "```",
    "| x",
    "a> x",
    "\u00a0",
    "> wrote:",
  );
  const mails = fc.oneof(
    fc.array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 40 }).map((lines) => lines.join("\n")),
    fc.string({ unit: "grapheme" }),
  );

  test("has a body whenever it has text, and the new text is part of the body", () => {
    fc.assert(
      fc.property(mails, fc.boolean(), (mail, forwarded) => {
        const { bodyText, newText } = text(mail, forwarded ? "Fwd: x" : "Re: x");
        expect(bodyText === "").toBe(!/\S/.test(mail));
        const inBody = new Set(bodyText.split("\n").map((line) => line.trim()));
        for (const line of newText.split("\n")) expect(line.trim() === "" || inBody.has(line.trim())).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("is kept to its end when it is longer than the analyzed part", () => {
    const long = "a line\n".repeat(120_000);
    expect(text(`${long}end`).bodyText.endsWith("a line\nend")).toBe(true);
    expect(text(`> ${long.replaceAll("\n", "\n> ")}`).bodyText.match(/> a line/g)).toHaveLength(120_000);
    expect(text(`Yes.\n\nAnn wrote:\n> ${long.replaceAll("\n", "\n> ")}`).bodyText).toBe("Yes.");
  });

  test("is split in linear time", () => {
    const started = performance.now();
    for (const piece of [
      "> hello world\n",
      ">\n",
      "> q\nanswer\n",
      "On Mon, Feb 1, 2016 at 6:32 PM, Jeff <a@b.org> wrote:\n",
      "a:\n",
      "From: a@b.c\n",
      "----\n",
      "<a@b ",
    ]) {
      text(piece.repeat(Math.ceil(250_000 / piece.length)));
    }
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
