import { DOVECOT } from "../support/dovecot.ts";
import { type Campaign, type CampaignOptions, dice, shuffled } from "./campaign.ts";
import { CAN_ATTRIBUTE } from "./off-machine-acts.ts";
import { finish } from "./off-machine-end.ts";
import { planRounds, type Round, runRound } from "./off-machine-rounds.ts";
import { type FIGURES, type Pace, World } from "./off-machine-world.ts";

/**
 * Machines are killed (-9), and lose the store that their data is copied to, while mail arrives and people write, sort
 * and send. After each of these, what is restored elsewhere, or what a standby has when it takes over, equals what was
 * confirmed, except for the last seconds. Nothing is sent twice, and never do two machines act.
 */
export const offMachineCampaign: Campaign = async (options) => {
  if (!DOVECOT) return { skipped: "Debian's dovecot-imapd is not installed" };
  if (!CAN_ATTRIBUTE) return { skipped: "which process owns a connection is read from /proc" };
  const homes = plan(options);
  const worlds = await Promise.all(homes.map((life, i) => live(`home ${i + 1}`, life, options)));
  const figures: Record<string, number | string> = {};
  for (const world of worlds) {
    for (const [name, value] of Object.entries(world.figures)) {
      const before = Number(figures[name] ?? 0);
      figures[name] = /^(worst|slowest)_/.test(name) ? Math.max(before, value) : before + value;
    }
  }
  return { figures, misses: worlds.flatMap(({ misses }) => misses) };
};

/** Of the homes of a full run, the last one has no standby. */
const FULL = { KILLS: 50, PARTITIONS: 50, HOMES: 4 };

const FULL_PACE: Pace = {
  trafficMs: 8_000,
  followMs: 8_000,
  oldMs: 8_000,
  afterMs: 10_000,
  scheduledS: 40,
  unanswered: 0.04,
};
const SHORT_PACE: Pace = {
  trafficMs: 3_000,
  followMs: 4_000,
  oldMs: 3_000,
  afterMs: 2_000,
  scheduledS: 8,
  unanswered: 0,
};

/** Settings of a run that a seed does not determine, from the environment. */
const setting = (name: string, otherwise: number): number => Number(process.env[`OFF_MACHINE_${name}`] ?? otherwise);

interface Life {
  standby: boolean;
  rounds: readonly Round[];
}

/** Returns the rounds of each home. Homes live at the same time, because most rounds wait for a lease. */
function plan({ short, random }: CampaignOptions): Life[] {
  if (short) {
    return [
      { standby: true, rounds: [{ kind: "kill", after: "promote", moment: "a write to the store" }] },
      {
        standby: true,
        rounds: [
          { kind: "partition", who: "primary", state: "refused", seconds: 5 },
          { kind: "kill", after: "restart", moment: "a message on its way" },
          { kind: "partition", who: "both", state: "silent", seconds: 5 },
        ],
      },
    ];
  }
  const [kills, partitions, homes] = [
    setting("KILLS", FULL.KILLS),
    setting("PARTITIONS", FULL.PARTITIONS),
    setting("HOMES", FULL.HOMES),
  ];
  return Array.from({ length: homes }, (_, home) => {
    const share = (all: number) => Math.floor((all * (home + 1)) / homes) - Math.floor((all * home) / homes);
    const standby = homes === 1 || home < homes - 1;
    return { standby, rounds: shuffled(random, planRounds(random, share(kills), share(partitions), standby)) };
  });
}

type Outcome = { figures: typeof FIGURES & Record<string, number>; misses: string[] };

/** Lives through the rounds of one home. */
async function live(
  name: string,
  { standby, rounds }: Life,
  { short, random, say }: CampaignOptions,
): Promise<Outcome> {
  const patience = setting("PATIENCE", 1);
  const world = await World.open({
    name,
    say,
    standby,
    random: dice(Math.floor(random() * 2 ** 31)),
    disturbed: setting("DISTURBED", 0.06),
    pace: short ? SHORT_PACE : FULL_PACE,
    deadlines: {
      promiseMs: setting("PROMISE_MS", 10_000),
      workMs: 60_000 * patience,
      takeOverMs: 120_000 * patience,
    },
  });
  try {
    await world.begin();
    for (const round of rounds) await runRound(world, round);
    await finish(world);
  } catch (error) {
    world.miss(`it did not come to its end: ${(error as Error).stack ?? error}`);
    world.explain();
  }
  const { store, acts } = world.home;
  const { people, journal, arrivals, misses } = world;
  const figures = {
    ...world.figures,
    writes: journal.written,
    requests: people.requests,
    refused: people.refused,
    messages: people.delivered.size,
    sends: people.sends.length,
    arrived: arrivals.count,
    acts: acts.count,
    late_reads: acts.late,
    store_requests: store.requests,
    disturbed: Object.values(store.misfortunes).reduce((sum, count) => sum + count, 0),
    conflicts: store.conflicts,
  };
  await world.close();
  return { figures, misses };
}
