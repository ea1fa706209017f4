import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { UserError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { systemClock } from "../platform/clock.ts";
import { type Config, type ConfigSources, loadConfig } from "../platform/config/load.ts";
import type { Platform } from "../platform/platform.ts";
import { refuseStandby } from "../platform/process/standby-folder.ts";
import { needsPassphrase } from "../platform/sealing/master-key.ts";
import { ask, type Terminal } from "./password.ts";

/** Options of every command. */
export interface CommonOptions {
  data: string;
  config?: string;
  json?: boolean;
}

/**
 * Creates a command with the options that all commands share (docs/operations.md, "Commands and the running server").
 */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option("--data <dir>", "data folder").env("POSTROOM_DATA").default("./data"))
    .option("--config <file>", "configuration file (default: postroom.toml in the data folder)");
}

/** The text below a command's options: notes, and examples to copy. */
export interface Manual {
  notes?: string;
  examples: readonly string[];
}

const manuals = new WeakMap<Command, Manual>();

/** Adds the manual to a command's `--help` and to docs/cli.md, which is generated from the commands. */
export function explained(subject: Command, manual: Manual): Command {
  manuals.set(subject, manual);
  const notes = manual.notes ? `\n${manual.notes}\n` : "";
  const title = manual.examples.length === 1 ? "Example" : "Examples";
  return subject.addHelpText("after", `${notes}\n${title}:\n${manual.examples.map((line) => `  ${line}`).join("\n")}`);
}

/** Returns the manual of a command, if it has one. */
export function manualOf(subject: Command): Manual | undefined {
  return manuals.get(subject);
}

/** The passphrase that a person has typed for this command. It is not put into the environment, which others can read. */
let typed: string | null = null;

/** Returns the sources of a command's configuration. */
export function sourcesOf(options: CommonOptions, flags: ConfigSources["flags"] = {}): ConfigSources {
  const env = typed === null ? process.env : { ...process.env, POSTROOM_MASTER_PASSPHRASE: typed };
  return { data_dir: options.data, file: options.config, env, flags };
}

/**
 * Asks in the terminal for the passphrase of a data folder that needs one, if none is configured. Does nothing without a
 * terminal, as in a service.
 */
export async function askPassphrase(options: CommonOptions, input: Terminal = process.stdin): Promise<void> {
  if (!input.isTTY || typed !== null) return;
  const config = loadConfig(sourcesOf(options));
  if (config.get("master.key") || config.get("master.passphrase") || !needsPassphrase(config.data_dir)) return;
  typed = await ask(input, undefined, "Passphrase of the data folder (not shown): ");
}

/**
 * Returns the settings that take effect, for commands that need no other data. In an existing data folder, settings that
 * grant access count only if the owner has accepted the file (docs/decisions/0023).
 */
export async function settingsOf(options: CommonOptions): Promise<Config> {
  if (!hasData(options)) return loadConfig(sourcesOf(options));
  return await withPlatform(options, ({ config }) => config);
}

/** @throws UserError if the folder is a standby */
function hasData({ data }: CommonOptions): boolean {
  refuseStandby(data);
  return existsSync(join(data, "postroom.db"));
}

/**
 * Requires a data folder, because a misspelled name must not create a new installation.
 * @throws UserError if there is none
 */
export function requireData(options: CommonOptions): void {
  if (hasData(options)) return;
  throw new UserError(
    `${options.data} contains no Postroom data. Name the data folder with --data, or create one with 'postroom serve'.`,
  );
}

/**
 * Opens the data folder for one command, also while a server is running on it.
 * @param absent what to do without a data folder: `make` creates one, for commands that can begin an installation
 */
export async function withPlatform<T>(
  options: CommonOptions,
  work: (platform: Platform, mailbox: Mailbox) => T | Promise<T>,
  absent: "refuse" | "make" = "refuse",
): Promise<T> {
  if (absent === "refuse") requireData(options);
  await askPassphrase(options);
  // Loaded here, because commands that need no data start faster without it.
  const { openPlatform } = await import("../platform/platform.ts");
  const { createMailbox } = await import("../mailbox/mailbox.ts");
  const platform = openPlatform({ config: loadConfig(sourcesOf(options)), clock: systemClock });
  try {
    return await work(platform, createMailbox(platform));
  } finally {
    platform.close();
  }
}

/**
 * Returns the additional certificate authorities for mail servers, PEM; null when none are configured.
 * @throws UserError
 */
export function furtherAuthorities(config: Config): string | null {
  const path = config.get("mail.ca_file");
  if (path === "") return null;
  if (!existsSync(path)) throw new UserError(`mail.ca_file names a file that does not exist: ${path}`);
  return readFileSync(path, "utf8");
}
