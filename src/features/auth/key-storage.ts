import { isAbsolute } from "node:path";
import { invalidParam, UserError } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import { moveMasterKey } from "../../platform/sealing/move-key.ts";
import type { NextKeyPlace } from "../../platform/sealing/rotation.ts";
import type { KeyStorage, KeyStorageChoice } from "./model.ts";

const SHORTEST_PASSPHRASE = 12;

/** What each place for the master key is good for, in plain words (docs/security.md says it at length). */
export const KEY_STORAGE_CHOICES: readonly KeyStorageChoice[] = [
  {
    custody: "key_file",
    title: "A key file on this machine",
    protects:
      "The sealed values in a copy of the database alone do not open: the key is in another file of the data folder.",
    not: "Whoever takes the disk, the machine or a copy of the whole data folder can read all mail.",
    start: "Postroom starts by itself, also after a power cut.",
  },
  {
    custody: "passphrase",
    title: "A passphrase",
    protects: "Sealed values on a stolen disk do not open without the passphrase, as long as it is hard to guess.",
    not: "A stolen disk still shows sizes, times and which messages share a sender: an encrypted disk hides them. While Postroom runs, the key is in the memory of this machine.",
    start: "Each start needs the passphrase (POSTROOM_MASTER_PASSPHRASE or POSTROOM_MASTER_PASSPHRASE_FILE).",
  },
  {
    custody: "elsewhere",
    title: "A key kept elsewhere",
    protects:
      "Sealed values on a stolen disk do not open without the place where the key is: a stick, another disk, a secret store.",
    not: "A stolen disk still shows sizes, times and which messages share a sender: an encrypted disk hides them. Anyone who takes both can read all mail. If the key is lost, only the recovery key opens it.",
    start: "Postroom starts by itself where it can read the key (POSTROOM_MASTER_KEY_FILE).",
  },
];

export function keyStorageOf({ master_key_source }: Platform): KeyStorage {
  if (master_key_source === "passphrase") return "passphrase";
  return master_key_source === "file" ? "key_file" : "elsewhere";
}

/** What the person chose, as far as it goes beyond where the key is now. */
export interface KeyStorageRequest {
  custody: KeyStorage;
  passphrase?: string;
  key_file?: string;
}

/** What is to be done about a wish; null when the key lies there already. @throws ApiError invalid_params */
export function plannedMove(now: KeyStorage, wish: KeyStorageRequest): NextKeyPlace | null {
  const { custody, key_file = "" } = wish;
  // As a file gives it at the next start: without the white space around it.
  const passphrase = wish.passphrase?.trim() ?? "";
  if (now !== "key_file") {
    if (custody === now) return null;
    const setting = now === "passphrase" ? "master.passphrase" : "master.key";
    throw invalidParam(
      "custody",
      `Postroom was started with ${setting}, so that is where the key comes from. 'postroom key-rotate' changes it later.`,
    );
  }
  if (custody === "key_file") return null;
  if (custody === "passphrase") {
    if ([...passphrase].length < SHORTEST_PASSPHRASE) {
      throw invalidParam(
        "passphrase",
        `A passphrase has at least ${SHORTEST_PASSPHRASE} characters; five random words are good.`,
      );
    }
    return { kind: "passphrase", passphrase };
  }
  if (!isAbsolute(key_file)) {
    throw invalidParam(
      "key_file",
      "Say in which file of the server the key shall lie, such as /media/stick/postroom.key.",
    );
  }
  return { kind: "outside", path: key_file };
}

/** Moves the key. @returns what must be set before the next start. @throws ApiError invalid_params for a place that will not do */
export async function moveKey(platform: Platform, place: NextKeyPlace): Promise<string> {
  try {
    await moveMasterKey(platform, place);
  } catch (cause) {
    const param = place.kind === "outside" ? "key_file" : "custody";
    if (cause instanceof UserError) throw invalidParam(param, cause.message);
    const code = (cause as { code?: unknown }).code;
    if (place.kind === "outside" && typeof code === "string" && code in PLACE_FAULTS) {
      throw invalidParam(param, `The key cannot be written to ${place.path}: ${PLACE_FAULTS[code]}.`);
    }
    throw cause;
  }
  return place.kind === "outside"
    ? `Before the next start, set POSTROOM_MASTER_KEY_FILE to ${place.path}, and keep a copy of that file.`
    : "Before the next start, put the passphrase into a file and set POSTROOM_MASTER_PASSPHRASE_FILE to it, or give it as POSTROOM_MASTER_PASSPHRASE.";
}

const PLACE_FAULTS: Record<string, string> = {
  ENOENT: "the folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "that is a folder",
  EACCES: "Postroom may not write there",
  EPERM: "Postroom may not write there",
  EROFS: "that place is read-only",
  ENOSPC: "that disk is full",
};
