import { eventually } from "../support/eventually.ts";
import { between, pick } from "./campaign.ts";
import { openWork } from "./off-machine-end.ts";
import type { Cut } from "./off-machine-journal.ts";
import type { Machine } from "./off-machine-machines.ts";
import type { LineState } from "./off-machine-store.ts";
import { compareAdded, type FolderView } from "./off-machine-view.ts";
import { acts, type World } from "./off-machine-world.ts";

/** What follows a kill: the same machine starts again, or another one has its data. */
export type AfterKill = "restart" | "quiet restart" | "restore" | "promote";
type CutOff = Exclude<LineState, "up">;
type Partition = Round & { kind: "partition" };

export type Round =
  | { kind: "kill"; after: AfterKill; moment: "any time" | "a write to the store" | "a message on its way" }
  | { kind: "partition"; who: "primary" | "standby" | "both"; state: CutOff; seconds: number }
  /** The standby takes over while the old primary lives. "frozen": it does nothing for a while, as in a virtual machine. */
  | { kind: "partition"; who: "failover"; state: CutOff | "frozen" }
  /** The primary is stopped, and the standby takes over at once, with everything. */
  | { kind: "handover" };

/** Share of the restarts after which an earlier state is restored, too. */
const PAST = 0.4;
const MOMENT_MS = 4_000;

export async function runRound(world: World, round: Round): Promise<void> {
  const { figures, options } = world;
  const what = textOf(round);
  world.doing = `${what} (round ${++world.rounds})`;
  const misses = world.misses.length;
  const began = performance.now();
  if (round.kind === "kill") {
    figures.kills++;
    await kill(world, round);
  } else if (round.kind === "partition") {
    figures.partitions++;
    await partition(world, round);
  } else {
    figures.handovers++;
    await handOver(world);
  }
  world.look();
  if (world.misses.length > misses) world.explain();
  options.say(`${options.name}: ${what}, ${Math.round((performance.now() - began) / 1000)} s`);
}

function textOf(round: Round): string {
  if (round.kind === "handover") return "handover";
  if (round.kind === "kill") return `${round.after} after a kill at ${round.moment}`;
  const { who, state } = round;
  if (who === "failover") return `failover of a living primary (${state})`;
  return `${who} without a store (${state}, ${round.seconds} s)`;
}

async function kill(world: World, { after, moment }: Round & { kind: "kill" }): Promise<void> {
  const { random, deadlines, pace } = world.options;
  if (after === "promote") await follow(world);
  await Bun.sleep(between(random, 1_000, pace.trafficMs));
  const isQuiet = after === "quiet restart";
  if (isQuiet) {
    await world.people.stop();
    await eventually(() => openWork(world.primary.data_dir).length === 0, deadlines.workMs).catch(() =>
      world.miss("the primary does not finish its work"),
    );
    await Bun.sleep(2 * deadlines.promiseMs);
  } else await reach(world, moment);
  const old = world.primary;
  await old.kill();
  const cut = world.cut();
  world.unemploy();
  if (after === "restart" || isQuiet) {
    const copy = await world.restoreElsewhere(cut, { ended: old.data_dir, isQuiet });
    await copy?.[0].remove();
    if (isQuiet || random() < PAST) await world.restorePast();
    await startAgain(world, old, isQuiet);
    return;
  }
  const found =
    after === "restore"
      ? await world.restoreElsewhere({ ...cut, adopt: true }, { ended: old.data_dir })
      : await promote(world, cut);
  if (!found) return startAgain(world, old, false);
  const [machine, view] = found;
  if (after === "restore" && !(await takeOver(world, machine))) {
    await machine.remove();
    return startAgain(world, old, false);
  }
  await install(world, machine, view);
  await tryOld(world, old);
}

/** Permits a restored folder to act in place of the old primary. @returns whether it may */
async function takeOver(world: World, machine: Machine): Promise<boolean> {
  const { options, figures } = world;
  const { code, err, ms } = await machine.promote(options.deadlines.takeOverMs);
  figures.slowest_take_over_ms = Math.max(figures.slowest_take_over_ms, ms);
  if (code !== 0) world.miss(`the promotion of a restored folder ended with ${code}: ${err.slice(-600)}`);
  return code === 0;
}

