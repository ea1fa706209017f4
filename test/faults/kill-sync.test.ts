import { expect, test } from "bun:test";
import { DOVECOT } from "../dovecot.ts";
import { killSyncCampaign } from "./kill-sync.ts";

if (!DOVECOT) console.info("skipped: kill -9 during a first sync (Debian's dovecot-imapd is not installed)");

// Five moments here; `bun test/faults/kill-sync.ts` takes fifty, over six thousand messages.
test.skipIf(!DOVECOT)(
  "a first sync that is killed again and again ends like one that was left in peace",
  async () => {
    const report = await killSyncCampaign(5, 300, Math.random);
    expect(report).toMatchObject({ kills: 5, messages: 300, differences: [] });
  },
  90_000,
);
