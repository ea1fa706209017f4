import { expect, test } from "bun:test";
import { readContents } from "../../src/inbound/message/parsed-message.ts";
import { type Category, categorize } from "../../src/mailbox/categories/category.ts";
import { composeThread } from "../../src/sandbox/compose.ts";
import { sandboxThreads } from "../../src/sandbox/sample-mail.ts";

/**
 * Where a reader would look for mail of these senders of the sandbox; every other sender is a person. Judged from the
 * mail itself, not from the classifier's answers.
 */
const LABELS: Record<string, Category> = {
  "avisos@bancoalfama.example": "updates",
  "faturas@luzclara.example": "updates",
  "marcacoes@clinicasorriso.example": "updates",
  "billing@framewright.example": "updates",
  "receipts@eletrica.example": "updates",
  "receipts@cloudkeep.example": "updates",
  "encomendas@papelariaestrela.example": "updates",
  "reservas@aerotejo.example": "updates",
  "billetes@ibericatrenes.example": "updates",
  "notifications@codeharbor.example": "updates",
  "security@codeharbor.example": "updates",
  "notify@plaza.example": "social",
  "updates@worklink.example": "social",
  "hello@typeweekly.example": "promotions",
  "ruth@themargin.example": "promotions",
  "agenda@lisboasemanal.example": "promotions",
  "shop@kestrelbags.example": "promotions",
  "novidades@papelariaestrela.example": "promotions",
};
const SELF = "alex@sandbox.example";

/**
 * Quality of the tabs on the sandbox without known correspondents: the hardest case, because people written to are
 * `primary`.
 */
test("mail of the sandbox is found where a reader would look for it", async () => {
  const table = new Map<string, number>();
  let [right, all] = [0, 0];
  for (const thread of sandboxThreads()) {
    for (const { raw, folder } of await composeThread(thread, new Date("2026-03-02T09:00:00Z"))) {
      if (/sent|drafts|spam/i.test(folder)) continue;
      const { contents } = await readContents({ source: raw });
      const listed = /^\[|\] /.test(contents.subject) && contents.headers.has("list-id");
      const label = listed ? "updates" : (LABELS[contents.from.email] ?? "primary");
      const { category } = categorize({
        from: contents.from,
        subject: contents.subject,
        headers: contents.headers,
        knownCorrespondent: false,
        toMe: contents.to.some(({ email }) => email === SELF),
        isReply: contents.inReplyTo.length + contents.references.length > 0,
        messageId: contents.messageId,
        body: contents,
      });
      all++;
      if (category === label) right++;
      else table.set(`${label} taken for ${category}`, (table.get(`${label} taken for ${category}`) ?? 0) + 1);
    }
  }
  console.info(`categories on the sandbox: ${right} of ${all} right; ${JSON.stringify(Object.fromEntries(table))}`);
  expect(right / all).toBeGreaterThan(0.96);
  // Most important: a person's mail is never hidden in another tab.
  expect([...table.keys()].filter((fault) => fault.startsWith("primary"))).toEqual([]);
  // Networks are recognized by their hosts and by usual subjects. Those of the sandbox are fictional.
  expect(table.get("social taken for updates")).toBe(3);
});
