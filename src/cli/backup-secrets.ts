import { existsSync, readFileSync } from "node:fs";
import { parseSecret, type Secret } from "../backup/envelope.ts";
import { UserError } from "../kernel/errors.ts";
import type { Config } from "../platform/config/load.ts";
import { ask } from "./password.ts";

/**
 * Returns the secrets that may open a copy of the data: that of --key-file, or those of the configuration. Otherwise, a
 * terminal asks for one. @throws UserError when there are none
 */
export async function backupSecrets(keyFile: string | undefined, config: Config): Promise<Secret[]> {
  if (keyFile !== undefined) {
    if (!existsSync(keyFile)) throw new UserError(`There is no file ${keyFile}.`);
    return [parseSecret(readFileSync(keyFile, "utf8"))];
  }
  const [given, passphrase] = [config.get("master.key"), config.get("master.passphrase")];
  const secrets: Secret[] = [];
  if (given) secrets.push(parseSecret(given));
  if (passphrase) secrets.push({ kind: "passphrase", passphrase });
  if (secrets.length > 0) return secrets;
  if (!process.stdin.isTTY) {
    throw new UserError("Specify a file with the recovery key, the passphrase or the master key: --key-file FILE.");
  }
  return [parseSecret(await ask(process.stdin, undefined, "Recovery key, passphrase or master key (not shown): "))];
}
