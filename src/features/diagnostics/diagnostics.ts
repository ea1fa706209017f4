/**
 * Checks an installation: the findings that `postroom doctor` prints and the system page shows. It repairs nothing. A
 * check that fails adds a finding and never stops the others.
 */
import { existsSync, readFileSync } from "node:fs";
import { copyStatus } from "../../backup/copies/status.ts";
import { backupSettings } from "../../backup/settings.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import type { Platform } from "../../platform/platform.ts";
import { backupFinding, copyFindings } from "./backups.ts";
import { clockFinding } from "./clock.ts";
import { COPYING_CHECK, copyingFindings } from "./copying.ts";
import { databaseFinding, sealedFinding } from "./database.ts";
import { encryptionFinding } from "./disk-encryption.ts";
import { exposureFinding, proxyFindings, publicUrlFindings } from "./exposure.ts";
import { type Finding, fault } from "./finding.ts";
import { diskFinding, folderFindings, keyFindings } from "./folder.ts";
import { grantFindings } from "./grants.ts";
import { copiesFinding, findOldIndex } from "./old-index.ts";
import { accountFinding, serverFindings } from "./servers.ts";
import { stepsFinding } from "./steps.ts";

export interface DiagnosticsOptions {
  /** Compare every index and decrypt many values, which takes minutes with a large mailbox. */
  deep?: boolean;
  /** Log in to the mail servers. */
  servers?: boolean;
  /** Read every page of the database. Without it, only the quick checks run. */
  database?: boolean;
  /** Proxies that forward requests to the running server although they are not listed as trusted. */
  untrustedProxies?: readonly string[];
}

/** Runs all checks on an open data folder. */
export async function examine(platform: Platform, mailbox: Mailbox, options: DiagnosticsOptions): Promise<Finding[]> {
  const { config, clock, users, master_key_source } = platform;
  const { deep = false, servers = false, database = true, untrustedProxies = [] } = options;
  const people = users.list();
  const accounts = people.flatMap((person) => mailbox.accounts.list(person.id));
  const own = [accounts, config.get("mail.ca_file")] as const;
  return [
    ...attempt("data folder", () => [
      ...folderFindings(config.data_dir, process.getuid?.(), backupSettings(platform).folder),
      diskFinding(config.data_dir),
    ]),
    ...attempt("disk encryption", () => encryptionFindings(platform)),
    ...attempt("clock", () => [clockFinding(platform)]),
    ...(database ? attempt("database", () => [databaseFinding(platform, deep)]) : []),
    ...attempt("sealed values", () => [sealedFinding(platform, mailbox, deep)]),
    ...attempt("master key", () => keyFindings(platform, master_key_source)),
    ...attempt("credentials", () => grantFindings(platform)),
    ...attempt("backup", () => [backupFinding(platform)]),
    ...attempt("backup copy", () => copyFindings(copyStatus(platform), clock.now())),
    ...attempt(COPYING_CHECK, () => copyingFindings(platform)),
    ...attempt("address", () => [
      exposureFinding(config),
      ...publicUrlFindings(config),
      ...proxyFindings(untrustedProxies),
    ]),
    ...attempt("arriving mail", () => [stepsFinding(platform)]),
    ...accounts.map(accountFinding),
    ...(servers ? await checkServers(own, { accounts: mailbox.accounts, now: clock.now() }) : []),
  ];
}

function encryptionFindings(platform: Platform): Finding[] {
  const { data_dir } = platform.config;
  const oldIndex = findOldIndex(platform);
  const seen = { ...oldIndex, keyOnDisk: platform.master_key_source === "file" };
  return [encryptionFinding(data_dir, seen), ...copiesFinding(data_dir, oldIndex)];
}

async function checkServers(
  [accounts, ca_file]: readonly [ReturnType<Mailbox["accounts"]["list"]>, string],
  check: { accounts: Mailbox["accounts"]; now: number },
): Promise<Finding[]> {
  if (ca_file !== "" && !existsSync(ca_file)) {
    return [fault("mail.ca_file", `Names a file that does not exist: ${ca_file}`)];
  }
  const ca = ca_file === "" ? null : readFileSync(ca_file, "utf8");
  const findings = await Promise.all(accounts.map((account) => serverFindings(account, { ...check, ca })));
  return findings.flat();
}

/** A check that throws becomes a finding, too. */
function attempt(check: string, work: () => Finding[]): Finding[] {
  try {
    return work();
  } catch (error) {
    return [fault(check, `The check failed: ${error instanceof Error ? error.message : String(error)}`)];
  }
}
