import { join } from "node:path";

/*
 * How a command talks to the server that runs on the same data folder: a Unix socket in `run/`, which only the user that
 * runs the server can reach. One call a connection: a line of JSON there, a line of JSON back. Commands work without it;
 * it makes a running server act at once on what a command has written, and tells what only its memory knows.
 */

export interface ServerStatus {
  version: string;
  commit: string;
  pid: number;
  /** ms. */
  started_at: number;
  /** Where it answers HTTP. */
  url: string;
}

export interface BackupProgress {
  done: number;
  total: number;
}

/** Every call: what it is given, and what it answers. */
export interface ControlCalls {
  status: { args: null; reply: ServerStatus };
  /** Keys were revoked, or teams were left: what they have open ends now. */
  keysChanged: { args: null; reply: null };
  /** Accounts were added, changed, paused or removed. */
  accountsChanged: { args: null; reply: null };
  /** Looks at a mailbox now; answers when the look has been asked for. */
  sync: { args: { account_id: string }; reply: null };
  /** Does what is left of the removal of a person; answers when nothing of theirs is left. */
  erase: { args: { user_id: string }; reply: null };
  /** Addresses of proxies that are not in `http.trusted_proxies`. */
  untrustedProxies: { args: null; reply: string[] };
  /** How far a backup is; null: none runs. */
  backupProgress: { args: null; reply: BackupProgress | null };
}

export type ControlName = keyof ControlCalls;

/** What a server answers calls with. A call that is missing is refused as unknown, as by an older server. */
export type ControlHandlers = {
  [K in ControlName]?: (args: ControlCalls[K]["args"]) => ControlCalls[K]["reply"] | Promise<ControlCalls[K]["reply"]>;
};

export interface ControlRequest {
  call: string;
  args: unknown;
}

export type ControlReply = { ok: true; value: unknown } | { ok: false; message: string };

/** No call and no answer is longer. */
export const LONGEST_LINE_BYTES = 64 * 1024;
/** sun_path holds 108 bytes on Linux and 104 on macOS, the last of them 0. */
const LONGEST_PATH_BYTES = 103;

/** Where the socket of a data folder is; null where its path is longer than systems allow. */
export function socketPath(data_dir: string): string | null {
  const path = join(data_dir, "run", "control.sock");
  return Buffer.byteLength(path) > LONGEST_PATH_BYTES ? null : path;
}

/** Collects a line that comes in pieces. @returns the line; null: there is more to come. @throws Error when it is too long */
export class LineReader {
  #text = "";
  readonly #decoder = new TextDecoder();

  push(bytes: Uint8Array): string | null {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#text.length > LONGEST_LINE_BYTES) throw new Error("a line is too long");
    const end = this.#text.indexOf("\n");
    return end < 0 ? null : this.#text.slice(0, end);
  }
}
