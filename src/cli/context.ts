import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { UserError } from "../kernel/errors.ts";
import { createMailbox, type Mailbox } from "../mailbox/mailbox.ts";
import { systemClock } from "../platform/clock.ts";
import { type Config, type ConfigSources, loadConfig } from "../platform/config/load.ts";
import { openPlatform, type Platform } from "../platform/platform.ts";

/** Options that every command takes. */
export interface CommonOptions {
  data: string;
  config?: string;
  json?: boolean;
}

/** A command with the options that all have (docs/operations.md, "Commands beside a running server"). */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option("--data <dir>", "data folder").env("POSTROOM_DATA").default("./data"))
    .option("--config <file>", "configuration file (default: postroom.toml in the data folder)");
}

/** What stands below a command's options: what else one should know, and lines to copy. */
export interface Manual {
  notes?: string;
  examples: readonly string[];
}

const manuals = new WeakMap<Command, Manual>();

/** Adds the manual to a command's `--help`, and to docs/cli.md, which is made from the commands. */
export function explained(subject: Command, manual: Manual): Command {
  manuals.set(subject, manual);
  const notes = manual.notes ? `\n${manual.notes}\n` : "";
  const title = manual.examples.length === 1 ? "Example" : "Examples";
  return subject.addHelpText("after", `${notes}\n${title}:\n${manual.examples.map((line) => `  ${line}`).join("\n")}`);
}

export function manualOf(subject: Command): Manual | undefined {
  return manuals.get(subject);
}

/** Where a command's configuration comes from. */
export function sourcesOf(options: CommonOptions, flags: ConfigSources["flags"] = {}): ConfigSources {
  return { data_dir: options.data, file: options.config, env: process.env, flags };
}

/** @throws UserError when there is no data folder: a misspelt one must not become a new, empty installation */
export function requireData({ data }: CommonOptions): void {
  if (existsSync(join(data, "postroom.db"))) return;
  throw new UserError(
    `There is no data of Postroom in ${data}: name its folder with --data. 'postroom serve' makes one.`,
  );
}

/**
 * Opens the data folder for one command; works beside a running server.
 * @param absent what to do where there is none: `make` it, for commands that an installation may begin with
 */
export async function withPlatform<T>(
  options: CommonOptions,
  work: (platform: Platform, mailbox: Mailbox) => T | Promise<T>,
  absent: "refuse" | "make" = "refuse",
): Promise<T> {
  if (absent === "refuse") requireData(options);
  const platform = openPlatform({ config: loadConfig(sourcesOf(options)), clock: systemClock });
  try {
    return await work(platform, createMailbox(platform));
  } finally {
    platform.close();
  }
}

/** Further certificate authorities for mail servers, PEM; null when none are configured. @throws UserError */
export function furtherAuthorities(config: Config): string | null {
  const path = config.get("mail.ca_file");
  if (path === "") return null;
  if (!existsSync(path)) throw new UserError(`mail.ca_file names a file that does not exist: ${path}`);
  return readFileSync(path, "utf8");
}
