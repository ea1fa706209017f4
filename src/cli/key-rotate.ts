import { existsSync } from "node:fs";
import type { Command } from "commander";
import { UserError } from "../kernel/errors.ts";
import { promoteNextKey, stageNextKey } from "../platform/sealing/master-key.ts";
import { type CommonOptions, command, withPlatform } from "./context.ts";

export function keyRotateCommand(): Command {
  return command(
    "key-rotate",
    "Replace the master key. Everything stays readable; an old copy of the key opens nothing new.",
  ).action(rotate);
}

async function rotate(options: CommonOptions): Promise<void> {
  if (!existsSync(options.data)) throw new UserError(`There is no data folder ${options.data}.`);
  await withPlatform(options, (platform) => {
    if (platform.master_key_source !== "file") {
      throw new UserError(
        "The master key of this data folder comes from outside. Only a key file can be rotated this way.",
      );
    }
    // The next key is on disk before the database needs it, and the old one until it does not: a crash in between loses nothing.
    const next = stageNextKey(options.data);
    platform.keyring.rotate(next);
    promoteNextKey(options.data);
    console.log("The master key was replaced. Backups of the old key no longer open this data folder.");
  });
}
