import { expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { startScript } from "../support/imap-script.ts";
import { createMailWorld } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";

setDefaultTimeout(20_000);

test("a first sync for which the disk is too small says so, keeps what it has, and goes on when there is room", async () => {
  const server = await startScript();
  const COUNT = 300;
  for (let i = 1; i <= COUNT; i++) server.add("INBOX", { raw: mailText({ id: `m${i}`, text: crypto.randomUUID() }) });
  const login = { username: "alice@mail.test", password: "any" };
  const world = await createMailWorld({ port: server.port, login, longest_wait_ms: 50 });
  try {
    const { sql } = world.platform.db;
    const pages = sql.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
    const limitTo = (count: number) => sql.query(`PRAGMA max_page_count = ${count}`).get();
    limitTo(pages + 40);
    world.start();
    await eventually(() => world.account.last_error !== null);
    expect(world.account).toMatchObject({ status: "unreachable", last_error: expect.stringContaining("disk is full") });
    const before = world.messages().map(({ id }) => id);
    expect(before.length).toBeLessThan(COUNT);
    limitTo(1_000_000_000);
    await eventually(() => world.account.sync.phase === "live" && world.account.status === "active");
    const after = world.messages();
    expect(new Set(after.map(({ message_id }) => message_id)).size).toBe(COUNT);
    expect(after).toHaveLength(COUNT);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
    expect(world.account.last_error).toBeNull();
  } finally {
    await world.close();
    await server.close();
  }
});
