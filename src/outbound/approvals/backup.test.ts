import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpFixture } from "../../../test/support/mcp-fixture.ts";
import { makeBackup } from "../../backup/make.ts";
import { restoreBackup } from "../../backup/restore.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { formatKey } from "../../platform/sealing/master-key.ts";
import { newRecoveryKey } from "../../platform/sealing/recovery-key.ts";

test("approvals and sending rules are in backups, and a restored approval is sent once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-approvals-"));
  try {
    const before = mcpFixture({ data_dir: join(folder, "data") });
    const { platform } = before.h;
    const key = before.h.newKey({ tools_only: true });
    const by = { actor: before.person.actor, request_id: null };
    before.sends.policies.set(before.h.user.id, key.id, { confirm: "approve", sends_per_day: 7 }, by);
    const connection = { key: key.secret };
    const fields = { to: ["zoe@new.example"], subject: "Offer", body: "At one." };
    const { id: draft_id } = await before.ok("save_draft", fields, connection);
    const { confirmation } = await before.ok("prepare_send", { draft_id }, connection);
    const send = { draft_id, confirmation };
    const { approval_id } = await before.ok("send_draft", send, connection);
    const recovery = await newRecoveryKey();
    const { master } = platform.keyring;
    const file = join(folder, "backup.age");
    await makeBackup({
      data_dir: join(folder, "data"),
      file,
      keys: { master_key: formatKey(master).trim(), source: "file", passphrase_json: null, recovery_json: null },
      readers: { master, salt: null, recovery: recovery.recipient },
      version: "0.0.0",
      clock: before.h.clock,
    });
    before.h.close();
    const data_dir = join(folder, "restored");
    const secrets = [{ kind: "recovery key", secret: recovery.secret } as const];
    await restoreBackup({ file, older: [], secrets, data_dir, migrations: MIGRATION_NAMES });
    const after = mcpFixture({ data_dir });
    expect(after.sends.policies.of(key.id)).toEqual({ confirm: "approve", recipients: "known", sends_per_day: 7 });
    expect((await after.h.call("GET", "/threads", connection)).status).toBe(403);
    expect(await after.ok("send_draft", send, connection)).toMatchObject({
      status: "waiting_for_approval",
      approval_id,
    });
    const { id } = after.sends.approve(after.person, approval_id);
    expect(await after.ok("send_draft", send, connection)).toMatchObject({ send_id: id });
    expect([after.count("sends"), after.count("send_approvals")]).toEqual([1, 1]);
    after.h.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
