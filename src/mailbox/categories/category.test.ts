import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Category, type CategoryInput, categorize } from "./category.ts";

type Mail = [
  who: string,
  from: string,
  subject: string,
  headers: Record<string, string>,
  decision: string,
  extra?: Partial<CategoryInput>,
];

function input(
  from: string,
  subject: string,
  headers: Record<string, string>,
  extra: Partial<CategoryInput> = {},
): CategoryInput {
  return {
    from: { name: "", email: from },
    subject,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    knownCorrespondent: false,
    toMe: true,
    ...extra,
  };
}

const MAILS: Mail[] = [
  ["a friend", "ann@gmail.com", "Dinner on Friday?", {}, "primary person"],
  ["a stranger", "b.miller@lawfirm.example", "Your inheritance", { "auto-submitted": "no" }, "primary person"],
  ["a shop's person who offers something by hand", "tom@garage.example", "20% off winter tyres?", {}, "primary person"],
  [
    "someone I wrote to, through a list",
    "ann@x.org",
    "[dev] Plan",
    { "list-id": "<dev.x.org>" },
    "primary known-correspondent",
    { knownCorrespondent: true },
  ],
  [
    "a reply from a desk I wrote to",
    "support@shop.example",
    "Re: Order 17",
    { "list-unsubscribe": "<mailto:u@x>" },
    "primary known-correspondent",
    { knownCorrespondent: true },
  ],
  [
    "a bounce",
    "MAILER-DAEMON@mx.example.org",
    "Undelivered Mail Returned to Sender",
    {
      "auto-submitted": "auto-replied",
      "return-path": "<>",
      "content-type": 'multipart/report; report-type=delivery-status; boundary="x"',
    },
    "primary delivery-report",
  ],
  [
    "an invitation from Google Calendar",
    "ann@company.example",
    "Invitation: Planning @ Tue 3 Mar",
    { sender: "Google Calendar <calendar-notification@google.com>", "auto-submitted": "auto-generated" },
    "primary calendar",
  ],
  [
    "an invitation from Outlook",
    "ann@company.example",
    "Planning",
    { "content-class": "urn:content-classes:calendarmessage", "x-auto-response-suppress": "DR, OOF" },
    "primary calendar",
  ],
  [
    "Google Calendar's reminder",
    "calendar-notification@google.com",
    "Notification: Planning @ Tue",
    { sender: "Google Calendar <calendar-notification@google.com>", "auto-submitted": "auto-generated" },
    "updates automated:auto-submitted+machine-sender",
  ],

  [
    "LinkedIn, an invitation",
    "invitations@linkedin.com",
    "Ann wants to connect",
    { "list-unsubscribe": "<https://l>", "feedback-id": "x:linkedin" },
    "social social-host:linkedin.com",
  ],
  [
    "LinkedIn, a message",
    "messages-noreply@linkedin.com",
    "Ann just messaged you",
    { "list-unsubscribe": "<https://l>" },
    "social social-host:linkedin.com",
  ],
  [
    "Facebook",
    "notification@facebookmail.com",
    "Ann commented on your post",
    { "x-facebook": "zuck", "list-unsubscribe": "<https://f>" },
    "social social-host:facebookmail.com",
  ],
  [
    "Facebook, a code",
    "security@facebookmail.com",
    "123456 is your password reset code",
    {},
    "updates automated:transaction-words",
  ],
  [
    "a subdomain of a network",
    "no-reply@mail.instagram.com",
    "See what ann has been up to",
    {},
    "social social-host:instagram.com",
  ],
  ["a look-alike of a network", "ann@notlinkedin.com", "Hello", {}, "primary person"],

  [
    "GitHub",
    "notifications@github.com",
    "Re: [acme/app] Crash on start (#12)",
    {
      "list-id": "acme/app <app.acme.github.com>",
      "list-post": "<mailto:reply+abc@reply.github.com>",
      "list-unsubscribe": "<https://github.com/u>",
      precedence: "list",
    },
    "updates list-id",
  ],
  [
    "a mailing list",
    "torvalds@kernel.example",
    "Re: [PATCH] mm: fix",
    { "list-id": "<linux-mm.kvack.org>", "list-post": "<mailto:linux-mm@kvack.org>", precedence: "bulk" },
    "updates list-id",
    { toMe: false },
  ],
  [
    "an answer on a list that names me",
    "ann@kernel.example",
    "Re: [PATCH] mm: fix",
    { "list-id": "<linux-mm.kvack.org>", "list-post": "<mailto:linux-mm@kvack.org>" },
    "primary list-id+to-me",
  ],
  [
    "Mailman",
    "bob@x.example",
    "[users] Sale of old servers",
    { "x-mailman-version": "2.1.39", "list-unsubscribe": "<mailto:u>", precedence: "list" },
    "updates list-id",
    { toMe: false },
  ],
  [
    "Google Groups",
    "bob@x.example",
    "Minutes",
    { "x-google-group-id": "1", "list-post": "<https://g>, <mailto:team@g.example>" },
    "updates list-id",
    { toMe: false },
  ],
  [
    "Discourse",
    "forum@discourse.example",
    "[Forum] [PM] Welcome",
    { "list-id": "<forum>", "list-unsubscribe": "<https://d>", precedence: "list", "auto-submitted": "auto-generated" },
    "updates list-id",
  ],

  [
    "Amazon, an order",
    "auto-confirm@amazon.de",
    "Bestellt: Kaffee",
    { "feedback-id": "1.eu-west-1.x:1.eu-west-1.y:AmazonSES" },
    "updates automated:feedback-id+machine-sender+transaction-words",
  ],
  [
    "Amazon, a parcel",
    "shipment-tracking@amazon.com",
    "Your package was delivered",
    { "feedback-id": "x:AmazonSES" },
    "updates automated:feedback-id+machine-sender+transaction-words",
  ],
  [
    "Amazon, an advertisement",
    "store-news@amazon.com",
    "Deals inspired by your history",
    { "list-unsubscribe": "<https://a>", "feedback-id": "x:AmazonSES" },
    "promotions bulk:list-unsubscribe+marketing-sender+promo-words",
  ],
  [
    "a bank statement",
    "noreply@bank.example",
    "Your March statement is ready",
    { "list-unsubscribe": "<https://b>" },
    "updates automated:list-unsubscribe+machine-sender+transaction-words",
  ],
  [
    "a German invoice from a campaign tool",
    "hallo@strom.example",
    "Ihre Rechnung vom 3. März",
    { "list-unsubscribe": "<https://b>", "x-csa-complaints": "csa@eco.de" },
    "updates automated:list-unsubscribe+campaign+transaction-words",
  ],
  [
    "PayPal",
    "service@paypal.de",
    "Beleg für Ihre Zahlung an Bäckerei",
    {},
    "updates automated:machine-sender+transaction-words",
  ],
  [
    "a code in Japanese",
    "info@service.example.jp",
    "認証コードのお知らせ",
    { "auto-submitted": "auto-generated" },
    "updates automated:auto-submitted+transaction-words",
  ],
  [
    "Jira",
    "jira@acme.atlassian.net",
    "[JIRA] (APP-7) Crash",
    { precedence: "bulk", "auto-submitted": "auto-generated" },
    "updates automated:precedence+auto-submitted+machine-sender",
  ],
  [
    "cron",
    "root@server.example",
    "Cron <root@server> backup",
    { "auto-submitted": "auto-generated" },
    "updates automated:auto-submitted+machine-sender",
  ],
  ["a disk alarm", "alerts@monitor.example", "Disk usage at 95%", {}, "updates automated:machine-sender"],
  [
    "an out-of-office of a stranger",
    "bob@x.example",
    "Automatic reply: Plan",
    { "auto-submitted": "auto-replied" },
    "updates automated:auto-submitted",
  ],
  [
    "Sendgrid, a password mail",
    "no-reply@app.example",
    "Reset your password",
    { "x-sg-eid": "abc" },
    "updates automated:machine-sender+transaction-words",
  ],

  [
    "Mailchimp, a sale",
    "hello@brand.example",
    "Last chance: 30% off everything",
    {
      "list-id": "<123.mcsv.net>",
      "list-unsubscribe": "<https://m>",
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      "x-mc-user": "1",
      "feedback-id": "1:mc",
    },
    "promotions bulk:list-unsubscribe+campaign+promo-words",
  ],
  [
    "Mailchimp, a letter",
    "ann@studio.example",
    "What I read in March",
    { "list-id": "<9.mcsv.net>", "list-unsubscribe": "<https://m>", "x-mc-user": "1" },
    "promotions bulk:list-unsubscribe+campaign",
  ],
  [
    "Sendgrid, a newsletter",
    "newsletter@paper.example",
    "This week",
    { "list-unsubscribe": "<https://s>", "x-sg-eid": "abc" },
    "promotions bulk:list-unsubscribe+marketing-sender",
  ],
  [
    "a newsletter known by its domain only",
    "online.73@newsletter.paper.example",
    "How to store music",
    {},
    "promotions bulk:marketing-sender",
  ],
  [
    "Substack",
    "writer@substack.com",
    "On rivers",
    { "list-id": "<w.substack.com>", "list-post": "<https://w.substack.com/p/x>", "list-unsubscribe": "<https://w>" },
    "promotions bulk:list-unsubscribe",
  ],
  [
    "a shop, in German",
    "info@laden.example",
    "Nur heute: 20 % Rabatt",
    { "list-unsubscribe": "<https://l>" },
    "promotions bulk:list-unsubscribe+promo-words",
  ],
  [
    "a shop, in French",
    "contact@boutique.example",
    "Soldes : jusqu'à -50 %",
    { precedence: "bulk" },
    "promotions bulk:precedence+promo-words",
  ],
  [
    "a shop, in Spanish",
    "hola@tienda.example",
    "Rebajas y envío gratis",
    { "list-unsubscribe": "<x>" },
    "promotions bulk:list-unsubscribe+promo-words",
  ],
  [
    "a shop, in Russian",
    "info@shop.example.ru",
    "Скидки до 70%",
    { "list-unsubscribe": "<x>" },
    "promotions bulk:list-unsubscribe+promo-words",
  ],
  [
    "a shop, in Chinese",
    "hi@shop.example.cn",
    "双11限时优惠",
    { "list-unsubscribe": "<x>" },
    "promotions bulk:list-unsubscribe+promo-words",
  ],
  [
    "a shop, in Japanese",
    "info@shop.example.jp",
    "送料無料キャンペーン",
    { "list-unsubscribe": "<x>" },
    "promotions bulk:list-unsubscribe+promo-words",
  ],
  [
    "a machine that advertises without a way out",
    "noreply@shop.example",
    "Black Friday starts now",
    {},
    "promotions bulk:promo-words+machine-sender",
  ],
  [
    "an order that also advertises",
    "hello@shop.example",
    "Your order, and 20% off the next",
    { "list-unsubscribe": "<x>" },
    "promotions bulk:list-unsubscribe+promo-words",
  ],
];

