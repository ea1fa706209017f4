import { askServer } from "../platform/control/client.ts";
import type { ControlCalls, ControlName } from "../platform/control/protocol.ts";
import type { Platform } from "../platform/platform.ts";

/**
 * Has the server that runs on the data folder, if one does, act at once on what a command has written. Without one the
 * command is done all the same: a server reads what was written when it starts.
 * @returns whether one acted. @throws UserError when it refuses
 */
export async function tellServer<K extends ControlName>(
  { config }: Platform,
  call: K,
  args: ControlCalls[K]["args"],
): Promise<boolean> {
  return (await askServer(config.data_dir, call, args)).running;
}
