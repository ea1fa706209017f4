import type { BackupProgress, ControlHandlers } from "../platform/control/protocol.ts";
import type { Platform } from "../platform/platform.ts";
import { COMMIT, VERSION } from "../version.ts";
import type { Parts } from "./parts.ts";

export interface ControlParts {
  platform: Platform;
  /** The parts that answer now. */
  parts: () => Pick<Parts, "mail" | "members" | "backups">;
  url: string;
}

/** Returns the handlers of the commands that can be sent to the running server over the socket in `run/`. */
export function controlHandlers({ platform, parts, url }: ControlParts): ControlHandlers {
  const started_at = platform.clock.now();
  const { acting } = platform;
  const done = () => null;
  return {
    status: () => ({ version: VERSION, commit: COMMIT, pid: process.pid, started_at, url, paused: acting.pause }),
    keysChanged: () => {
      platform.keys.announce();
      return null;
    },
    accountsChanged: () => (acting.pause ? null : parts().mail.accountsChanged().then(done)),
    sync: ({ account_id }) => {
      acting.require();
      return parts().mail.syncNow(account_id).then(done);
    },
    erase: ({ user_id }) => {
      acting.require();
      return parts().members.erasure.run(user_id).then(done);
    },
    untrustedProxies: () => platform.untrustedProxies.list(),
    backupProgress: (): BackupProgress | null => parts().backups.state().running,
  };
}
