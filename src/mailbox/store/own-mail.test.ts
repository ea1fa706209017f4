import { afterEach, beforeEach, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { ruleRoutes } from "../../features/rules/routes.ts";
import { Conversations } from "../queries/conversations.ts";
import type { FolderRole } from "./state.ts";

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture((people) => ruleRoutes(people.rules));
});
afterEach(() => s.h.close());

const ADA = { name: "Ada", email: "Ada@Example.org" };
const RULE = {
  kind: "inbox",
  conditions: [{ field: "subject", op: "equals", value: "Big sale" }],
  actions: [{ type: "addLabel", value: "Sales" }],
};

/**
 * Returns who wrote the message according to each part that asks: the rules on arrival, the preview of a rule, and
 * conversations, which briefs and the agent read.
 */
async function judged({ message_id, thread_id }: { message_id: string; thread_id: string }) {
  const labels = s.mailbox.labels.ofMessage(message_id);
  const preview = await s.h.call("POST", "/rules/preview", { body: { ...RULE, days: 30 } });
  const found = (preview.json.examples as { message_id: string }[]).some((one) => one.message_id === message_id);
  const reader = new Conversations(s.h.platform, s.mailbox.accounts).of({ user_id: s.h.user.id, account_id: null });
  const message = reader.messages(thread_id).find(({ id }) => id === message_id)!;
  return { arrival: labels.length === 0, preview: !found, conversation: message.outgoing };
}
const everyone = (own: boolean) => ({ arrival: own, preview: own, conversation: own });
const arrive = (role: FolderRole, more = {}) => s.arrive({ role, from: ADA, subject: "Big sale", ...more });

beforeEach(async () => {
  await s.h.call("POST", "/rules", { body: RULE });
});

test("mail in the inbox that only claims to come from the user is not theirs, for every part that asks", async () => {
  expect(await judged(arrive("inbox"))).toEqual(everyone(false));
});

test("mail from the user's address in a folder that only they put mail into is theirs", async () => {
  expect(await judged(arrive("archive"))).toEqual(everyone(true));
});

test("a changed copy of a message in Sent is theirs for rules; conversations trust no text that could be forged", async () => {
  arrive("sent", { messageId: "<a@example.org>" });
  const copy = arrive("inbox", { messageId: "<a@example.org>", text: "With a footer." });
  expect(await judged(copy)).toEqual({ arrival: true, preview: true, conversation: false });
});

test("mail from others is not theirs, wherever it is", async () => {
  const from = { name: "Bob", email: "bob@example.net" };
  expect(await judged(arrive("archive", { from }))).toEqual(everyone(false));
});
