/**
 * Fills a data folder with synthetic mail up to a number of messages: bun fill-growth.ts DIR MESSAGES SEED LOG.
 * Existing messages stay and count, so that a smaller mailbox becomes a larger one and an interrupted run resumes.
 * After every batch of messages, a line of LOG reports as JSON how long storing them took, without the time to make
 * them.
 */
import { appendFileSync } from "node:fs";
import { openFilledMailbox } from "./filled-mailbox.ts";
import type { FillChunk } from "./growth-folders.ts";
import { syntheticSource } from "./synthetic-source.ts";

const [data_dir, messages, seed, log] = process.argv.slice(2) as [string, string, string, string];
const wanted = Number(messages);
const BATCH = 100;
const CHUNK = 2_000;

const message = await syntheticSource(Number(seed));
const mailbox = openFilledMailbox(data_dir);
let chunk: FillChunk = { from: mailbox.stored, to: mailbox.stored, ms: 0, cpu_ms: 0 };
while (mailbox.stored < wanted) {
  const first = mailbox.stored;
  const batch = Array.from({ length: Math.min(BATCH, wanted - first) }, (_, i) => message(first + i));
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  mailbox.take(batch);
  const { user, system } = process.cpuUsage(cpu);
  chunk.ms += performance.now() - began;
  chunk.cpu_ms += (user + system) / 1_000;
  chunk.to = mailbox.stored;
  if (chunk.to % CHUNK > 0 && chunk.to < wanted) continue;
  await mailbox.maintain();
  appendFileSync(log, `${JSON.stringify(chunk)}\n`);
  chunk = { from: chunk.to, to: chunk.to, ms: 0, cpu_ms: 0 };
}
mailbox.finish();
