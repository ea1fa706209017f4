import { expect, test } from "bun:test";
import { killSendCampaign } from "./kill-send.ts";

/** The long form, 1,000 sends and 100 kills: `bun test/faults/kill-send.ts`. */
test("a process killed at random moments, and a mail server in trouble: none twice, none lost", async () => {
  const report = await killSendCampaign({ kills: 10, sends: 80, random: Math.random });
  console.info(`kill-send: ${JSON.stringify(report)}`);
  expect(report.faults).toEqual([]);
  expect(Object.values(report.by_outcome).reduce((sum, count) => sum + count, 0)).toBe(80);
}, 60_000);
