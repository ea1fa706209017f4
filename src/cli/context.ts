import { Command, Option } from "commander";
import { createMailbox, type Mailbox } from "../mailbox/mailbox.ts";
import { systemClock } from "../platform/clock.ts";
import { type ConfigSources, loadConfig } from "../platform/config/load.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";

/** Options that every command takes. */
export interface CommonOptions {
  data: string;
  config?: string;
  json?: boolean;
}

/** A command with the options that all have (decisions, "Command line"). */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option("--data <dir>", "data folder").env("POSTROOM_DATA").default("./data"))
    .option("--config <file>", "configuration file (default: postroom.toml in the data folder)");
}

/** Where a command's configuration comes from. */
export function sourcesOf(options: CommonOptions, flags: ConfigSources["flags"] = {}): ConfigSources {
  return { data_dir: options.data, file: options.config, env: process.env, flags };
}

/** Opens the data folder for one command; works beside a running server. */
export async function withPlatform<T>(
  options: CommonOptions,
  work: (platform: Platform, mailbox: Mailbox) => T | Promise<T>,
): Promise<T> {
  const platform = openPlatform({ config: loadConfig(sourcesOf(options)), clock: systemClock });
  try {
    return await work(platform, createMailbox(platform));
  } finally {
    platform.close();
  }
}

/** Prints rows as JSON, or as a table that fits a terminal. */
export function printRows(rows: Record<string, string | number | boolean | null>[], json: boolean | undefined): void {
  if (json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  const cells = [names, ...rows.map((row) => names.map((name) => (row[name] === null ? "-" : String(row[name]))))];
  const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  for (const line of cells)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    );
}
