import { UserError } from "../kernel/errors.ts";
import { rollBack } from "./update-rollback.ts";
import { type Installed, isStillRunning, nextStep, runCommand, supervisorFor, whenReady } from "./update-server.ts";

/** How an update ended. */
export interface Restarted {
  restarted: boolean;
  /** What the person does next, or how the server runs. */
  message: string;
}

/**
 * Restarts the server into the new version, and waits until it is ready. If it does not become ready, the earlier
 * version is put back and started. @throws UserError if it was put back, or could not be
 */
export async function restartInto(
  update: Installed & { from: string; to: string; waitMs: number },
): Promise<Restarted> {
  const { data_dir, rights, server, to, waitMs } = update;
  const supervisor = supervisorFor(update);
  if (!supervisor) return { restarted: false, message: nextStep(update) };
  const refused = runCommand(rights, supervisor.restart);
  if (refused !== null && server && (await isStillRunning(data_dir, server))) {
    // For lack of rights, for example. The earlier version still works, and the new one is not known to fail.
    return { restarted: false, message: `The server still runs version ${update.from}: ${refused}. Restart it.` };
  }
  const why = refused ?? (await whenReady(data_dir, { version: to, after: server, waitMs }));
  if (why === null) return { restarted: true, message: `The server was restarted and is ready (${supervisor.name}).` };
  const failed = `Version ${to} did not become ready: ${why}.`;
  try {
    const back = await rollBack({ ...update, restore: true, openFolder: null });
    throw new UserError(`${failed} Version ${back.version} is in place again. ${back.message}`);
  } catch (error) {
    if (error instanceof UserError && error.message.startsWith(failed)) throw error;
    const reason = error instanceof UserError ? error.message : "an internal error";
    throw new UserError(
      `${failed} The earlier version could not be put back: ${reason} Stop the server, and run: ${update.executable}.previous update --rollback --restore-database --data ${data_dir}`,
    );
  }
}
