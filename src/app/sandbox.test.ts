import { afterEach, beforeEach, expect, test } from "bun:test";
import { eventually } from "../../test/support/eventually.ts";
import { fullDisk } from "../../test/support/full-disk.ts";
import { type Scratch, scratchPlatform } from "../../test/support/scratch-platform.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { seedPerson } from "./sandbox.ts";

const MINUTE_MS = 60_000;

let s: Scratch;
beforeEach(() => {
  s = scratchPlatform();
});
afterEach(() => s.close());

test("sample mail that does not fit on the disk is stored when there is space", async () => {
  const { platform, clock, user, log } = s;
  const mailbox = createMailbox(platform);
  const account = () => mailbox.accounts.list(platform.users.sandboxOf(user.id).id)[0];
  const timesLogged = () => log.filter((line) => line.includes("the sample mail will be stored later")).length;
  const disk = fullDisk(platform.db.sql);
  disk.watch(20);
  await seedPerson(platform, mailbox, user.id);
  expect(timesLogged()).toBe(1);
  expect(account()?.sync.phase).not.toBe("live");

  // The disk is still full a minute later.
  clock.advance(MINUTE_MS);
  await eventually(() => timesLogged() === 2);

  disk.free();
  clock.advance(MINUTE_MS);
  await eventually(() => account()?.sync.phase === "live", 20_000);
  const { n } = platform.db.sql
    .query<{ n: number }, [string]>("SELECT count(*) AS n FROM messages WHERE account_id = ?")
    .get(account()!.id)!;
  expect(n).toBe(account()!.sync.total);
}, 30_000);

test("an error in the sample mail that is not about disk space is not retried", async () => {
  const { platform, user } = s;
  platform.db.sql.run("DROP TABLE folders");
  await expect(seedPerson(platform, createMailbox(platform), user.id)).rejects.toThrow("folders");
});