/** Waits for a moment, if it comes soon. */
async function reach({ home, arrivals, primary, options }: World, moment: string): Promise<void> {
  if (moment === "any time") return Bun.sleep(between(options.random, 0, 1_000));
  const { promise, resolve } = Promise.withResolvers<void>();
  if (moment === "a message on its way") arrivals.onArrival = resolve;
  else home.store.onWrite = (line) => line === primary.name && resolve();
  await Promise.race([promise, Bun.sleep(MOMENT_MS)]);
  arrivals.onArrival = null;
  home.store.onWrite = null;
}

/** The killed machine starts again: everything that it confirmed is there. */
async function startAgain(world: World, machine: Machine, wasQuiet: boolean): Promise<void> {
  await world.judge(machine, { ...world.cut(), promiseMs: 0 });
  await machine.serve();
  await world.untilActing(machine);
  world.employ(machine);
  if (wasQuiet) world.people.start();
  await world.people.repeatUnanswered();
}

/** Lets a standby follow, if none does. */
async function follow(world: World): Promise<void> {
  if (world.standby?.followed?.code === null) return;
  if (world.standby) {
    const { code, log } = world.standby.followed ?? {};
    world.miss(`the standby ended with ${code}: ${log?.slice(-600)}`);
    await world.standby.remove();
  }
  world.standby = await world.machine();
  world.standby.follow();
  await Bun.sleep(world.options.pace.followMs);
}

/**
 * Lets the standby take over. Null when it does not.
 * @param cut up to when the old primary acted; absent if it went on
 */
async function promote(world: World, cut?: Cut): Promise<[Machine, FolderView] | null> {
  const { standby, primary, options, figures } = world;
  world.standby = null;
  const { code, err, out, ms } = await standby!.promote(options.deadlines.takeOverMs);
  await standby!.unfollow();
  figures.promotions++;
  figures.slowest_take_over_ms = Math.max(figures.slowest_take_over_ms, ms);
  if (code === 0 && primary.served === null)
    for (const difference of compareAdded(standby!.data_dir, primary.data_dir)) world.miss(difference);
  const view = code === 0 ? await world.judge(standby!, { ...(cut ?? world.cut()), adopt: true }) : null;
  if (view) return [standby!, view];
  world.miss(`the promotion ended with ${code}: ${err.slice(-600)} ${out.slice(-300)}`);
  world.explain();
  await standby!.remove();
  return null;
}

/** The primary is stopped for good, as before its machine is replaced: nothing is missing. */
async function handOver(world: World): Promise<void> {
  await follow(world);
  await Bun.sleep(between(world.options.random, 1_000, world.options.pace.trafficMs / 2));
  const old = world.primary;
  world.unemploy();
  const code = await old.stop();
  if (code !== 0) world.miss(`the server ended with ${code}`);
  const found = await promote(world, { ...world.cut(), promiseMs: 0 });
  if (!found) return startAgain(world, old, false);
  await install(world, ...found);
  await tryOld(world, old);
}

/** A machine with the data of the old one becomes the primary. */
async function install(world: World, machine: Machine, view: FolderView): Promise<void> {
  await machine.serve();
  await world.untilActing(machine);
  world.people.adopt(view);
  world.employ(machine);
  await world.people.repeatUnanswered();
}

/** Half of the old primaries start again beside the new one: they must not act. */
async function tryOld(world: World, old: Machine): Promise<void> {
  const { store, standby } = world.home;
  if (world.options.random() < 0.5) return old.remove();
  const { disturbed } = store;
  // One that needs no lease acts if the store does not answer. Who restores elsewhere confirms that it stays off.
  if (!standby) store.disturbed = 0;
  await old.serve({ answers: false });
  await watchOld(world, old);
  store.disturbed = disturbed;
}

