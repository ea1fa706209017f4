import { existsSync, readFileSync } from "node:fs";
import { UserError } from "../../kernel/errors.ts";

/**
 * Returns the additional certificate authorities, PEM; null if none are configured.
 * @param option the configuration key, for the message. @throws UserError
 */
export function readCaFile(option: string, path: string): string | null {
  if (path === "") return null;
  if (!existsSync(path)) throw new UserError(`${option} names a file that does not exist: ${path}`);
  const text = readFileSync(path, "utf8");
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new UserError(`${option} contains no PEM certificate: ${path}`);
  return text;
}
