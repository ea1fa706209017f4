import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import {
  deriveAside,
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

/** A key is 64 hex digits; white space around it does not matter. */
const MOST_KEY_BYTES = 4_096;

/** Where the next master key will be kept. */
export type NextKeyPlace =
  | { kind: "file" }
  /** A file outside the data folder. When it exists it holds the key, so that a rotation cut short can be repeated. */
  | { kind: "outside"; path: string }
  | { kind: "passphrase"; passphrase: string };

/** A key that is on disk and that nothing depends on yet. */
export interface StagedKey {
  key: Uint8Array;
  /** Makes it the one that the next start finds, and removes what no longer opens anything. */
  promote(): void;
}

/**
 * First of the three steps of a rotation: stage, `Keyring.rotate` (one transaction), promote. Whichever of them a crash
 * cuts off, the data folder opens: before the transaction with the old key, after it with the new one, because
 * findMasterKey looks at the staged files too.
 */
export async function stageNextKey(data_dir: string, place: NextKeyPlace): Promise<StagedKey> {
  const dir = join(data_dir, "keys");
  const remove = (...paths: string[]) => {
    for (const path of paths) rmSync(path, { force: true });
  };
  switch (place.kind) {
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
      const path = resolve(place.path);
      if (liesIn(data_dir, path)) {
        throw new UserError(
          `${place.path} is inside the data folder. Choose a path outside it, on another disk if you can.`,
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
        key: await deriveAside(place.passphrase, salt),
        promote() {
          renameSync(nextSaltFile(dir), saltFile(dir));
          remove(keyFile(dir), nextKeyFile(dir));
        },
      };
    }
  }
}

/** Also when a link leads there. */
function liesIn(data_dir: string, path: string): boolean {
  const real = (folder: string) => (existsSync(folder) ? realpathSync(folder) : resolve(folder));
  const fromData = relative(real(data_dir), join(real(dirname(path)), basename(path)));
  return !(fromData === ".." || fromData.startsWith(`..${sep}`) || isAbsolute(fromData));
}

/**
 * Reads a key file. Refuses large files and devices, which may never end; reading a folder fails without a check.
 * @throws UserError
 */
function readKeyFile(path: string): string {
  const stat = statSync(path);
  if (stat.isDirectory() || (stat.isFile() && stat.size <= MOST_KEY_BYTES)) return readFileSync(path, "utf8");
  throw new UserError(`${path} is not a key file.`);
}
