import { expect, test } from "bun:test";
import { OPENSSL } from "../certificates.ts";
import { killWebhooksCampaign } from "./kill-webhooks.ts";

if (!OPENSSL) console.info("skipped: webhooks of a process that is killed (openssl is not installed)");

/** The long form, 100 kills: `bun test/faults/kill-webhooks.ts`. */
test.skipIf(!OPENSSL)(
  "a process killed at random moments: each event in the log once, and delivered",
  async () => {
    const report = await killWebhooksCampaign({ kills: 8, random: Math.random });
    console.info(`kill-webhooks: ${JSON.stringify(report)}`);
    expect(report.faults).toEqual([]);
    expect(report.events).toBeGreaterThan(20);
  },
  120_000,
);
