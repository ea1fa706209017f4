import type { BackupTarget } from "../../backup/target.ts";
import { envName, OPTIONS, type OptionKey } from "../../platform/config/table.ts";

/** What a person replaces in the commands. */
const SECRET = "YOUR-SECRET";
const FOLDER = "EMPTY-FOLDER";

/**
 * Returns the commands that restore the copies on another machine, complete except for the secret.
 * @param isContinuous whether changes are copied: the other machine must then be told to take over
 */
export function restoreCommands({ text, place, s3, sftp }: BackupTarget, isContinuous: boolean): string[] {
  const restore = [
    `postroom restore ${quoted(text)} --data ${FOLDER}`,
    ...(isContinuous ? [`postroom promote --data ${FOLDER} --primary-is-off`] : []),
    `postroom serve --data ${FOLDER}`,
  ];
  if (place.kind === "folder" && isContinuous) return restore;
  if (place.kind === "folder") return [`postroom restore ${quoted(text)} --verify`, ...restore];
  const hasKey = sftp.key !== "" || sftp.key_file !== "";
  const ofServer: [OptionKey, string][] = [
    ["backup.sftp.host_key", sftp.host_key],
    ["backup.sftp.key_file", hasKey ? "id_key" : ""],
    ["backup.sftp.key_passphrase", sftp.key_passphrase === "" ? "" : SECRET],
    ["backup.sftp.password", sftp.password === "" ? "" : SECRET],
  ];
  const ofBucket: [OptionKey, string][] = [
    ["backup.s3.endpoint", s3.endpoint],
    ["backup.s3.region", s3.region],
    ["backup.s3.path_style", String(s3.path_style)],
    ["backup.s3.ca_file", s3.ca === "" && s3.ca_file === "" ? "" : "ca.pem"],
    ["backup.s3.access_key_id", s3.access_key_id],
    ["backup.s3.secret_access_key", SECRET],
  ];
  const needed = (place.kind === "s3" ? ofBucket : ofServer).filter(
    ([key, value]) => value !== String(OPTIONS[key].default),
  );
  return [`export ${needed.map(([key, value]) => `${envName(key)}=${quoted(value)}`).join(" ")}`, ...restore];
}

/** Quotes a word for a POSIX shell if that is necessary. */
function quoted(word: string): string {
  return /^[\w./:@%+~=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
