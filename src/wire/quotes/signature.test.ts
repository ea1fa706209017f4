import { describe, expect, test } from "bun:test";
import { splitBody } from "../mime/body.ts";

const text = (lines: string) => splitBody({ text: lines, html: null });
const OWN = "The plan is fine, I will bring the printed copies on Friday.";

const SIGNATURES = [
  "--\nBo",
  "-- \nBo Berg\nExample Ltd, Sales\n+1 555 0100",
  "---\nBo",
  "---\nBo Berg\nExample Ltd",
  "-----\nBo Berg, Head of Sales\nhttp://example.org/",
  "***\nBo Berg\nbo@example.org",
  "___\nBo Berg",
  "-bo",
  "- Bo",
  "-Bo Berg",
  "--Bo Berg",
  "--bo",
  "-- Bo Berg",
  "-Bo.\n\nSent from my iPhone",
  "-B.",
  "-Bo & Ann",
  "Thanks!\n\nBo",
  "Thanks!\nBo",
  "Thanks,\n\nBo Berg",
  "Thank you.\n\nBo Berg\nExample Ltd",
  "Many thanks,\n\nBo",
  "Regards,\n\nBo Berg",
  "regards\n\n\nBo\n\nBerg",
  "Best,\nBo",
  "Best regards,\n\nBo Berg\nHead of Sales\nExample Ltd\n+1 555 0100\nhttps://example.org",
  "Kind regards\nBo Berg\nPhone: +1 555 0100\nEmail: bo@example.org",
  "Cheers\n\nBo",
  "Sincerely yours,\n\nBo Berg",
  "Yours truly,\nBo",
  "Mit freundlichen Grüßen\n\nBo Berg",
  "Viele Grüße\nBo",
  "LG\nBo",
  "Cordialement,\n\nBo Berg",
  "Bien à vous\nBo",
  "Saludos cordiales,\n\nBo",
  "Un saludo,\nBo",
  "Cordiali saluti\n\nBo Berg",
  "Met vriendelijke groet,\n\nBo Berg",
  "Groetjes,\nBo",
  "Med vänliga hälsningar,\n\nBo",
  "Med venlig hilsen\nBo",
  "Vennlig hilsen\nBo",
  "Terveisin,\nBo",
  "Pozdrawiam,\nBo",
  "S pozdravem\n\nBo",
  "С уважением,\n\nБо",
  "З повагою,\nБо",
  "Saygılarımla,\nBo",
  "Üdvözlettel,\nBo",
  "Cu stimă,\nBo",
  "Με εκτίμηση,\nΜπο",
  "よろしくお願いします。\n\n伯",
  "此致\n敬礼\n李",
  "감사합니다.\n김보",
  "Atenciosamente,\n\nBo",
  "Sent from my Palm Pre",
  "Sent from my Verizon Wireless 4G LTE DROID",
  "Sent from my mobile. Please excuse brevity and typos.",
  "Sent from Spike",
  "Sent from Acompli",
  "Sent from Nine",
  "Sent from Boxer | http://getboxer.com",
  "Sent with Shift",
  "Sent via Superhuman",
  "Sent using Zoho Mail",
  "Sent by MailWise",
  "Sent wirelessly from my BlackBerry device on the Bell network.",
  "Sent wirelessly via Example",
  "Envoyé sans fil par mon terminal mobile BlackBerry sur le réseau de Bell.",
  "Sent securely with Proton Mail",
  "Von meinem Nokia gesendet",
  "Gesendet mit der Telekom Mail App",
  "Envoyé de mon ordinateur",
  "Envoyé depuis Windows Mail",
  "Enviado desde mi BlackBerry",
  "Enviado a partir do Outlook",
  "Inviato dal mio tablet",
  "Inviato da Libero Mail",
  "Verzonden vanaf mijn Galaxy",
  "Skickat från min Surface",
  "Sendt fra Mail til Windows",
  "Wysłano z telefonu",
  "Отправлено из мобильной Почты Mail.ru",
  "_______________________________________________\nplans mailing list\nplans@lists.example.org\nhttp://lists.example.org/mailman/listinfo/plans",
  "_______________________________________________________\nEv'ry plan: a list for plans. To unsubscribe, send mail to plans-request@example.org",
  '--\nYou received this message because you are subscribed to the Google Groups "plans" group.\nTo unsubscribe from this group and stop receiving emails from it, send an email to plans+unsubscribe@example.org.',
  "-------------------------------------------------------\nThis list is sponsored by: Example\nWelcome to example heaven.\nhttp://example.org/sf\n_______________________________________________\nPlans-users mailing list\nPlans-users@lists.example.org",
  "=====================================================\nTo leave the list, mail plans-leave@example.org",
  "---------------------------------------------------------------------\nTo unsubscribe, e-mail: plans-unsubscribe@example.org\nFor additional commands, e-mail: plans-help@example.org",
  "------------------------ Yahoo! Groups Sponsor ---------------------~-->\nPlan with us.\nhttp://us.example.org/abc\n---------------------------------------------------------------------~->\n\nTo unsubscribe from this group, send an email to:\nplans-unsubscribe@example.org\n\nYour use of Yahoo! Groups is subject to http://docs.example.org/info/terms/",
  "http://lists.example.org/mailman/listinfo/plans",
  "Bo\n\n-- \nhttp://example.org/",
];

