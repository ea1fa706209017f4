import type { Socket } from "node:net";
import { join } from "node:path";
import type { Pause } from "../acting.ts";

/*
 * Protocol between a command and the server that runs on the same data folder: a Unix socket in `run/`, which only the
 * user that runs the server can reach. One call per connection: a line of JSON as request, a line of JSON as reply.
 * Commands work without it. Through it, a running server acts at once on what a command has written, and reports state
 * that exists only in its memory.
 */

interface ServerStatus {
  version: string;
  commit: string;
  pid: number;
  /** ms. */
  started_at: number;
  /** URL of the HTTP server. */
  url: string;
  /** Why the server does not act; null while it does. Missing from servers before version 0.2. */
  paused?: Pause | null;
}

export interface BackupProgress {
  done: number;
  total: number;
}

/** A process that follows another server (`postroom standby`). Times are ms. */
export interface StandbyStatus {
  pid: number;
  started_at: number;
  /** The place that it follows. */
  from: string;
  /** Time of the state that the folder has; null: none yet. */
  state_at: number | null;
  /** When the primary last wrote to the place, by its clock; null: not known yet. */
  primary_at: number | null;
  /** When the folder was last compared with the place. */
  checked_at: number | null;
  /** What is being read; null: nothing. */
  progress: BackupProgress | null;
  failing_since: number | null;
  /** Why the last attempt failed, as a sentence. */
  error: string | null;
}

/** Every call, with its arguments and its reply. */
export interface ControlCalls {
  status: { args: null; reply: ServerStatus };
  /** Keys were revoked, or members left teams: their open streams end now. */
  keysChanged: { args: null; reply: null };
  /** Accounts were added, changed, paused or removed. */
  accountsChanged: { args: null; reply: null };
  /** Requests a sync of a mailbox; replies once the sync has been requested. */
  sync: { args: { account_id: string }; reply: null };
  /** Completes the removal of a person; replies when no data of theirs is left. */
  erase: { args: { user_id: string }; reply: null };
  /** Returns the addresses of proxies that are not in `http.trusted_proxies`. */
  untrustedProxies: { args: null; reply: string[] };
  /** Returns the progress of a backup; null if none runs. */
  backupProgress: { args: null; reply: BackupProgress | null };
  /** Only a standby answers it. */
  standby: { args: null; reply: StandbyStatus };
  /** Ends a standby, because it is promoted. */
  endStandby: { args: null; reply: null };
}

/** Calls after whose reply the connection stays open, and carries what its handler reads and writes. */
export interface ControlStreams {
  /** Messages of the Model Context Protocol, one per line. `credential`: an API key. */
  mcp: { credential: string };
}

/** Prepares a stream. @returns a function that serves the connection. @throws UserError or ApiError to refuse the call */
export type ControlStreamHandlers = {
  [K in keyof ControlStreams]?: (args: ControlStreams[K]) => Promise<(socket: Socket) => void>;
};

export type ControlName = keyof ControlCalls;

/** The server's handlers. A call without a handler is refused as unknown, as by an older server. */
export type ControlHandlers = {
  [K in ControlName]?: (args: ControlCalls[K]["args"]) => ControlCalls[K]["reply"] | Promise<ControlCalls[K]["reply"]>;
};

export interface ControlRequest {
  call: string;
  args: unknown;
}

export type ControlReply = { ok: true; value: unknown } | { ok: false; message: string };

/** Limit for calls and replies. */
export const LONGEST_LINE_BYTES = 64 * 1024;
/** sun_path holds 108 bytes on Linux and 104 on macOS, the last of them 0. */
const LONGEST_PATH_BYTES = 103;

/** Returns the path of a data folder's socket; null if the path is longer than systems allow. */
export function socketPath(data_dir: string): string | null {
  const path = join(data_dir, "run", "control.sock");
  return Buffer.byteLength(path) > LONGEST_PATH_BYTES ? null : path;
}

/** Collects a line that arrives in pieces. */
export class LineReader {
  #text = "";
  readonly #decoder = new TextDecoder();

  /** Adds bytes. @returns the line; null if it is incomplete. @throws Error if it is too long */
  push(bytes: Uint8Array): string | null {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    if (this.#text.length > LONGEST_LINE_BYTES) throw new Error("a line is too long");
    const end = this.#text.indexOf("\n");
    return end < 0 ? null : this.#text.slice(0, end);
  }
}
