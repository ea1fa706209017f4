import { askServer } from "../platform/control/client.ts";
import type { ControlCalls, ControlName } from "../platform/control/protocol.ts";
import type { Platform } from "../platform/platform.ts";

/**
 * Notifies the server that runs on the data folder, so that it acts at once on what a command has written. Without a
 * server, nothing is lost: a server reads the changes when it starts.
 * @returns whether a server acted. @throws UserError when it refuses
 */
export async function notifyServer<K extends ControlName>(
  { config }: Platform,
  call: K,
  args: ControlCalls[K]["args"],
): Promise<boolean> {
  return (await askServer(config.data_dir, call, args)).running;
}
