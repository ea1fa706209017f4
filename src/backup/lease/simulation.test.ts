import { expect, setDefaultTimeout, test } from "bun:test";
import { type Mutation, type SimulationOptions, simulate } from "../../../test/support/lease-simulation.ts";
import type { SteadyClock, SteadyReading } from "../../kernel/clock.ts";
import type { PutCondition } from "../../platform/objects/store.ts";
import type { Holder } from "./holder.ts";
import { Lease } from "./lease.ts";
import type { LeasePort } from "./port.ts";
import { ACT_MS, after, type Deadline } from "./timing.ts";

setDefaultTimeout(120_000);

const RUNS = 1_500;
/** A fault that these many runs do not show counts as not found. */
const MUTANT_RUNS = 3_000;

const machinesOf = (seed: number) => 2 + (seed % 3);

/** Returns the first violated property of a changed protocol, in words without numbers. */
function firstFault(mutation: Mutation, more: Partial<SimulationOptions> = {}): string | null {
  for (let seed = 1; seed <= MUTANT_RUNS; seed++) {
    try {
      simulate({ seed, machines: machinesOf(seed), drift: 0.2, mutation, ...more });
    } catch (error) {
      return (error as Error).message.replace(/[\d.]+/g, "N");
    }
  }
  return null;
}

const TWO_ACT = "at N s, machines N and N act";

test("two machines never act, whatever happens to requests, processes and clocks", () => {
  let takeovers = 0;
  let renewals = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const counts = simulate({ seed, machines: machinesOf(seed), drift: 0.2 });
    takeovers += counts.takeovers;
    renewals += counts.renewals;
  }
  // Otherwise, the runs would show little.
  expect(takeovers).toBeGreaterThan(2 * RUNS);
  expect(renewals).toBeGreaterThan(15 * RUNS);
});

class FromTheAnswer extends Lease {
  protected override deadlineOf(_sent: SteadyReading): Deadline {
    return after(this.parts.steady.read(), ACT_MS);
  }
}

class ActingLonger extends Lease {
  protected override deadlineOf(sent: SteadyReading): Deadline {
    return after(sent, 25_000);
  }
}

const withoutCondition = (port: LeasePort): LeasePort => {
  const write = (body: Uint8Array, condition: PutCondition & { blind: true }) => port.write(body, condition);
  return { ...port, write: (body, condition) => write(body, { ...condition, blind: true }) };
};

const only =
  (clock: keyof SteadyReading) =>
  (steady: SteadyClock): SteadyClock => ({
    read() {
      const reading = steady.read()[clock];
      return { monotonic: reading, wall: reading, boot: reading };
    },
  });

/** A holder that takes its own lease at once after a restart of the machine, or of a machine with the same disk. */
const cloned = (holder: Holder): Holder => ({ ...holder, id: "0".repeat(32), boot: "0".repeat(32) });

test.each<[string, Mutation]>([
  ["another machine waits 15 s only", { waitMs: 15_000 }],
  ["another machine waits 25 s", { waitMs: 25_000 }],
  ["the holder acts until 25 s after a renewal", { lease: ActingLonger }],
  ["the holder counts from the answer to a renewal", { lease: FromTheAnswer }],
  ["the lease is measured by the monotonic clock only", { steady: only("monotonic") }],
  ["the lease is measured by the wall clock only", { steady: only("wall") }],
  ["two machines are taken for the same one", { holder: cloned }],
])("the simulation notices that %s", (_what, mutation) => {
  expect(firstFault(mutation)).toBe(TWO_ACT);
});

test("the simulation notices writes without a condition", () => {
  expect(firstFault({ port: withoutCondition })).toMatch(/machines N and N act|the token N follows N|was overwritten/);
});

test("the simulation notices clocks that are wrong by more than 20 %", () => {
  expect(firstFault({}, { drift: 0.3 })).toBe(TWO_ACT);
});
