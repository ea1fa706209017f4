import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ssh2 from "ssh2";
import type { SftpOptions } from "../../src/platform/objects/sftp-client.ts";
import { fingerprintOf } from "../../src/platform/objects/sftp-login.ts";
import { freePorts } from "./dovecot.ts";
import { eventually } from "./eventually.ts";

/** Path of OpenSSH's server, or null. Tests that need it are then skipped, with a notice. */
export const SSHD = findSshd();

/** What happens to a connection: it breaks once the server has received, or has answered, so many bytes. */
export type Cut = { up: number } | { down: number } | null;

/** OpenSSH's server with a folder, behind a proxy that can cut connections. */
export interface SftpServer {
  port: number;
  /** Folder whose subfolders are places. */
  root: string;
  /** The private key that opens the account. */
  key: string;
  /** Fingerprints of the host keys, by kind. */
  fingerprints: Record<"ed25519" | "ecdsa" | "rsa", string>;
  /** Options of a place, whose folder is created. */
  options(folder: string): Omit<SftpOptions, "clock" | "calls">;
  /** Value of `backup.to` for the same place. */
  place(folder: string): string;
  /** Decides about each new connection; the first is 0. */
  cut: (connection: number) => Cut;
  /** Loses what the server answers, and keeps the connections. */
  silent: boolean;
  /** Number of connections so far. */
  connections: number;
  /** Breaks all open connections. */
  breakAll(): void;
  close(): Promise<void>;
}

const KINDS = ["ed25519", "ecdsa", "rsa"] as const;
const START_MS = 10_000;

/** Starts a separate sshd on loopback, in a temporary folder, for the current user. Works as root, too. */
export async function startSftp(): Promise<SftpServer> {
  if (!SSHD) throw new Error("sshd is not installed. Check SSHD before starting it.");
  const base = mkdtempSync(join(tmpdir(), "postroom-sshd-"));
  const root = join(base, "files");
  mkdirSync(root);
  const host = KINDS.map((kind) => ({ kind, ...makeKey(kind) }));
  for (const { kind, private: text } of host) writeFileSync(join(base, kind), text, { mode: 0o600 });
  const user = makeKey("ed25519");
  writeFileSync(join(base, "authorized"), `${user.public}\n`);
  const [port] = (await freePorts(1)) as [number];
  // Bun reads the name from the environment, where it may be missing.
  const username = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
  writeFileSync(join(base, "sshd_config"), configuration(base, port));
  // The folder that sshd, started as root, changes to before anyone has signed in.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const log = join(base, "log");
  const daemon = Bun.spawn([SSHD, "-D", "-e", "-f", join(base, "sshd_config")], {
    stdio: ["ignore", "ignore", Bun.file(log)],
  });
  const kill = () => daemon.kill();
  process.once("exit", kill);
  await eventually(() => daemon.exitCode !== null || /listening on/.test(readFileSync(log, "utf8")), START_MS);
  if (daemon.exitCode !== null) throw new Error(`sshd did not start: ${readFileSync(log, "utf8")}`);
  const open = new Set<Socket>();
  const server: SftpServer = {
    port: 0,
    root,
    key: user.private,
    fingerprints: Object.fromEntries(
      host.map(({ kind, public: line }) => [kind, fingerprintOf(blobOf(line))]),
    ) as SftpServer["fingerprints"],
    options(folder) {
      mkdirSync(join(root, folder), { recursive: true });
      return {
        place: { kind: "sftp", user: username, host: "127.0.0.1", port: server.port, path: join(root, folder) },
        login: { password: "", key: user.private, passphrase: "" },
        hostKey: server.fingerprints.ed25519,
        pauseMs: 5,
      };
    },
    place: (folder) => `sftp://${username}@127.0.0.1:${server.port}${join(root, folder)}`,
    cut: () => null,
    silent: false,
    connections: 0,
    breakAll() {
      for (const socket of open) socket.destroy();
    },
    async close() {
      server.breakAll();
      proxy.close();
      process.removeListener("exit", kill);
      daemon.kill();
      await daemon.exited;
      rmSync(base, { recursive: true, force: true });
    },
  };
  const proxy = createServer((client) => {
    const cut = server.cut(server.connections++);
    const origin = connect({ port, host: "127.0.0.1" });
    for (const socket of [client, origin]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => open.delete(socket));
    }
    relay(client, origin, cut && "up" in cut ? cut.up : null);
    relay(origin, client, cut && "down" in cut ? cut.down : null, () => server.silent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  server.port = (proxy.address() as { port: number }).port;
  return server;
}

/** Passes bytes on, up to a limit. What arrived before it is passed on, so that the other side still acts on it. */
function relay(from: Socket, to: Socket, limit: number | null, isSilent = () => false): void {
  let passed = 0;
  from.on("data", (bytes: Buffer) => {
    if (isSilent()) return;
    const left = limit === null ? bytes.length : Math.max(0, limit - passed);
    passed += bytes.length;
    const isFull = to.write(bytes.subarray(0, left));
    if (limit !== null && passed >= limit) {
      from.destroy();
      to.end();
    } else if (!isFull) {
      from.pause();
      to.once("drain", () => from.resume());
    }
  });
  from.on("end", () => to.end());
  from.on("close", () => to.end());
}

export function makeKey(kind: (typeof KINDS)[number], passphrase?: string): { private: string; public: string } {
  const bits = { ed25519: {}, ecdsa: { bits: 256 }, rsa: { bits: 2048 } }[kind];
  const locked = passphrase === undefined ? {} : { passphrase, cipher: "aes256-ctr", rounds: 16 };
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync(kind as "rsa", { ...bits, ...locked } as never);
    // ssh2 drops the leading zeros of an Ed25519 key that it makes, one time in 256, and no program reads such a key.
    if (!(ssh2.utils.parseKey(pair.private, passphrase) instanceof Error)) return pair;
  }
}

/** Returns the key in a line such as "ssh-ed25519 AAAA…". */
export function blobOf(line: string): Buffer {
  return Buffer.from(line.split(" ")[1] ?? "", "base64");
}

function configuration(base: string, port: number): string {
  return `Port ${port}
ListenAddress 127.0.0.1
${KINDS.map((kind) => `HostKey ${join(base, kind)}`).join("\n")}
PidFile none
AuthorizedKeysFile ${join(base, "authorized")}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
MaxStartups 100
Subsystem sftp internal-sftp
`;
}

function findSshd(): string | null {
  const path = Bun.which("sshd") ?? ["/usr/sbin/sshd"].find((file) => existsSync(file)) ?? null;
  if (!path)
    console.info("skipped: tests against an SSH server (sshd is not installed: apt-get install openssh-server)");
  return path;
}
