import { writeSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { COMMIT, VERSION } from "../version.ts";
import { accountCommands } from "./account.ts";
import { backupCommand } from "./backup.ts";
import { calendarCommands } from "./calendar.ts";
import { completionCommand } from "./completion.ts";
import { contactCommands } from "./contact.ts";
import { explained } from "./context.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { errorSentence, faultReport } from "./failures.ts";
import { healthCommand } from "./health.ts";
import { importCommand } from "./import.ts";
import { keyCommands } from "./key.ts";
import { keyRotateCommand } from "./key-rotate.ts";
import { mcpCommand } from "./mcp.ts";
import { withMembers } from "./member.ts";
import { modelCommands } from "./model.ts";
import { promoteCommand } from "./promote.ts";
import { restoreCommand } from "./restore.ts";
import { searchCommand } from "./search.ts";
import { serveCommand } from "./serve.ts";
import { standbyCommand } from "./standby.ts";
import { statusCommand } from "./status.ts";
import { terminalSafe } from "./table.ts";
import { teamCommands } from "./team.ts";
import { trustCommand } from "./trust.ts";
import { userCommands } from "./user.ts";
import { webhookCommands } from "./webhook.ts";

const FAILED = 1;
const USAGE = 2;
/** Attempts and waits for a full pipe, which accepts no more bytes until its reader catches up. */
const LAST_TRIES = 50;
const LAST_WAIT_MS = 10;

/** Builds the whole command line. docs/cli.md is generated from it. */
export function buildProgram(): Command {
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
  )
    .addCommand(serveCommand())
    .addCommand(withMembers(userCommands()))
    .addCommand(teamCommands())
    .addCommand(accountCommands())
    .addCommand(keyCommands())
    .addCommand(keyRotateCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(standbyCommand())
    .addCommand(promoteCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand())
    .addCommand(webhookCommands())
    .addCommand(calendarCommands())
    .addCommand(contactCommands())
    .addCommand(searchCommand())
    .addCommand(mcpCommand())
    .addCommand(modelCommands())
    .addCommand(doctorCommand())
    .addCommand(trustCommand())
    .addCommand(healthCommand())
    .addCommand(statusCommand())
    .addCommand(completionCommand())
    .addCommand(
      explained(new Command("version").description("Print version and commit."), {
        examples: ["postroom version"],
      }).action(() => console.log(`postroom ${VERSION} (${COMMIT})`)),
    );
  prepare(program);
  return program;
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
    await buildProgram().parseAsync(argv, { from: "user" });
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
