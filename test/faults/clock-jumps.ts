import { DOVECOT } from "../support/dovecot.ts";
import { between, type Campaign, shuffled } from "./campaign.ts";
import { openInstallation, Workload } from "./installation.ts";
import { live } from "./served.ts";
import { wallClock } from "./wall-clock.ts";

const HOUR_S = 3_600;
const JUMPS_S = [2 * HOUR_S, -HOUR_S, 26 * HOUR_S, -50 * HOUR_S, 8 * 24 * HOUR_S, -20 * 24 * HOUR_S, 35, -35];

/** Accuracy at which the server's clock can be read: its header has whole seconds. */
const CLOCK_S = 5;
/** The longest wait between two attempts to deliver an event is a day. */
const DELIVERED_BY_S = 25 * HOUR_S;

/**
 * The wall clock is set, by seconds and by weeks, forward and back, during mail traffic: nothing is lost, nothing is
 * duplicated, and once the time is right everything that waited is done.
 */
export const clockJumpsCampaign: Campaign = async ({ short, random, say }) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  const clock = wallClock();
  if (!clock) return { skipped: "Debian's faketime is not installed" };
  const installation = await openInstallation();
  try {
    const served = await installation.serve({ env: clock.env });
    const workload = new Workload(installation, served, random);
    await live(installation.folder);
    await workload.subscribe();
    const jumps = short ? shuffled(random, JUMPS_S).slice(0, 3) : [...JUMPS_S, ...shuffled(random, JUMPS_S)];
    const seen: string[] = [];
    for (const jump of jumps) {
      clock.set(jump);
      await Bun.sleep(between(random, 1_000, 1_800));
      for (let n = 0; n < 5; n++) await workload.anything();
      const shown = await clockOf(served.port);
      if (shown === null) break;
      const offS = (shown - Date.now()) / 1000;
      seen.push(`${Math.round(offS)} s`);
      // Otherwise nothing jumped, and the run proves nothing.
      if (!(Math.abs(offS - jump) < CLOCK_S))
        workload.misses.push(`a jump of ${jump} s was one of ${Math.round(offS)} s`);
    }
    if (seen.length < jumps.length) workload.misses.push(`the server did not answer after ${seen.length} jumps`);
    say(`the server's clock was off by ${seen.join(", ")}`);
    clock.set(0);
    await Bun.sleep(1_500);
    await workload.settle();
    // Deliveries that a receiver refused while the clock was wrong wait for their next attempt.
    clock.set(DELIVERED_BY_S);
    await workload.delivered();
    const code = await served.stop();
    if (code !== 0) workload.misses.push(`the server ended with ${code}: ${served.log().slice(-600)}`);
    const { messages, sends } = await workload.judge();
    if (workload.misses.length > 0) say(served.log().slice(-2_000));
    return { figures: { jumps: jumps.length, requests: workload.requests, messages, sends }, misses: workload.misses };
  } finally {
    await installation.close();
    clock.remove();
  }
};

/** Returns the server's time, ms; null when it does not answer. */
async function clockOf(port: number): Promise<number | null> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
  return response && Date.parse(response.headers.get("date") ?? "");
}
