import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { scratchPlatform } from "../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../test/support/seed-mail.ts";
import { PartCache } from "../platform/blobs/cache.ts";
import { sweepFiles } from "./sweep.ts";

test("a request can write while files are being swept, even after the mail worker has written", async () => {
  const scratch = scratchPlatform();
  const { platform, user } = scratch;
  const seeded = seedMailbox(platform, user.id);
  platform.db.write(() => {
    for (let i = 0; i < 1_100; i++) seeded.deliver();
  });
  const parts = new PartCache(platform);
  const path = parts.files.path("blobs", {
    user_id: user.id,
    message_id: "msg_01jz4t9h2m8q5r7v3w6x0y1z2a",
    part: "raw",
  } as never);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "x");
  const worker = scratch.another();
  const draftStore = { *idsOf() {} } as never;
  const swept = sweepFiles(platform, seeded.mailbox, { draftStore } as never, parts);
  worker.db.write(() => worker.db.sql.run("UPDATE users SET plan = 'inbox'"));
  // An open cursor would keep this connection on its first snapshot and cause SQLITE_BUSY_SNAPSHOT.
  expect(() => platform.db.write(() => platform.db.sql.run("UPDATE users SET plan = plan"))).not.toThrow();
  await swept;
  scratch.close();
});
