import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startDovecot } from "../support/dovecot.ts";
import type { Run } from "./measure.ts";
import { firstSync, postroomCommand, prepareAccount } from "./postroom.ts";
import { rawCopies } from "./raw-copies.ts";

const LOADED_AT_ONCE = 2_000;
const GIVE_UP_MS = 1_800_000;

/** A whole first sync of this many messages from a separate Dovecot, from the start of the process. */
export async function syncFromServer(executable: string | null, messages: number): Promise<Run> {
  const dovecot = await startDovecot();
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-growth-sync-"));
  try {
    const some: { raw: Buffer }[] = [];
    const load = () => dovecot.loadMaildir("alice", "INBOX", some.splice(0));
    for (const raw of rawCopies(messages)) {
      some.push({ raw });
      if (some.length === LOADED_AT_ONCE) load();
    }
    load();
    // The server indexes a folder when it is first opened; this time does not count.
    const client = await dovecot.connect("alice");
    await client.status("INBOX", { messages: true });
    const command = postroomCommand(executable);
    await prepareAccount(command, data, dovecot.imapPort, dovecot.logins.alice);
    const [port] = (await freePorts(1)) as [number];
    const { messages: taken, ...run } = await firstSync(command, data, port, {}, GIVE_UP_MS);
    if (taken !== messages) throw new Error(`the first sync took ${taken} of ${messages} messages`);
    return run;
  } finally {
    await dovecot.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