describe("categorize", () => {
  // Objects instead of arrays: in rows of different lengths, the test runner takes the last parameter for a callback.
  const rows = MAILS.map((mail) => ({ who: mail[0], mail }));
  test.each(rows)("$who", ({ mail: [, from, subject, headers, decision, extra] }) => {
    const { category, reason } = categorize(input(from, subject, headers, extra));
    expect(`${category} ${reason}`).toBe(decision);
  });

  test("people the user has written to are primary, no matter what the headers say", () => {
    for (const [, from, subject, headers] of MAILS) {
      const got = categorize(input(from, subject, headers, { knownCorrespondent: true }));
      expect(got).toEqual({ category: "primary", reason: "known-correspondent" });
    }
  });

  test("docs/categories.md explains every reason", async () => {
    const page = await Bun.file(new URL("../../../docs/categories.md", import.meta.url)).text();
    for (const [, , , , decision] of MAILS) {
      const [rule, signals = ""] = decision.split(" ")[1]!.split(":");
      expect(page).toContain(`\`${rule}`);
      if (rule !== "social-host")
        for (const signal of signals.split("+").filter(Boolean)) expect(page).toContain(`\`${signal}\``);
    }
  });

  test("random input gets a decision, and the same one each time", () => {
    const names = fc.constantFrom(
      "list-id",
      "list-post",
      "precedence",
      "auto-submitted",
      "content-type",
      "sender",
      "return-path",
      "x",
    );
    const headers = fc.dictionary(names, fc.array(fc.string(), { maxLength: 2 }), { noNullPrototype: true });
    const mail = fc.record({
      from: fc.record({ name: fc.string(), email: fc.oneof(fc.string(), fc.emailAddress()) }),
      subject: fc.string({ unit: "grapheme" }),
      headers: headers.map((entries) => new Map(Object.entries(entries))),
      knownCorrespondent: fc.boolean(),
      toMe: fc.boolean(),
    });
    const known: Category[] = ["primary", "social", "promotions", "updates"];
    fc.assert(
      fc.property(mail, (one) => {
        const decision = categorize(one);
        expect(known).toContain(decision.category);
        expect(decision.reason).toMatch(/^[a-z-]+(?:\+[a-z-]+)?(?::[a-z0-9.+-]+)?$/);
        expect(categorize(one)).toEqual(decision);
      }),
    );
  });

  test("an extremely long subject or sender is decided in bounded time", () => {
    categorize(input(`${"a-".repeat(500_000)}@x.org`, "sale ".repeat(200_000), { "list-unsubscribe": "x" }));
    categorize(input(`a@${"x.".repeat(500_000)}org`, "1".repeat(1_000_000), { precedence: "bulk" }));
  });
});
