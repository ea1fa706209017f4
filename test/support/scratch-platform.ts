import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../../src/platform/clock.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import type { User } from "../../src/platform/identity/users.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";

/** A platform in its own folder, with a clock that the test sets. */
export interface Scratch {
  platform: Platform;
  clock: ManualClock;
  data_dir: string;
  /** A user on the autopilot plan. */
  user: User;
  /** Lines of the log, JSON. */
  log: string[];
  /** Opens the same folder a second time, as another process or thread would; `close` closes it. */
  another(config?: Partial<ConfigValues>): Platform;
  close(): void;
}

export function scratchPlatform(): Scratch {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-platform-"));
  const clock = new ManualClock();
  const log: string[] = [];
  const opened: Platform[] = [];
  const another = (config: Partial<ConfigValues> = {}) => {
    const platform = openPlatform({
      config: withValues(loadConfig({ data_dir, env: {} }), config),
      clock,
      log: createLog({ level: "debug", format: "json", clock, write: (line) => log.push(line) }),
    });
    opened.push(platform);
    return platform;
  };
  const platform = another();
  const user = platform.users.add({ email: "ada@example.org", plan: "autopilot", role: "owner", timezone: "UTC" });
  return {
    platform,
    clock,
    data_dir,
    user,
    log,
    another,
    close() {
      for (const each of opened) each.close();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}
