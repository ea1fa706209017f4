import { writeSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { COMMIT, VERSION } from "../version.ts";
import { explained } from "./context.ts";
import { errorSentence, faultReport } from "./failures.ts";
import { terminalSafe } from "./table.ts";

const FAILED = 1;
const USAGE = 2;
/** Attempts and waits for a full pipe, which accepts no more bytes until its reader catches up. */
const LAST_TRIES = 50;
const LAST_WAIT_MS = 10;

/** The commands in the order of the help. Only the one that is run is loaded, because some need most of the program. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serveCommand(),
  user: async () => (await import("./member.ts")).withMembers((await import("./user.ts")).userCommands()),
  team: async () => (await import("./team.ts")).teamCommands(),
  account: async () => (await import("./account.ts")).accountCommands(),
  key: async () => (await import("./key.ts")).keyCommands(),
  "key-rotate": async () => (await import("./key-rotate.ts")).keyRotateCommand(),
  backup: async () => (await import("./backup.ts")).backupCommand(),
  restore: async () => (await import("./restore.ts")).restoreCommand(),
  standby: async () => (await import("./standby.ts")).standbyCommand(),
  promote: async () => (await import("./promote.ts")).promoteCommand(),
  export: async () => (await import("./export.ts")).exportCommand(),
  import: async () => (await import("./import.ts")).importCommand(),
  webhook: async () => (await import("./webhook.ts")).webhookCommands(),
  calendar: async () => (await import("./calendar.ts")).calendarCommands(),
  contact: async () => (await import("./contact.ts")).contactCommands(),
  search: async () => (await import("./search.ts")).searchCommand(),
  mcp: async () => (await import("./mcp.ts")).mcpCommand(),
  model: async () => (await import("./model.ts")).modelCommands(),
  doctor: async () => (await import("./doctor.ts")).doctorCommand(),
  trust: async () => (await import("./trust.ts")).trustCommand(),
  health: async () => (await import("./health.ts")).healthCommand(),
  status: async () => (await import("./status.ts")).statusCommand(),
  update: async () => (await import("./update.ts")).updateCommand(),
  completion: async () => (await import("./completion.ts")).completionCommand(),
  version: async () => versionCommand(),
};
/** Its script lists all commands. */
const NEEDS_ALL = "completion";

/**
 * Builds the command line. docs/cli.md is generated from it.
 * @param name the command that is run, if it is known: without the others, the program starts faster
 */
export async function buildProgram(name?: string): Promise<Command> {
  const program = explained(
    new Command("postroom")
      .description("A REST API, search and automation for all your mailboxes, on your own machine.")
      .version(`postroom ${VERSION} (${COMMIT})`, "--version", "print version and commit"),
    {
      notes: `Postroom keeps all its data in one folder: --data, POSTROOM_DATA, or ./data. Commands also work while
a server is running on that folder. Exit codes: 0 success; 1 failure, with one line that gives the
reason; 2 invalid usage.`,
      examples: [
        "postroom serve --quickstart",
        "postroom account add --user you@example.org --email you@example.org --imap mail.example.org:993 --username you",
        "postroom key create --user you@example.org --name laptop --scopes all",
      ],
    },
  );
  const isAlone = name !== undefined && name !== NEEDS_ALL && Object.hasOwn(COMMANDS, name);
  const loads = isAlone ? [COMMANDS[name]!] : Object.values(COMMANDS);
  for (const load of loads) program.addCommand(await load());
  prepare(program);
  return program;
}

function versionCommand(): Command {
  return explained(new Command("version").description("Print version and commit."), {
    examples: ["postroom version"],
  }).action(() => console.log(`postroom ${VERSION} (${COMMIT})`));
}

/** Applies settings that commander does not pass on to commands that were created elsewhere. */
function prepare(subject: Command): void {
  subject.exitOverride().configureOutput({
    outputError: (text, write) =>
      write(`postroom: ${oneLine(text.replace(/^error: /, ""))}. Try '${pathOf(subject)} --help'.\n`),
  });
  if (subject.parent && subject.commands.length > 0) subject.helpCommand(false);
  for (const child of subject.commands) prepare(child);
}

const oneLine = (text: string) =>
  text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/\.$/, "");

/** Returns the full name of a command: "postroom account add". */
export function pathOf(subject: Command): string {
  return subject.parent ? `${pathOf(subject.parent)} ${subject.name()}` : subject.name();
}

/** Runs one command line. @returns the exit code */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    const program = await buildProgram(argv[0] === "--version" ? "version" : argv[0]);
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has already printed its help or its error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const debugging = process.env.POSTROOM_LOG_LEVEL === "debug";
    const lines = (errorSentence(error) ?? faultReport(error, debugging)).split("\n");
    // The message may quote a mail server.
    lastWords(`postroom: ${lines.map(terminalSafe).join("\n")}\n`);
    return FAILED;
  }
}

/** Writes straight to the descriptor, because the process ends next. Gives up when the reader is gone or too slow. */
function lastWords(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0, tries = 0; at < bytes.length && tries < LAST_TRIES; tries++) {
    try {
      at += writeSync(2, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Bun.sleepSync(LAST_WAIT_MS);
    }
  }
}
