import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { envName } from "../../src/platform/config/table.ts";
import type { Acts } from "./off-machine-acts.ts";
import type { FaultyStore, StoreLine } from "./off-machine-store.ts";
import { type Served, serve } from "./served.ts";

const MAIN = resolve(import.meta.dir, "../../src/main.ts");

/** What all machines of a home have in common. */
export interface Home {
  /** Folder for the data of each machine. */
  base: string;
  store: FaultyStore;
  acts: Acts;
  /** Secret of an API key with all scopes. */
  key: string;
  /** File with the master key, as the owner keeps it elsewhere. */
  keyFile: string;
  /** Whether another machine may take over (backup.standby). */
  standby: boolean;
}

export interface Ended {
  code: number | null;
  out: string;
  err: string;
  ms: number;
}

/** One computer: a data folder, and its own way to the store. */
export class Machine {
  served: Served | null = null;
  /** Name of the running process. */
  process = "";
  #starts = 0;
  #following: { child: Bun.Subprocess<"ignore", "pipe", "pipe">; log: string } | null = null;

  private constructor(
    readonly name: string,
    readonly data_dir: string,
    readonly line: StoreLine,
    private readonly home: Home,
  ) {}

  static async add(home: Home, name: string): Promise<Machine> {
    mkdirSync(join(home.base, name), { recursive: true });
    return new Machine(name, join(home.base, name, "data"), await home.store.line(name), home);
  }

  get place(): string {
    return `s3://${this.home.store.bucket}/home`;
  }

  /**
   * Starts `postroom serve`.
   * @param answers wait until it answers: it does not have to act yet @param standby another value of `backup.standby`
   */
  async serve({ answers = true, standby = this.home.standby } = {}): Promise<Served> {
    this.process = `${this.name}#${++this.#starts}`;
    const settings = this.#settings(standby);
    this.served = await serve({ data_dir: this.data_dir, key: this.home.key }, { settings, answers });
    this.home.acts.know(this.served.pid, this.process);
    return this.served;
  }

  /** Stops the server for a while, as a hypervisor does, or lets it continue. */
  freeze(isFrozen: boolean): void {
    if (!isFrozen) this.home.acts.thaw(this.process);
    process.kill(this.served!.pid, isFrozen ? "SIGSTOP" : "SIGCONT");
  }

  async kill(): Promise<void> {
    await this.served?.kill();
    this.served = null;
  }

  async stop(): Promise<number | null> {
    const code = (await this.served?.stop()) ?? null;
    this.served = null;
    return code;
  }

  /** Restores what is in the store to the folder of this machine. @param more options, such as "--at" */
  restore(timeoutMs: number, ...more: string[]): Promise<Ended> {
    const args = ["restore", this.place, "--data", this.data_dir, "--key-file", this.home.keyFile];
    return this.#run([...args, ...more], timeoutMs);
  }

  /** Starts `postroom standby`. */
  follow(): void {
    const args = ["standby", "--from", this.place, "--data", this.data_dir, "--key-file", this.home.keyFile];
    const child = this.#spawn(args);
    this.#following = { child, log: "" };
    const following = this.#following;
    for (const stream of [child.stdout, child.stderr]) {
      void (async () => {
        for await (const chunk of stream)
          following.log = (following.log + new TextDecoder().decode(chunk)).slice(-4_000);
      })();
    }
  }

  /** The exit code and the output of the standby process, if there is one; the code is null while it runs. */
  get followed(): { code: number | null; log: string } | null {
    return this.#following && { code: this.#following.child.exitCode, log: this.#following.log };
  }

  /** Kills the standby process. */
  async unfollow(): Promise<void> {
    this.#following?.child.kill(9);
    await this.#following?.child.exited;
    this.#following = null;
  }

  /** Takes over with `postroom promote`, in a folder that follows, or that was restored. */
  promote(timeoutMs: number): Promise<Ended> {
    const confirmed = this.home.standby ? [] : ["--primary-is-off"];
    return this.#run(["promote", "--data", this.data_dir, "--key-file", this.home.keyFile, ...confirmed], timeoutMs);
  }

  /** Turns the machine off for good. */
  async remove(): Promise<void> {
    await this.kill();
    await this.unfollow();
    this.line.close();
    if (existsSync(this.data_dir)) rmSync(join(this.data_dir, ".."), { recursive: true, force: true });
  }

  async #run(args: string[], timeoutMs: number): Promise<Ended> {
    const began = performance.now();
    const child = this.#spawn(args);
    const late = setTimeout(() => child.kill(9), timeoutMs);
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    const code = await child.exited;
    clearTimeout(late);
    return { code, out, err, ms: Math.round(performance.now() - began) };
  }

  #spawn(args: string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
    const env = Object.entries(this.#settings()).map(([key, value]) => [envName(key), value]);
    const child = Bun.spawn([process.execPath, MAIN, ...args], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      env: {
        PATH: process.env.PATH ?? "/usr/bin:/bin",
        HOME: join(this.home.base, this.name),
        // Commands then report unexpected errors in full.
        POSTROOM_LOG_LEVEL: "debug",
        ...Object.fromEntries(env),
      },
    });
    const kill = () => child.kill(9);
    process.once("exit", kill);
    void child.exited.then(() => process.off("exit", kill));
    // No command but serve may open mail: if this one does, it acts beside the server.
    this.home.acts.know(child.pid, `${args[0]} on ${this.name}`);
    return child;
  }

  #settings(standby = this.home.standby): Record<string, string> {
    return {
      "backup.to": this.place,
      "backup.standby": String(standby),
      "backup.s3.endpoint": this.line.endpoint,
      "backup.s3.access_key_id": "S3RVER",
      "backup.s3.secret_access_key": "S3RVER",
    };
  }
}
