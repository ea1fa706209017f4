import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { mailPipeline } from "../../app/mail.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import { BlobFiles } from "../../platform/blobs/files.ts";
import { type SandboxParts, seedSandbox } from "./local-delivery.ts";

let s: Scratch;
beforeEach(() => {
  s = scratchPlatform();
});
afterEach(() => s.close());

test("a sample message whose source does not fit on the disk is not stored, and is stored with its source later", async () => {
  const { platform, user } = s;
  const mailbox = createMailbox(platform);
  const { accounts, folders, locations } = mailbox;
  const files = new BlobFiles(platform);
  const user_id = platform.users.sandboxOf(user.id).id;
  let writesLeft = 5;
  const keepRaw: SandboxParts["keepRaw"] = (...given) => {
    if (writesLeft-- === 0)
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    files.storeRaw(...given);
  };
  const seed = () =>
    seedSandbox(
      { platform, accounts, folders, locations, pipeline: mailPipeline(platform, mailbox), keepRaw },
      user_id,
    );
  const stored = platform.db.sql.query<{ id: string }, [string]>("SELECT id FROM messages WHERE user_id = ?");
  const withoutSource = () =>
    stored.all(user_id).filter(({ id }) => !existsSync(files.path("blobs", { user_id, message_id: id, part: "raw" })));

  await expect(seed()).rejects.toMatchObject({ code: "ENOSPC" });
  expect(stored.all(user_id)).toHaveLength(5);
  expect(withoutSource()).toEqual([]);

  writesLeft = Number.POSITIVE_INFINITY;
  await seed();
  const { sync } = accounts.list(user_id)[0]!;
  expect(sync.phase).toBe("live");
  expect(stored.all(user_id)).toHaveLength(sync.total);
  expect(withoutSource()).toEqual([]);
}, 30_000);
