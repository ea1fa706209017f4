import type { MailPort } from "../inbound/port/port.ts";
import type { BackupProgress, ControlHandlers } from "../platform/control/protocol.ts";
import type { Platform } from "../platform/platform.ts";
import { COMMIT, VERSION } from "../version.ts";
import type { MemberServices } from "./members.ts";

export interface ControlParts {
  platform: Platform;
  mail: Pick<MailPort, "syncNow" | "accountsChanged">;
  members: Pick<MemberServices, "erasure">;
  url: string;
  backupProgress: () => BackupProgress | null;
}

/** Returns the handlers of the commands that can be sent to the running server over the socket in `run/`. */
export function controlHandlers({ platform, mail, members, url, backupProgress }: ControlParts): ControlHandlers {
  const started_at = platform.clock.now();
  const done = () => null;
  return {
    status: () => ({ version: VERSION, commit: COMMIT, pid: process.pid, started_at, url }),
    keysChanged: () => {
      platform.keys.announce();
      return null;
    },
    accountsChanged: () => mail.accountsChanged().then(done),
    sync: ({ account_id }) => mail.syncNow(account_id).then(done),
    erase: ({ user_id }) => members.erasure.run(user_id).then(done),
    untrustedProxies: () => platform.untrustedProxies.list(),
    backupProgress,
  };
}
