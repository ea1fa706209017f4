import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../platform/sealing/master-key.ts";
import { LEASE_FILE } from "../data-files.ts";
import { type LeaseBody, newId } from "./body.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{32}$" });

const MemoryShape = Type.Object({
  /** Random, so that a restored folder is a new holder. */
  id: Id,
  /** Sessions that took the lease in this folder, newest last. */
  sessions: Type.Array(Id),
  /** The highest token that was seen or taken. */
  token: Type.Integer({ minimum: 0 }),
  /** Who acted after this folder, until a promotion. Its changes are missing here. */
  supersededBy: Type.Union([
    Type.Object({ token: Type.Integer(), name: Type.String(), takenAt: Type.Integer() }),
    Type.Null(),
  ]),
});

/** What a folder remembers of its leases. */
export type HolderMemory = Static<typeof MemoryShape>;

/** A process on a data folder that can hold the lease. */
export interface Holder {
  /** The machine and the folder. */
  readonly id: string;
  /** This process. */
  readonly session: string;
  /** This run of the system; null if unknown. */
  readonly boot: string | null;
  /** Name of the machine, for people. */
  readonly name: string;
  memory: HolderMemory;
  /** Stores `memory`, so that it survives a crash. */
  remember(memory: HolderMemory): void;
}

const MOST_SESSIONS = 8;

/**
 * Returns the holder of a data folder, with a new session. The caller holds the instance lock of the folder, so that
 * earlier sessions on this machine have ended.
 */
export function readHolder(data_dir: string, session: string = newId()): Holder {
  const path = join(data_dir, LEASE_FILE);
  const known = readMemory(path);
  const memory = known ?? { id: newId(), sessions: [], token: 0, supersededBy: null };
  const { dev, ino } = statSync(data_dir, { bigint: true });
  const holder: Holder = {
    id: digest("holder", memory.id, firstLine("/etc/machine-id"), String(dev), String(ino)),
    session,
    boot: bootId(),
    name: hostname().slice(0, 255),
    memory,
    remember(next) {
      writeSecretFile(path, `${JSON.stringify(next)}\n`);
      holder.memory = next;
    },
  };
  if (!known) holder.remember(memory);
  return holder;
}

/** Returns whether a folder remembers that another machine acted after it, until a promotion. */
export function isSuperseded(data_dir: string): boolean {
  return readMemory(join(data_dir, LEASE_FILE))?.supersededBy != null;
}

/** Returns the memory after a session takes a token. Write it before the session asks the store for the lease. */
export function withTaken(memory: HolderMemory, session: string, token: number): HolderMemory {
  const sessions = [...memory.sessions.filter((one) => one !== session), session].slice(-MOST_SESSIONS);
  return { ...memory, sessions, token: Math.max(memory.token, token) };
}

/** Returns whether this folder wrote a body, in this process or an earlier one. */
export function isOwn({ id, session, memory }: Holder, body: LeaseBody): boolean {
  return body.holder === id || body.session === session || memory.sessions.includes(body.session);
}

/**
 * Returns whether the process that wrote a body has certainly ended: it ran in this folder, under this system, and the
 * instance lock of the folder is held by this process. After a restart of the machine this is not certain, because the
 * disk may have been cloned while the machine was off.
 */
export function hasEnded({ id, boot }: Holder, body: LeaseBody): boolean {
  return body.holder === id && boot !== null && body.boot === boot;
}

function readMemory(path: string): HolderMemory | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (Value.Check(MemoryShape, value)) return value;
  } catch {
    // Missing or damaged: the folder counts as one that never held the lease, which is safe.
  }
  return null;
}

function bootId(): string | null {
  const id = firstLine("/proc/sys/kernel/random/boot_id");
  return id === "" ? null : digest("boot", id);
}

function firstLine(path: string): string {
  try {
    return readFileSync(path, "utf8").split("\n")[0]!.trim();
  } catch {
    return "";
  }
}

/** Other programs use the ids of the system, too, so only hashes of them leave the machine. */
function digest(...parts: string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(["postroom lease", ...parts]))
    .digest("hex")
    .slice(0, 32);
}
