import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../platform/sealing/master-key.ts";

const Shape = Type.Object({
  /** The machine that was the primary; null if the lease was free. */
  primary: Type.Union([Type.String(), Type.Null()]),
  /** The machine that took over. */
  machine: Type.String(),
  /** When, ms. */
  at: Type.Integer(),
});

/** What `postroom promote` leaves for the first start of the server, which tells the owners. */
export type TakeoverNote = Static<typeof Shape>;

/** The file is in `run/`: it is about this machine. */
const fileOf = (data_dir: string) => join(data_dir, "run", "takeover.json");

export function writeTakeoverNote(data_dir: string, note: TakeoverNote): void {
  mkdirSync(join(data_dir, "run"), { recursive: true, mode: 0o700 });
  writeSecretFile(fileOf(data_dir), `${JSON.stringify(note)}\n`);
}

/** Returns the note of a promotion that no server has seen yet; null if there is none. */
export function readTakeoverNote(data_dir: string): TakeoverNote | null {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(data_dir), "utf8"));
    return Value.Check(Shape, value) ? value : null;
  } catch {
    return null;
  }
}

export function removeTakeoverNote(data_dir: string): void {
  rmSync(fileOf(data_dir), { force: true });
}
