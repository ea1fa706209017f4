import { isAbsolute } from "node:path";
import { invalidParam, UserError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { NextKeyLocation } from "../../platform/sealing/rotation.ts";
import type { KeyStorage, KeyStorageChoice } from "./model.ts";

const SHORTEST_PASSPHRASE = 12;

/** The storage choices for the master key, with what each protects against (details in docs/security.md). */
export const KEY_STORAGE_CHOICES: readonly KeyStorageChoice[] = [
  {
    custody: "key_file",
    title: "Keep the key on this machine (key file)",
    protects:
      "The text of your mail in a copy of the database alone is encrypted, and the key is in another file of the data " +
      "folder.",
    not: "Anyone who steals the disk, the machine or a copy of the whole data folder can read all mail.",
    start: "Postroom starts automatically, even after a power failure.",
  },
  {
    custody: "passphrase",
    title: "Unlock with words that only you know (passphrase)",
    protects:
      "The text of your mail on a stolen disk is encrypted. Decrypting it takes the passphrase, so choose one that is " +
      "hard to guess.",
    not:
      "A stolen disk still shows sizes, times and which messages share a sender. Disk encryption hides these. " +
      "While Postroom runs, the key is in the memory of this machine.",
    start:
      "You type the passphrase in the terminal at each start, or provide it as POSTROOM_MASTER_PASSPHRASE or " +
      "POSTROOM_MASTER_PASSPHRASE_FILE.",
  },
  {
    custody: "elsewhere",
    title: "Keep the key on a USB drive or another disk (external key file)",
    protects:
      "The text of your mail on a stolen disk is encrypted, and the key is not there: it is on a USB drive, on another " +
      "disk or in a secret store.",
    not:
      "A stolen disk still shows sizes, times and which messages share a sender. Disk encryption hides these. " +
      "Anyone who steals both the disk and the key can read all mail. If the key is lost, only the recovery key " +
      "decrypts the data.",
    start: "Postroom starts automatically if it can read the key (POSTROOM_MASTER_KEY_FILE).",
  },
];

/** Returns where the master key is stored now. */
export function keyStorageOf({ master_key_source }: Platform): KeyStorage {
  if (master_key_source === "passphrase") return "passphrase";
  return master_key_source === "file" ? "key_file" : "elsewhere";
}

/** The key storage that the person chose, with the details that it needs. */
export interface KeyStorageRequest {
  custody: KeyStorage;
  passphrase?: string;
  key_file?: string;
}

/** Returns the move that the choice requires, or null if the key is already there. @throws ApiError invalid_params */
export function plannedMove(now: KeyStorage, wish: KeyStorageRequest): NextKeyLocation | null {
  const { custody, key_file = "" } = wish;
  // The next start reads the passphrase from a file without surrounding white space.
  const passphrase = wish.passphrase?.trim() ?? "";
  if (now !== "key_file") {
    if (custody === now) return null;
    const setting = now === "passphrase" ? "master.passphrase" : "master.key";
    throw invalidParam(
      "custody",
      `Postroom was started with ${setting}, which determines the source of the key. To change it later, use ` +
        "'postroom key-rotate'.",
    );
  }
  if (custody === "key_file") return null;
  if (custody === "passphrase") {
    if ([...passphrase].length < SHORTEST_PASSPHRASE) {
      throw invalidParam(
        "passphrase",
        `A passphrase needs at least ${SHORTEST_PASSPHRASE} characters. Five random words are a good choice.`,
      );
    }
    return { kind: "passphrase", passphrase };
  }
  if (!isAbsolute(key_file)) {
    throw invalidParam(
      "key_file",
      "Enter the absolute path of the key file on the server, such as /media/stick/postroom.key.",
    );
  }
  return { kind: "outside", path: key_file };
}

/** Moves the key. @returns what must be set before the next start. @throws ApiError invalid_params if the location is unusable */
export async function moveKey(platform: Platform, location: NextKeyLocation): Promise<string> {
  const { moveMasterKey } = await import("../../platform/sealing/move-key.ts");
  try {
    await moveMasterKey(platform, location);
  } catch (cause) {
    const param = location.kind === "outside" ? "key_file" : "custody";
    if (cause instanceof UserError) throw invalidParam(param, cause.message);
    const code = (cause as { code?: unknown }).code;
    if (location.kind === "outside" && typeof code === "string" && code in PLACE_FAULTS) {
      throw invalidParam(param, `The key cannot be written to ${location.path}: ${PLACE_FAULTS[code]}.`);
    }
    throw cause;
  }
  return location.kind === "outside"
    ? `Before the next start, set POSTROOM_MASTER_KEY_FILE to ${location.path}. Keep a copy of that file.`
    : "Before the next start, write the passphrase to a file and set POSTROOM_MASTER_PASSPHRASE_FILE to its path, " +
        "or set POSTROOM_MASTER_PASSPHRASE to the passphrase.";
}

const PLACE_FAULTS: Record<string, string> = {
  ENOENT: "the folder does not exist",
  ENOTDIR: "its parent is a file, not a folder",
  EISDIR: "this path is a folder, not a file",
  EACCES: "Postroom has no permission to write there",
  EPERM: "Postroom has no permission to write there",
  EROFS: "the disk is mounted read-only",
  ENOSPC: "the disk is full",
};
