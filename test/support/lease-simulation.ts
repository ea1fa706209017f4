import { drainMicrotasks } from "bun:jsc";
import { createHash } from "node:crypto";
import { HeldView } from "../../src/backup/lease/held.ts";
import type { Holder, HolderMemory } from "../../src/backup/lease/holder.ts";
import { keepLease } from "../../src/backup/lease/keep.ts";
import { Lease, type LeaseParts } from "../../src/backup/lease/lease.ts";
import type { LeasePort } from "../../src/backup/lease/port.ts";
import type { Clock, SteadyClock, SteadyReading } from "../../src/kernel/clock.ts";
import { SimulatedStore, segmentOf } from "./lease-simulation-store.ts";

/** What is wrong in a changed protocol, which the simulation must notice. */
export interface Mutation {
  lease?: typeof Lease<unknown>;
  waitMs?: number;
  port?(port: LeasePort): LeasePort;
  steady?(steady: SteadyClock): SteadyClock;
  holder?(holder: Holder): Holder;
}

export interface SimulationOptions {
  seed: number;
  machines: number;
  /** How wrong clocks are at most, 0.2 for 20 %. */
  drift: number;
  mutation?: Mutation;
}

const DISTURBED_MS = 180_000;
const QUIET_MS = 75_000;

/** Returns random numbers of a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Runs machines that compete for one lease, in simulated time, with a store and clocks that misbehave.
 * @returns what happened @throws Error with the first violated property
 */
export function simulate(options: SimulationOptions): { takeovers: number; renewals: number } {
  const world = new World(options);
  world.run();
  return { takeovers: world.store.takeovers, renewals: world.store.renewals };
}

interface Step {
  at: number;
  order: number;
  run(): void;
}

/** Simulated time: a queue of steps. */
class World {
  now = 0;
  readonly random: () => number;
  readonly store: SimulatedStore;
  readonly machines: Machine[];
  #order = 0;
  readonly #steps: Step[] = [];

  constructor(readonly options: SimulationOptions) {
    this.random = randomOf(options.seed);
    this.store = new SimulatedStore(this);
    this.machines = Array.from({ length: options.machines }, (_, number) => new Machine(this, number));
  }

  get isDisturbed(): boolean {
    return this.now < DISTURBED_MS;
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  after(ms: number, run: () => void): void {
    const step = { at: this.now + Math.max(0, ms), order: this.#order++, run };
    // A binary heap, because a run has thousands of steps.
    let place = this.#steps.push(step) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(this.#steps[parent]!, step)) break;
      this.#steps[place] = this.#steps[parent]!;
      place = parent;
    }
    this.#steps[place] = step;
  }

  run(): void {
    for (const machine of this.machines) this.after(this.between(0, 5_000), () => machine.boot());
    for (let step = this.#pop(); step && step.at <= DISTURBED_MS + QUIET_MS; step = this.#pop()) {
      this.now = step.at;
      step.run();
      drainMicrotasks();
      this.#checkActing();
    }
    if (!this.machines.some((machine) => machine.isActing)) throw new Error("after a quiet time, no machine acts");
  }

  #checkActing(): void {
    const acting = this.machines.filter((machine) => machine.isActing);
    if (acting.length < 2) return;
    const names = acting.map(({ number }) => number).join(" and ");
    throw new Error(`at ${(this.now / 1_000).toFixed(3)} s, machines ${names} act`);
  }

  #pop(): Step | undefined {
    const [first] = this.#steps;
    const last = this.#steps.pop();
    if (!first || !last || first === last) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#steps.length) break;
      if (child + 1 < this.#steps.length && isBefore(this.#steps[child + 1]!, this.#steps[child]!)) child++;
      if (isBefore(last, this.#steps[child]!)) break;
      this.#steps[place] = this.#steps[child]!;
      place = child;
    }
    this.#steps[place] = last;
    return first;
  }
}

function isBefore(a: Step, b: Step): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Clocks of a machine, each of which can stop or jump. */
class MachineClocks implements SteadyClock {
  readonly #reading: SteadyReading;
  readonly rate: number;
  readonly stopped = new Set<keyof SteadyReading>();
  #last = 0;

  constructor(private readonly world: World) {
    this.rate = 1 + world.between(-1, 1) * world.options.drift;
    // Extremes find more than values between them.
    if (world.chance(0.8)) this.rate = world.chance(0.5) ? 1 + world.options.drift : 1 - world.options.drift;
    this.#reading = { monotonic: 0, wall: 1.8e12 + world.between(-1e7, 1e7), boot: world.between(0, 1e6) };
  }

