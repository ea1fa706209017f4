import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from "ssh2";
import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { EgressFault } from "../egress/faults.ts";
import { shownText } from "./answer-text.ts";
import { openSsh, type SshOptions } from "./sftp-handshake.ts";
import { StoreFault } from "./store.ts";

/** Time without any answer while requests wait for one. A slow connection answers each piece. */
const SILENCE_MS = 30_000;
const SUBSYSTEM_MS = 20_000;

/** Status codes (draft-ietf-secsh-filexfer-02 §7). */
export const SFTP_STATUS = { eof: 1, noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 } as const;

/** A request that the server answered with an error. */
export class SftpRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(shownText(message));
  }
}

type Done<T> = (error?: Error | null, value?: T) => void;
type Wrapper = SFTPWrapper & { _extensions?: Record<string, string> };

/** One connection to a server. Requests may run at the same time. After a fault, every request of it fails. */
export class SftpConnection {
  readonly #pending = new Set<(error: unknown) => void>();
  #fault: unknown = null;
  #cancelTimer: CancelTimer = () => {};
  #heardMs = 0;

  private constructor(
    private readonly client: Client,
    private readonly sftp: Wrapper,
    private readonly clock: Clock,
  ) {
    client.on("close", () => this.fail(new EgressFault("reset", "the server closed the connection")));
    client.on("error", (error) =>
      this.fail(new EgressFault("reset", `the connection broke (${error.message})`, error)),
    );
    sftp.on("close", () => this.fail(new EgressFault("reset", "the server closed the connection")));
  }

  /** Signs in and starts SFTP. @throws StoreFault, EgressFault */
  static async open(options: SshOptions, signal: AbortSignal): Promise<SftpConnection> {
    const client = await openSsh(options, signal);
    const { clock, place } = options;
    try {
      const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
        const cancel = clock.after(SUBSYSTEM_MS, () => reject(new EgressFault("timeout", "SFTP did not start")));
        client.once("close", () => reject(new EgressFault("reset", "the server closed the connection")));
        client.sftp((error, wrapper) => {
          cancel();
          if (!error) return resolve(wrapper);
          const sentence = `${place.host} lets the user ${place.user} in, but not use SFTP. Turn SFTP on there.`;
          reject(new StoreFault("refused", sentence, error));
        });
      });
      return new SftpConnection(client, sftp, clock);
    } catch (error) {
      client.destroy();
      throw error;
    }
  }

  /** True until a fault. */
  get alive(): boolean {
    return this.#fault === null;
  }

  /** Returns whether the server announced an extension, such as "fsync@openssh.com". */
  offers(extension: string): boolean {
    return this.sftp._extensions?.[extension] !== undefined;
  }

  /** Fails all requests and closes the connection. */
  fail(error: unknown): void {
    if (this.#fault !== null) return;
    this.#fault = error;
    this.#cancelTimer();
    for (const reject of [...this.#pending]) reject(error);
    this.client.destroy();
  }

  /** Closes the connection, with the last words of the protocol if it works. */
  close(): void {
    if (this.#fault !== null) return;
    this.client.end();
    this.fail(new EgressFault("aborted", "the connection was closed"));
  }

  open(path: string, flags: "r" | "r+" | "wx"): Promise<Buffer> {
    return this.#ask((done) => this.sftp.open(path, flags, { mode: 0o600 }, done));
  }

  closeHandle(handle: Buffer): Promise<void> {
    return this.#ask((done) => this.sftp.close(handle, done));
  }

  fstat(handle: Buffer): Promise<Stats> {
    return this.#ask((done) => this.sftp.fstat(handle, done));
  }

  stat(path: string): Promise<Stats> {
    return this.#ask((done) => this.sftp.stat(path, done));
  }

  /** Reads into a part of a buffer. @returns the number of bytes, which may be fewer; 0 at the end of the file */
  read(handle: Buffer, into: Buffer, offset: number, length: number, at: number): Promise<number> {
    return this.#ask<number>((done) => this.sftp.read(handle, into, offset, length, at, done));
  }

  write(handle: Buffer, from: Buffer, offset: number, length: number, at: number): Promise<void> {
    return this.#ask((done) => this.sftp.write(handle, from, offset, length, at, done));
  }

  fsync(handle: Buffer): Promise<void> {
    return this.#ask((done) => this.sftp.ext_openssh_fsync(handle, done));
  }

  /** Renames in one step. What has the new name is replaced. */
  rename(from: string, to: string): Promise<void> {
    return this.#ask((done) => this.sftp.ext_openssh_rename(from, to, done));
  }

  mkdir(path: string): Promise<void> {
    return this.#ask((done) => this.sftp.mkdir(path, { mode: 0o700 }, done));
  }

  rmdir(path: string): Promise<void> {
    return this.#ask((done) => this.sftp.rmdir(path, done));
  }

  unlink(path: string): Promise<void> {
    return this.#ask((done) => this.sftp.unlink(path, done));
  }

  list(path: string): Promise<FileEntryWithStats[]> {
    return this.#ask((done) => this.sftp.readdir(path, done));
  }

  /** Returns the bytes that the user can still write to the drive of a path. */
  async freeBytes(path: string): Promise<number> {
    type Space = { f_frsize: number; f_bavail: number };
    const found = await this.#ask<Space>((done) => this.sftp.ext_openssh_statvfs(path, done as never));
    return Number(found.f_frsize) * Number(found.f_bavail);
  }

  #ask<T>(send: (done: Done<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#fault !== null) return reject(this.#fault);
      const settle = (act: () => void) => {
        this.#pending.delete(refuse);
        this.#heardMs = this.clock.now();
        if (this.#pending.size === 0) this.#cancelTimer();
        act();
      };
      const refuse = (error: unknown) => settle(() => reject(error));
      if (this.#pending.size === 0) this.#watch();
      this.#pending.add(refuse);
      const done: Done<T> = (error, value) => {
        const code = (error as { code?: unknown } | null | undefined)?.code;
        if (!error) settle(() => resolve(value as T));
        else if (typeof code === "number") refuse(new SftpRefusal(code, error.message));
        else refuse(new EgressFault("reset", `the connection broke (${error.message})`, error));
      };
      try {
        send(done);
      } catch (error) {
        refuse(error);
      }
    });
  }

  /** Ends the connection if the server stays silent. */
  #watch(): void {
    this.#heardMs = this.clock.now();
    const check = () => {
      const left = this.#heardMs + SILENCE_MS - this.clock.now();
      if (left > 0) this.#cancelTimer = this.clock.after(Math.min(left, SILENCE_MS), check);
      else this.fail(new EgressFault("timeout", `the server did not answer for ${SILENCE_MS / 1000} seconds`));
    };
    this.#cancelTimer = this.clock.after(SILENCE_MS, check);
  }
}
