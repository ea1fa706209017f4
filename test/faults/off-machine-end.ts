import { Database } from "bun:sqlite";
import { join } from "node:path";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { asLines } from "../invariants/check.ts";
import { compareWithServer } from "../invariants/server.ts";
import { eventually } from "../support/eventually.ts";
import { contradictions } from "./kill-send.ts";
import type { World } from "./off-machine-world.ts";

const SETTLE_MS = 120_000;

/** Lets everything end undisturbed, and checks what must be true then. */
export async function finish(world: World): Promise<void> {
  world.doing = "the end";
  const { people, primary, home, smtp } = world;
  home.store.disturbed = 0;
  smtp.faults.dot = [];
  await people.stop();
  await people.repeatUnanswered();
  await eventually(() => {
    const [open] = openWork(primary.data_dir);
    if (open) throw new Error(open);
    return true;
  }, SETTLE_MS).catch((error: Error) => world.miss(`not settled: ${error.message}`));
  await eventually(async () => {
    const differences = await differencesFromServer(world);
    if (differences.length > 0) throw new Error(differences.slice(0, 5).join("; "));
    return true;
  }, SETTLE_MS).catch((error: Error) => world.miss(error.message));
  const code = await primary.stop();
  if (code !== 0) world.miss(`the server ended with ${code}`);
  await world.judge(primary, { ...world.cut(), promiseMs: 0, adopt: true });
  for (const wrong of wrongSends(world)) world.miss(wrong);
  world.look();
}

/** Returns what the server of a data folder still has to do for people. */
export function openWork(data_dir: string): string[] {
  const db = new Database(join(data_dir, "postroom.db"), { readonly: true });
  try {
    return db
      .query<{ what: string }, []>(
        `SELECT id || ' is ' || status AS what FROM sends WHERE status IN ('scheduled', 'sending')
         UNION ALL SELECT 'a change waits for the server' FROM pending_changes
         UNION ALL SELECT 'a copy of what was sent is wanted' FROM sends WHERE copy = 'wanted'
         UNION ALL SELECT 'a draft waits for the server' FROM drafts
           WHERE hidden = 0 AND send_id IS NULL AND (placed < revision OR missing_at IS NOT NULL)
         UNION ALL SELECT 'a draft is to be removed from the server' FROM draft_remains
         UNION ALL SELECT 'an attachment is to be read for search' FROM file_texts WHERE state = 'waiting'
         UNION ALL SELECT 'a message has no vector yet' FROM embed_queue`,
      )
      .all()
      .map(({ what }) => what);
  } finally {
    db.close();
  }
}

const open = (data_dir: string) =>
  openPlatform({
    config: loadConfig({ data_dir, env: {}, flags: { "log.level": "error" } }),
    clock: systemClock,
  });

async function differencesFromServer({ primary, dovecot }: World): Promise<string[]> {
  const platform = open(primary.data_dir);
  const client = await dovecot.connect("alice");
  try {
    const account = createMailbox(platform)
      .accounts.list()
      .find(({ provider }) => provider === "imap")!;
    return asLines((await compareWithServer(platform, account, client, { flags: true })).findings);
  } finally {
    client.close();
    platform.close();
  }
}

/** Returns sends whose status does not match what arrived. */
function wrongSends({ primary, arrivals }: World): string[] {
  const platform = open(primary.data_dir);
  try {
    const { sends, draftStore } = createOutbound(platform, createMailbox(platform));
    const ids = platform.db.sql.query<{ id: string }, []>("SELECT id FROM sends").all();
    return ids.flatMap(({ id }) => {
      const send = sends.get(id)!;
      const outcome = send.status === "failed" ? `failed/${send.outcome?.reason}` : send.status;
      const wrong = contradictions(send, outcome, arrivals.of(id), draftStore.get(send.draft_id ?? "") !== null);
      // What happened to its draft, and when.
      const history = () =>
        platform.db.sql
          .query<{ line: string }, [string, string]>(
            "SELECT action || ' by ' || actor_kind || ' ' || at AS line FROM audit WHERE target IN (?, ?) ORDER BY rowid",
          )
          .all(id, send.draft_id ?? "")
          .map(({ line }) => line);
      return wrong.map((one) => `${one} (${outcome}, created ${send.created_at}; ${history().join(", ")})`);
    });
  } finally {
    platform.close();
  }
}