async function watchOld(world: World, old: Machine): Promise<void> {
  world.figures.old_primaries++;
  const end = performance.now() + world.options.pace.oldMs;
  while (performance.now() < end) {
    const state = await acts(old);
    if (state === "acts") world.miss(`the old primary ${old.process} accepts changes`);
    if (state === "acts" || state === "ended") break;
    await Bun.sleep(250);
  }
  await old.remove();
}

async function partition(world: World, round: Partition): Promise<void> {
  const { primary, options } = world;
  if (round.who !== "primary") await follow(world);
  await Bun.sleep(between(options.random, 500, options.pace.trafficMs / 2));
  if (round.who === "failover") return failOver(world, round.state);
  const { who, state, seconds } = round;
  const lines = [...(who === "standby" ? [] : [primary.line]), ...(who === "primary" ? [] : [world.standby!.line])];
  for (const line of lines) line.set(state);
  await Bun.sleep(seconds * 1_000);
  for (const line of lines) line.set("up");
  await world.untilActing(primary, options.deadlines.workMs);
  await world.people.repeatUnanswered();
  await Bun.sleep(options.pace.afterMs);
  const copy = await world.restoreElsewhere(world.cut());
  await copy?.[0].remove();
}

/** The primary is cut off, and the standby takes over while the old one lives and people still use it. */
async function failOver(world: World, state: CutOff | "frozen"): Promise<void> {
  const old = world.primary;
  const cutOff = (isCut: boolean) => {
    if (state === "frozen") old.freeze(isCut);
    else old.line.set(isCut ? state : "up");
  };
  cutOff(true);
  const frozen = state === "frozen" ? world.cut() : undefined;
  if (frozen) world.unemploy();
  await Bun.sleep(between(world.options.random, 0, 10_000));
  const found = await promote(world, frozen);
  if (!found) {
    cutOff(false);
    await world.untilActing(old);
    return world.employ(old);
  }
  if (state !== "frozen" && (await acts(old)) === "acts")
    world.miss(`the old primary ${old.process} accepts changes after the promotion`);
  world.unemploy();
  await install(world, ...found);
  // A request that waits when the old primary continues.
  const asked = acts(old);
  await Bun.sleep(50);
  cutOff(false);
  if ((await asked) === "acts") world.miss(`the old primary ${old.process} accepted a change that had waited`);
  await watchOld(world, old);
}

const AFTER: readonly AfterKill[] = ["restart", "promote", "restore", "restart", "quiet restart", "promote", "restore"];
const WHO: readonly Partition["who"][] = ["primary", "failover", "standby", "both", "failover", "primary"];
const MOMENTS = ["any time", "a write to the store", "a message on its way"] as const;
/** The shortest is too short to lose the lease, and the longest is much longer than the lease. */
/** Handovers besides the kills and partitions, as a share of these. */
const HANDOVERS = 0.08;
const SHORTEST_S = 5;
const LONGEST_S = 60;

/** Plans rounds: every kind has its share. @param standby whether another machine may take over */
export function planRounds(random: () => number, kills: number, partitions: number, standby: boolean): Round[] {
  const afters = standby ? AFTER : AFTER.filter((after) => after !== "promote");
  const whos = standby ? WHO : WHO.filter((who) => who === "primary");
  return [
    ...Array.from(
      { length: standby ? Math.round((kills + partitions) * HANDOVERS) : 0 },
      (): Round => ({ kind: "handover" }),
    ),
    ...Array.from(
      { length: kills },
      (_, i): Round => ({ kind: "kill", after: afters[i % afters.length]!, moment: pick(random, MOMENTS) }),
    ),
    ...Array.from({ length: partitions }, (_, i): Round => {
      const who = whos[i % whos.length]!;
      if (who === "failover") return { kind: "partition", who, state: pick(random, ["refused", "silent", "frozen"]) };
      const seconds = between(random, SHORTEST_S, LONGEST_S + 1);
      return { kind: "partition", who, state: pick(random, ["refused", "silent"]), seconds };
    }),
  ];
}
