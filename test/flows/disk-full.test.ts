import { expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startScript } from "../support/imap-script.ts";
import { createMailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

test("a first sync without enough disk space reports it, keeps what it has, and resumes when space is available", async () => {
  const server = await startScript();
  const COUNT = 300;
  for (let i = 1; i <= COUNT; i++) server.add("INBOX", { raw: mailText({ id: `m${i}`, text: crypto.randomUUID() }) });
  const login = { username: "alice@mail.test", password: "any" };
  const fixture = await createMailFixture({ port: server.port, login, longest_wait_ms: 50 });
  try {
    const { sql } = fixture.platform.db;
    const pages = sql.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
    const limitTo = (count: number) => sql.query(`PRAGMA max_page_count = ${count}`).get();
    limitTo(pages + 40);
    fixture.start();
    await eventually(() => fixture.account.last_error !== null);
    expect(fixture.account).toMatchObject({
      status: "unreachable",
      last_error: expect.stringContaining("disk is full"),
    });
    const before = fixture.messages().map(({ id }) => id);
    expect(before.length).toBeLessThan(COUNT);
    limitTo(1_000_000_000);
    await eventually(() => fixture.account.sync.phase === "live" && fixture.account.status === "active");
    const after = fixture.messages();
    expect(new Set(after.map(({ message_id }) => message_id)).size).toBe(COUNT);
    expect(after).toHaveLength(COUNT);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
    expect(fixture.account.last_error).toBeNull();
  } finally {
    await fixture.close();
    await server.close();
  }
});
