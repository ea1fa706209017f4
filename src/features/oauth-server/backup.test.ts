import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assistantFixture } from "../../../test/support/assistant-fixture.ts";
import { OAuthClient } from "../../../test/support/oauth-client.ts";
import { makeBackup } from "../../backup/make.ts";
import { restoreBackup } from "../../backup/restore.ts";
import { MIGRATION_NAMES } from "../../platform/db/migrate.ts";
import { formatKey } from "../../platform/sealing/master-key.ts";
import { newRecoveryKey } from "../../platform/sealing/recovery-key.ts";

test("registrations, connections and tokens are in backups", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-oauth-"));
  try {
    const before = assistantFixture({ data_dir: join(folder, "data") });
    const { platform } = before.h;
    const client = await OAuthClient.register(before);
    const { json } = await client.connect({ scopes: ["mail:read"] });
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
    const after = assistantFixture({ data_dir });
    expect((await after.call(json.access_token)).status).toBe(200);
    const same = new OAuthClient(after, client.client_id);
    const next = await same.refresh(json.refresh_token);
    expect((await after.call(next.json.access_token)).status).toBe(200);
    expect(await after.begin(same.url(), after.window())).toBeString();
    after.h.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
