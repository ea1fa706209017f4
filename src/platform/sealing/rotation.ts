import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { isInside } from "../private-folder.ts";
import {
  deriveKeyAsync,
  formatKey,
  keyFile,
  newMasterKey,
  newSalt,
  nextKeyFile,
  nextSaltFile,
  parseKey,
  saltFile,
  writeSecretFile,
} from "./master-key.ts";

/** Maximum size of a key file: 64 hex digits, with generous white space. */
const MAX_KEY_BYTES = 4_096;

/** The place of the next master key. */
export type NextKeyLocation =
  | { kind: "file" }
  /** A file outside the data folder. An existing file is used, so that an interrupted rotation can be repeated. */
  | { kind: "outside"; path: string }
  | { kind: "passphrase"; passphrase: string };

/** A key on disk that is not in use yet. */
export interface StagedKey {
  key: Uint8Array;
  /** Makes the next start find this key, and removes obsolete key files. */
  promote(): void;
}

/**
 * Runs the first of the three steps of a rotation: stage, `Keyring.rotate` (one transaction), promote. The data folder
 * opens after a crash in any of them: before the transaction with the old key, afterwards with the new one, because
 * `findMasterKey` also tries staged files.
 * @throws UserError if the place cannot be used
 */
export async function stageNextKey(data_dir: string, location: NextKeyLocation): Promise<StagedKey> {
  const dir = join(data_dir, "keys");
  const remove = (...paths: string[]) => {
    for (const path of paths) rmSync(path, { force: true });
  };
  switch (location.kind) {
    case "file": {
      const key = newMasterKey();
      writeSecretFile(nextKeyFile(dir), formatKey(key));
      return {
        key,
        promote() {
          renameSync(nextKeyFile(dir), keyFile(dir));
          remove(saltFile(dir), nextSaltFile(dir));
        },
      };
    }
    case "outside": {
      const path = resolve(location.path);
      if (isInside(data_dir, path)) {
        throw new UserError(
          `${location.path} is inside the data folder. Choose a path outside it, on another disk if you can.`,
        );
      }
      if (!existsSync(path)) writeSecretFile(path, formatKey(newMasterKey()));
      return {
        key: parseKey(readKeyFile(path)),
        promote: () => remove(keyFile(dir), nextKeyFile(dir), saltFile(dir), nextSaltFile(dir)),
      };
    }
    case "passphrase": {
      const salt = newSalt();
      writeSecretFile(nextSaltFile(dir), salt);
      return {
        key: await deriveKeyAsync(location.passphrase, salt),
        promote() {
          renameSync(nextSaltFile(dir), saltFile(dir));
          remove(keyFile(dir), nextKeyFile(dir));
        },
      };
    }
  }
}

/**
 * Reads a key file.
 * @throws UserError for a large file or a device, which may never end; the system's error for a folder
 */
function readKeyFile(path: string): string {
  const stat = statSync(path);
  if (stat.isDirectory() || (stat.isFile() && stat.size <= MAX_KEY_BYTES)) return readFileSync(path, "utf8");
  throw new UserError(`${path} is not a key file.`);
}
