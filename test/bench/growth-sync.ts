import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../support/dovecot.ts";
import type { Run } from "./measure.ts";
import { firstSync, postroomCommand, prepareAccount } from "./postroom.ts";
import { serveMaildir } from "./stored-maildir.ts";

const GIVE_UP_MS = 1_800_000;
/** A slow machine has this long for a message. */
const GIVE_UP_MS_EACH = 10;

/**
 * A whole first sync of this many messages, from the start of the process.
 * @param folder where storeMaildirs stored them
 */
export async function syncFromServer(executable: string | null, folder: string, messages: number): Promise<Run> {
  const dovecot = await serveMaildir(folder, messages);
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-growth-sync-"));
  try {
    const command = postroomCommand(executable);
    await prepareAccount(command, data, dovecot.imapPort, dovecot.logins.alice);
    const [port] = (await freePorts(1)) as [number];
    const giveUpMs = Math.max(GIVE_UP_MS, messages * GIVE_UP_MS_EACH);
    const { messages: taken, ...run } = await firstSync(command, data, port, {}, giveUpMs);
    if (taken !== messages) throw new Error(`the first sync took ${taken} of ${messages} messages`);
    return run;
  } finally {
    await dovecot.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
