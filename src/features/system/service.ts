import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../platform/platform.ts";
import type { System } from "./model.ts";

export interface SystemParts {
  platform: Platform;
  /** Runs the checks of `postroom doctor`, without reading the pages of the database. */
  examine: (options: {
    servers: boolean;
    database: false;
    untrustedProxies: readonly string[];
  }) => Promise<System["findings"]>;
  version: string;
  /** Returns where the master key is stored now. */
  custody: () => System["custody"];
}

/** Implements GET /app/api/system. */
export class SystemService {
  constructor(private readonly parts: SystemParts) {}

  /**
   * Returns sizes and findings. The pages of the database are not read, because that would block this thread for a long
   * time; only the command line does it.
   * @param servers log in to the mail servers too
   */
  async status(servers: boolean): Promise<System> {
    const { platform, examine, version, custody } = this.parts;
    const { data_dir } = platform.config;
    const { bavail, blocks, bsize } = statfsSync(data_dir);
    const size = (name: string) => statSync(join(data_dir, name), { throwIfNoEntry: false })?.size ?? 0;
    return {
      version,
      uptime_s: Math.floor(process.uptime()),
      disk: { free_bytes: bavail * bsize, total_bytes: blocks * bsize },
      database: { size_bytes: size("postroom.db"), wal_bytes: size("postroom.db-wal") },
      custody: custody(),
      findings: await examine({
        servers,
        database: false,
        untrustedProxies: platform.untrustedProxies.list(),
      }),
    };
  }
}
