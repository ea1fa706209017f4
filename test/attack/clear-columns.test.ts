import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import migration from "../../migrations/0021_social_hosts.sql" with { type: "text" };
import { type PeopleFixture, peopleFixture } from "../support/people-fixture.ts";

/** No part of a message is stored in clear by any step of its arrival. */

let s: PeopleFixture;
beforeEach(() => {
  s = peopleFixture(() => []);
});
afterEach(() => s.h.close());

/** Returns which of these strings the database file or its log has. */
function inClear(strings: readonly string[]): string[] {
  const folder = s.h.platform.config.data_dir;
  const files = readdirSync(folder).filter((name) => name.startsWith("postroom.db"));
  expect(files.length).toBeGreaterThan(1);
  const bytes = files.map((name) => readFileSync(join(folder, name)).toString("latin1").toLowerCase());
  return strings.filter((string) => bytes.some((each) => each.includes(string)));
}

const reasonOf = (id: string) =>
  s.mailbox.messageQueries.get({ user_id: s.h.user.id, account_id: null }, id).category_reason;

test("the words, names, addresses and headers of a message", () => {
  const strings = [
    "zaffre",
    "quillon",
    "mondegreen",
    "brontide",
    "petrichor",
    "vellichor",
    "tmesis",
    "limerence",
    "ulotrichous",
    "sonder",
  ];
  const [subject, name, local, domain, text, file, list, label, to, id] = strings as [string, ...string[]];
  s.arrive({
    subject: `Re: ${subject}`,
    from: { name: name!, email: `${local}@${domain}.example` },
    to: [{ name: to!, email: `${to}@example.net` }],
    text: `Dear Ada, ${text}.`,
    messageId: `<${id}@example.net>`,
    inReplyTo: [`<${id}.0@example.net>`],
    references: [`<${id}.0@example.net>`],
    headers: new Map([
      ["list-id", [`<${list}.example>`]],
      ["list-unsubscribe", [`<https://${list}.example/stop>`]],
      ["precedence", ["list"]],
    ]),
    labels: [label!],
    attachments: [
      {
        name: `${file}.pdf`,
        mime: "application/pdf",
        contentId: null,
        disposition: "attachment",
        part: "2",
        encoding: "base64",
        size: 100,
      },
    ] as never,
  });
  expect(inClear(strings)).toEqual([]);
});

test("the host of a social network, which the reason of a category names", () => {
  const hosts = ["facebookmail.com", "linkedin.com"];
  const ids = hosts.map((host) => s.arrive({ from: { name: "News", email: `news@mail.${host}` } }).message_id);
  expect(inClear([...hosts, "facebookmail", "linkedin"])).toEqual([]);
  expect(ids.map(reasonOf)).toEqual(hosts.map((host) => `social-host:${host}`));
});

test("the same in mail of an earlier version, after its upgrade", () => {
  const { sql } = s.h.platform.db;
  const { message_id } = s.arrive({ from: { name: "News", email: "news@linkedin.com" } });
  const other = s.arrive();
  sql.run("UPDATE messages SET category_reason = 'social-host:linkedin.com' WHERE id = ?", [message_id]);
  sql.run(migration);
  expect(sql.query("SELECT DISTINCT category_reason FROM messages ORDER BY n").values().flat()).toEqual([
    "social-host",
    "person",
  ]);
  expect([reasonOf(message_id), reasonOf(other.message_id)]).toEqual(["social-host:linkedin.com", "person"]);
});
