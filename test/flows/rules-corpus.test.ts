import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ruleRoutes } from "../../src/features/rules/routes.ts";
import { readOnThisThread } from "../../src/inbound/message/parsed-message.ts";
import { toIncoming } from "../../src/inbound/message/pipeline.ts";
import { spamAssassin } from "../support/corpus.ts";
import { type PeopleFixture, peopleFixture } from "../support/people-fixture.ts";

const MESSAGES = 900;

/** On real mail: applying a rule does exactly what its preview says, message by message and count by count. */
describe("rules on the SpamAssassin corpus", () => {
  let s: PeopleFixture;
  beforeAll(async () => {
    s = peopleFixture((people) => ruleRoutes(people.rules));
    const corpus = spamAssassin(MESSAGES);
    const read = await readOnThisThread(corpus.map(({ raw }) => ({ source: raw })));
    const folder = s.folder("inbox");
    const now = s.h.clock.now();
    const flags = { flagged: false, answered: false, draft: false, important: false };
    const incoming = read.map(({ contents }, i) =>
      toIncoming(contents, {
        folderId: folder.id,
        uid: i + 1,
        internalDate: now - i * 60_000,
        size: corpus[i]!.raw.length,
        flags: { ...flags, seen: i % 3 === 0 },
        labels: i % 7 === 0 ? ["Linux"] : [],
        flagsHash: 0,
        serverThreadId: null,
      }),
    );
    s.h.platform.db.write(() => s.pipeline.take(s.account, folder, incoming));
  }, 60_000);
  afterAll(() => s.h.close());

  const RULES = [
    {
      conditions: [{ field: "subject", op: "contains", value: "linux" }],
      actions: [{ type: "addLabel", value: "Linux" }, { type: "markRead" }],
    },
    {
      conditions: [
        { field: "list_id", op: "exists" },
        { field: "category", op: "not_equals", value: "primary" },
      ],
      actions: [{ type: "setCategory", value: "social" }, { type: "archive" }],
    },
    {
      conditions: [
        { field: "body", op: "contains", value: "unsubscribe" },
        { field: "from_domain", op: "ends_with", value: ".com" },
      ],
      actions: [{ type: "addLabel", value: "Letters" }, { type: "star" }],
    },
    {
      conditions: [
        { field: "to", op: "not_contains", value: "ilug" },
        { field: "has_attachment", op: "equals", value: "true" },
      ],
      actions: [{ type: "removeLabel", value: "Linux" }, { type: "trash" }],
    },
    { conditions: [{ field: "from", op: "starts_with", value: "r" }], actions: [{ type: "markSpam" }] },
  ];

  /** Everything about a message that a rule can change. */
  function states(): Map<string, string> {
    const rows = s.h.platform.db.sql
      .query<{ id: string; state: string }, []>(
        `SELECT m.id, json_array(m.unread, m.starred, m.category,
           (SELECT group_concat(label_id) FROM (SELECT label_id FROM message_labels WHERE message_id = m.id ORDER BY label_id)),
           (SELECT value FROM pending_changes p WHERE p.message_id = m.id AND p.field = 'folder')) AS state FROM messages m`,
      )
      .all();
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  test.each(RULES.map((rule, i) => [i, rule] as const))(
    "rule %i: apply does what the preview says",
    async (_, rule) => {
      const preview = (await s.h.call("POST", "/rules/preview", { body: { ...rule, days: 30, examples: 50 } })).json;
      expect(preview.scanned).toBeGreaterThan(MESSAGES * 0.9);
      expect(preview.matched).toBeGreaterThan(0);
      const untouched = states();
      const { json: made } = await s.h.call("POST", "/rules", { body: rule });
      expect(states()).toEqual(untouched);
      await s.h.call("POST", `/rules/${made.id}/apply`, { body: { days: 30 } });
      const { jobs } = s.h.platform;
      for (let job = jobs.claim("rule-apply"); job; job = jobs.claim("rule-apply")) {
        jobs.finish(job, await s.people.rule_runs.handler.run(job));
      }
      const run = (await s.h.call("GET", `/rules/${made.id}/apply`)).json;
      expect(run).toMatchObject({
        state: "done",
        done: preview.scanned,
        total: preview.scanned,
        matched: preview.matched,
        changed: preview.changed,
      });
      const after = states();
      const changed = [...after].filter(([id, state]) => untouched.get(id) !== state).map(([id]) => id);
      expect(changed).toHaveLength(preview.changed);
      for (const { message_id, actions } of preview.examples) {
        expect([message_id, changed.includes(message_id)]).toEqual([message_id, actions.length > 0]);
      }
      const audited = s.h.platform.audit
        .list(s.h.user.id, { limit: 10_000 })
        .filter((row) => row.actor.id === made.id && row.action === "rule.apply");
      expect(audited).toHaveLength(preview.changed);
      // Another run finds nothing left to do.
      const again = (await s.h.call("POST", "/rules/preview", { body: { ...rule, days: 30 } })).json;
      expect(again.changed).toBe(0);
    },
    30_000,
  );
});
