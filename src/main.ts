#!/usr/bin/env bun
import { Command } from "commander";
import { accountCommands } from "./cli/account.ts";
import { doctorCommand, healthCommand } from "./cli/doctor.ts";
import { keyCommands } from "./cli/key.ts";
import { keyRotateCommand } from "./cli/key-rotate.ts";
import { serveCommand } from "./cli/serve.ts";
import { userCommands } from "./cli/user.ts";
import { UserError } from "./kernel/errors.ts";
import { COMMIT, VERSION } from "./version.ts";

const program = new Command("postroom")
  .description("A REST API, search and automation over all your mailboxes, on your own machine.")
  .version(`postroom ${VERSION} (${COMMIT})`)
  .addCommand(serveCommand())
  .addCommand(userCommands())
  .addCommand(accountCommands())
  .addCommand(keyCommands())
  .addCommand(keyRotateCommand())
  .addCommand(doctorCommand())
  .addCommand(healthCommand())
  .addCommand(
    new Command("version")
      .description("Print version and commit.")
      .action(() => console.log(`postroom ${VERSION} (${COMMIT})`)),
  );

try {
  await program.parseAsync();
} catch (error) {
  // What a person can mend is said in a sentence; anything else is a fault of ours and shows where.
  if (!(error instanceof UserError)) throw error;
  console.error(`postroom: ${error.message}`);
  process.exitCode = 1;
}