  read(): SteadyReading {
    const passed = (this.world.now - this.#last) * this.rate;
    this.#last = this.world.now;
    for (const clock of ["monotonic", "wall", "boot"] as const) {
      if (!this.stopped.has(clock)) this.#reading[clock] += passed;
    }
    return { ...this.#reading };
  }

  stop(clocks: readonly (keyof SteadyReading)[]): void {
    this.read();
    for (const clock of clocks) this.stopped.add(clock);
  }

  go(): void {
    this.read();
    this.stopped.clear();
  }

  setWall(ms: number): void {
    this.read();
    this.#reading.wall += ms;
  }
}

class Machine {
  readonly clocks: MachineClocks;
  #process: Process | null = null;
  #isPaused = false;
  #backlog: (() => void)[] = [];
  #memory: HolderMemory = { id: "", sessions: [], token: 0, supersededBy: null };
  #boots = 0;
  /** A machine that may sleep has a clock that can be set; one whose whole system may be paused has a good wall clock. */
  readonly #sleeps: boolean;

  constructor(
    readonly world: World,
    readonly number: number,
  ) {
    this.clocks = new MachineClocks(world);
    this.#sleeps = world.chance(0.5);
  }

  /** Also true while it is paused, because it may continue at any moment. */
  get isActing(): boolean {
    return this.#process?.view.mayAct() ?? false;
  }

  boot(): void {
    this.#boots++;
    this.start();
  }

  start(): void {
    const process = new Process(this, this.#holder());
    this.#process = process;
    process.start();
    this.#disturbLater(process);
  }

  /** Runs a step of a process, when the machine runs; never after the process has ended. */
  post(process: Process, run: () => void): void {
    if (this.#process !== process) return;
    if (this.#isPaused) this.#backlog.push(() => this.post(process, run));
    else run();
  }

  restartLater(process: Process): void {
    this.world.after(this.world.between(10, 8_000), () => {
      if (this.#process === process) this.start();
    });
  }

  #holder(): Holder {
    const id = (text: string) => createHash("md5").update(text).digest("hex");
    const { seed } = this.world.options;
    const holder: Holder = {
      id: id(`holder ${this.number}`),
      session: id(`session ${seed} ${this.number} ${this.world.now}`),
      boot: id(`boot ${this.number} ${this.#boots}`),
      name: `machine ${this.number}`,
      memory: this.#memory,
      remember: (memory) => {
        this.#memory = memory;
        holder.memory = memory;
      },
    };
    return this.world.options.mutation?.holder?.(holder) ?? holder;
  }

  #disturbLater(process: Process): void {
    const { world } = this;
    world.after(world.between(1_000, 60_000), () => {
      if (this.#process !== process) return;
      if (world.isDisturbed) this.#disturb(process);
      if (this.#process === process) this.#disturbLater(process);
    });
  }

  #disturb(process: Process): void {
    const { world } = this;
    const kind = world.random();
    if (kind < 0.35) this.#pause(world.between(50, world.chance(0.3) ? 60_000 : 15_000));
    else if (kind < 0.5) this.clocks.setWall(world.between(0, 1) ** 3 * 600_000 * (this.#mayJumpBack() ? -1 : 1));
    else if (kind < 0.65) process.release();
    else {
      this.#process = null;
      const isReboot = world.chance(0.4);
      world.after(world.between(20, 20_000), () => (isReboot ? this.boot() : this.start()));
    }
  }

  #mayJumpBack(): boolean {
    return this.#sleeps && this.world.chance(0.5);
  }

  #pause(ms: number): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    // Only the process, a sleeping machine, or a paused virtual machine.
    if (this.world.chance(0.6)) this.clocks.stop(this.#sleeps ? ["monotonic"] : ["monotonic", "boot"]);
    this.world.after(ms, () => {
      this.clocks.go();
      this.#isPaused = false;
      for (const run of this.#backlog.splice(0)) run();
    });
  }
}

/** A process that wants the lease, and writes to its log while it has it. */
class Process {
  readonly view: HeldView;
  readonly #lease: Lease;
  readonly #clock: Clock;
  readonly #stop = new AbortController();

  constructor(
    private readonly machine: Machine,
    holder: Holder,
  ) {
    const { world, clocks } = machine;
    const { mutation = {} } = world.options;
    const steady = mutation.steady?.(clocks) ?? clocks;
    this.view = new HeldView(steady);
    this.#clock = {
      now: () => Math.floor(clocks.read().wall),
      after: (ms, fn) => {
        let isCanceled = false;
        world.after(ms / clocks.rate, () => machine.post(this, () => isCanceled || fn()));
        return () => {
          isCanceled = true;
        };
      },
    };
    const seal = { seal: (bytes: Uint8Array) => bytes, open: (bytes: Uint8Array) => bytes };
    const port = world.store.portOf((run) => machine.post(this, run));
    const parts: LeaseParts = {
      port: mutation.port?.(port) ?? port,
      seal,
      holder,
      mode: "standby",
      clock: this.#clock,
      steady,
      view: this.view,
      ...(mutation.waitMs ? { waitMs: mutation.waitMs } : {}),
    };
    this.#lease = new (mutation.lease ?? Lease)(parts);
  }

  start(): void {
    const gained = () => this.#write();
    const options = { lease: this.#lease, clock: this.#clock, acquire: { promote: true }, gained, failed: () => {} };
    const again = () => this.machine.restartLater(this);
    keepLease(options, this.#stop.signal).then(again, again);
  }

  release(): void {
    this.#lease.release().catch(() => {});
  }

  /** Ships a segment: the object must have it when the renewal succeeds, or a newer one. */
  #write(): void {
    const { world } = this.machine;
    this.#clock.after(world.between(500, 9_000), () => {
      if (!this.#lease.held) return;
      const next = segmentOf(this.#lease.body?.log) + 1;
      this.#lease.renew({ segment: next }).then(
        () => {
          if (world.store.segment < next) throw new Error("an acknowledged segment is not in the object");
        },
        () => {},
      );
      this.#write();
    });
  }
}
