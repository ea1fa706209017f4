import { HeldView } from "../../src/backup/lease/held.ts";
import { readHolder } from "../../src/backup/lease/holder.ts";
import { keepLease } from "../../src/backup/lease/keep.ts";
import { Lease } from "../../src/backup/lease/lease.ts";
import { StoreLeasePort } from "../../src/backup/lease/port.ts";
import type { Clock, SteadyClock } from "../../src/kernel/clock.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { FolderStore } from "../../src/platform/objects/folder-store.ts";
import { systemSteadyClock } from "../../src/platform/steady-clock.ts";
import { sealOf } from "./lease-fixture.ts";

/**
 * A process that wants the lease of a folder, and prints when it acts: "TOKEN MS". Its clocks run faster than the real
 * ones, so that a lease of 20 seconds ends soon. Arguments: folder of the store, data folder, factor.
 */
const [place = "", data = "", factor = "1"] = process.argv.slice(2);
const speed = Number(factor);

const steady: SteadyClock = {
  read() {
    const { monotonic, wall, boot } = systemSteadyClock.read();
    return { monotonic: monotonic * speed, wall: wall * speed, boot: boot * speed };
  },
};
const clock: Clock = {
  now: systemClock.now,
  after(ms, fn) {
    const timer = setTimeout(fn, ms / speed);
    return () => clearTimeout(timer);
  },
};
const view = new HeldView(steady);
const lease = new Lease({
  port: new StoreLeasePort(new FolderStore(place, systemClock), true),
  seal: sealOf(new Uint8Array(32)),
  holder: readHolder(data),
  mode: "standby",
  clock,
  steady,
  view,
});

function act(): void {
  const { token } = view;
  // Between two checks, so that the printed moment is one at which it may act.
  if (view.mayAct(token)) {
    const at = performance.timeOrigin + performance.now();
    if (view.mayAct(token)) process.stdout.write(`${token} ${at}\n`);
  }
  setTimeout(act, 2);
}
act();

const options = { lease, clock, gained() {}, failed() {} };
for (;;) await keepLease({ ...options, acquire: { promote: true } }, new AbortController().signal).catch(() => {});
