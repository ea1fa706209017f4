import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOVECOT } from "../dovecot.ts";
import { between, type Campaign, shuffled } from "./campaign.ts";
import { Life, openHouse } from "./house.ts";
import { live } from "./served.ts";

/** Debian's libfaketime, which stands between a process and the machine's clock. */
const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
].find((path) => existsSync(path));

const HOUR_S = 3_600;
const JUMPS_S = [2 * HOUR_S, -HOUR_S, 26 * HOUR_S, -50 * HOUR_S, 8 * 24 * HOUR_S, -20 * 24 * HOUR_S, 35, -35];

/**
 * Somebody sets the wall clock, by seconds and by weeks, forwards and back, while mail comes and goes: nothing is lost,
 * nothing comes twice, and with the right time all that waited is done.
 */
export const clockJumpsCampaign: Campaign = async ({ short, random, say }) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  if (!FAKETIME) return { skipped: "Debian's faketime is not installed" };
  const dir = mkdtempSync(join(tmpdir(), "postroom-clock-"));
  const offset_file = join(dir, "offset");
  const set = (seconds: number) => writeFileSync(offset_file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
  set(0);
  const house = await openHouse();
  try {
    const served = await house.serve({
      env: {
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: offset_file,
        FAKETIME_NO_CACHE: "1",
        // Timers go by the clock that nobody can set, as they do outside of tests.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        DONT_FAKE_MONOTONIC: "1",
      },
    });
    const life = new Life(house, served, random);
    await live(house.folder);
    await life.subscribe();
    const jumps = short ? shuffled(random, JUMPS_S).slice(0, 3) : [...JUMPS_S, ...shuffled(random, JUMPS_S)];
    const seen: string[] = [];
    for (const jump of jumps) {
      set(jump);
      await Bun.sleep(between(random, 1_000, 1_800));
      for (let n = 0; n < 5; n++) await life.anything();
      const shown = await clockOf(served.port);
      if (shown === null) break;
      seen.push(`${Math.round((shown - Date.now()) / 1000)} s`);
    }
    say(`the server's clock was off by ${seen.join(", ")}`);
    set(0);
    await Bun.sleep(1_500);
    await life.settle();
    const code = await served.stop();
    if (code !== 0) life.misses.push(`the server ended with ${code}: ${served.log().slice(-600)}`);
    const { messages, sends } = await life.judge({ deliveries_may_wait: true });
    if (life.misses.length > 0) say(served.log().slice(-2_000));
    return { figures: { jumps: jumps.length, requests: life.requests, messages, sends }, misses: life.misses };
  } finally {
    await house.close();
    rmSync(dir, { recursive: true, force: true });
  }
};

/** What time the server has, ms; null when it does not answer. */
async function clockOf(port: number): Promise<number | null> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
  return response && Date.parse(response.headers.get("date") ?? "");
}