describe("a signature is removed from the new text and kept in the body", () => {
  for (const signature of SIGNATURES) {
    test(signature.replaceAll("\n", "⏎"), () => {
      const mail = `Hi Ann,\n\n${OWN}\n\n${signature}`;
      const { bodyText, newText } = text(mail);
      expect(bodyText).toBe(mail);
      const expected = signature.startsWith("Bo\n") ? `Hi Ann,\n\n${OWN}\n\nBo` : `Hi Ann,\n\n${OWN}`;
      expect(newText).toBe(expected);
    });
  }

  test("directly below the text, without an empty line", () => {
    for (const signature of ["-bo", "- Bo", "---\nBo", "Thanks!\nBo", "Sent from my iPhone", "--Bo Berg"]) {
      expect(text(`Hey!\n${signature}`).newText).toBe("Hey!");
    }
  });

  test("above the quote, when the name is separated from the closing words or follows a mark", () => {
    const quote = "On Tue, 26 Nov 2013 at 17:01, Ann <ann@example.org> wrote:\n> Friday?";
    for (const signature of ["Thanks!\n\nBo", "Regards,\n\nBo", "-bo", "---\nBo", "Sent from Spike", "-Bo Berg"]) {
      expect(text(`${OWN}\n\n${signature}\n\n${quote}`).newText).toBe(OWN);
      expect(text(`${OWN}\n\n${signature}\n\n${quote}`).bodyText).toBe(`${OWN}\n\n${signature}`);
    }
  });
});

describe("keeps text that only looks like a signature", () => {
  for (const mail of [
    "Thanks!",
    "Thanks!\nBo",
    "Thanks,\n\nBo",
    "-bo",
    "--\nBo",
    "Sent from my iPhone",
    "Thanks!\n\nThe other question is whether we meet at noon, or rather at one.\n\nTell me soon.",
    "Hello,\n\nThanks!\n\nI will bring the plans, then we can look at them together at noon on Friday.",
    "Hello,\n\nRegards,\n\nis how the letter should end. What do you think of it?",
    "Please buy\n- tea\n- cake\n- milk",
    "Please buy\n\n-tea\n-cake",
    "Please buy\n- tea",
    "Options:\n-a\n-b",
    "First part.\n\n---\n\nSecond part, which is as long as the first one and says more.\n\n---\n\nThird part, which ends it all.",
    "# Plan\n\nOne paragraph.\n\n---\n\nAnother paragraph that has a full sentence in it.",
    "Intro.\n\n***\n\nThe next day we went to the harbour and looked at the ships.",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "Name\n----\nBo",
    "Totals\n------\n12\n13",
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n context",
    "Apply this:\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old",
    "Shall I compare thee to a summer's day?\nThou art more lovely and more temperate:\nRough winds do shake the darling buds of May,\n- William Shakespeare",
    'Remember:\n\n"To be or not to be"\n- Shakespeare',
    "Use the flag\n\n-v",
    "The difference is\n-5",
    "Run it with\n--force",
    "Sent from my desk, is much easier than from my phone.",
    "Hello,\n\nSent from the warehouse on Monday, it should be there by now.",
    "Sent from my phone yesterday, did you get it?\n\nBo",
    "It was\nsent from my old address\nso you may have missed it",
    "Best of all is the view.\nWe liked it.",
    "Best\nwestern films are old.",
    "Thanks for the plan.\nIt is good.",
    "One\n\n___\n\nTwo is a paragraph of its own, with a sentence that goes on for long enough.",
    "```\n--\nBo\n```",
    "He said:\n\n- No.\n- Yes.",
    "See below.\n\n-----------\nSo, two things:\n\nI had no idea how many there are.\n\nI like that.\n\nYou may, too.\n\nIt is on the mailing list.",
    "Hi Ann,\n\nThank you.\n\nPS: The server runs version 1.1.11",
    "I hope you like it.\n\n—Bo",
  ]) {
    test(mail.replaceAll("\n", "⏎"), () => expect(text(mail)).toEqual({ bodyText: mail, newText: mail }));
  }

  test("a name after a list item is kept", () => {
    const mail = "Who comes:\n- Ann\n- Bo Berg";
    expect(text(mail).newText).toBe(mail);
  });

  test("closing words above a quote that is answered below it are kept", () => {
    const mail = "Thanks!\n\nOn 26/11/13 17:01, Ann wrote:\n> Friday?\n\nYes, at noon.";
    expect(text(mail).newText).toBe("Thanks!\n\nYes, at noon.");
  });
});
