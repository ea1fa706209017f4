import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ImapFlow } from "imapflow";
import { createTransport } from "nodemailer";
import { eventually } from "./eventually.ts";

/** Path of Dovecot 2.3, or null. Tests that need it are then skipped, with a notice. */
export const DOVECOT = findDovecot();

export const USERS = ["alice", "bob", "carol"] as const;
export type TestUser = (typeof USERS)[number];

export interface Login {
  username: string;
  password: string;
}

/** A message that is in a Maildir before any client connects. */
export interface LoadedMessage {
  raw: Uint8Array | string;
  /** INTERNALDATE. */
  date?: Date;
  /** Maildir flags: S seen, F flagged, R answered, D draft, T deleted. */
  flags?: string;
}

export interface Dovecot {
  /** Plain text and STARTTLS. */
  imapPort: number;
  /** Implicit TLS. */
  imapsPort: number;
  lmtpPort: number;
  caFile: string;
  /** PEM of the authority that signed the server's certificate (for localhost, mail.test and 127.0.0.1). */
  ca: string;
  /** The folder that holds the whole server. */
  base: string;
  logins: Record<TestUser, Login>;
  /** Delivers to the inbox by LMTP; resolves when the server has accepted the message. */
  deliver(user: TestUser, raw: Uint8Array | string): Promise<void>;
  /** Writes messages straight into a folder's Maildir. Works only before the folder is first opened. */
  loadMaildir(user: TestUser, folder: string, messages: readonly LoadedMessage[]): void;
  /** Opens another client of the same mailbox, logged in. `stop` closes it at the latest. */
  connect(user: TestUser): Promise<ImapFlow>;
  /** Makes the server forget a folder's UIDs: new UIDVALIDITY, new UIDs, same mail. Close its clients first. */
  renumber(user: TestUser, folder: string): void;
  /** Runs `doveadm`. @throws an error with its output when it fails */
  doveadm(...args: string[]): string;
  /** Everything the server has logged so far. */
  log(): string;
  /** Drops every connection and restarts on the same ports with the same mail. */
  restart(): Promise<void>;
  /** Stops the server and keeps its mail; `start` starts it again. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes all its files. */
  stop(): Promise<void>;
}

export interface DovecotOptions {
  /** Capabilities to announce instead of all that the server supports, e.g. "IMAP4rev1". */
  capability?: string;
  /** Additional configuration lines. */
  extraConfig?: string;
}

/** Owner of the mail when run as root; Dovecot refuses uid 0. */
export const MAIL_UID = 5000;
const START_MS = 10_000;

/** Starts a separate Dovecot on loopback, in a temporary folder. Works as root and as any other user. */
export async function startDovecot(options: DovecotOptions = {}): Promise<Dovecot> {
  if (!DOVECOT) throw new Error("Dovecot 2.3 is not installed. Check DOVECOT before starting it.");
  const binary = DOVECOT;
  const base = mkdtempSync(join(tmpdir(), "postroom-dovecot-"));
  chmodSync(base, 0o755);
  for (const name of ["run", "state", "tls", "mail", "log"]) mkdirSync(join(base, name), { mode: 0o755 });
  const owner = process.getuid?.() === 0 ? MAIL_UID : null;
  if (owner !== null) chownSync(join(base, "mail"), owner, owner);
  const caFile = makeCertificate(join(base, "tls"));
  const [imapPort, imapsPort, lmtpPort] = await freePorts(3);
  const logins = Object.fromEntries(
    USERS.map((name) => [name, { username: `${name}@mail.test`, password: `${name}-pw` }]),
  ) as Record<TestUser, Login>;
  const users = Object.values(logins).map(({ username, password }) => `${username}:{PLAIN}${password}::::::\n`);
  writeFileSync(join(base, "users"), users.join(""));
  const config = join(base, "dovecot.conf");
  writeFileSync(config, configuration(base, [imapPort!, imapsPort!, lmtpPort!], options));
  const clients = new Set<ImapFlow>();
  const maildir = (user: TestUser, folder: string) => {
    const root = join(base, "mail", "mail.test", user);
    return folder.toUpperCase() === "INBOX" ? root : join(root, `.${folder.replaceAll("/", ".")}`);
  };
  const run = (command: string, args: string[]): string => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([command, ...args], { stdout: "pipe", stderr: "pipe" });
    if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr.toString() || stdout.toString()}`);
    return stdout.toString();
  };
  const doveadm = (...args: string[]) => run(join(dirname(binary), "../bin/doveadm"), ["-c", config, ...args]);
  let server: Bun.Subprocess | null = null;
  const kill = () => server?.kill();
  const start = async () => {
    const complaints = join(base, "log", "start.log");
    server = Bun.spawn([binary, "-F", "-c", config], { stdio: ["ignore", "ignore", Bun.file(complaints)] });
    process.once("exit", kill);
    await eventually(async () => server?.exitCode !== null || (await reachable(imapPort!)), START_MS);
    if (server.exitCode !== null) throw new Error(`Dovecot did not start: ${readFileSync(complaints, "utf8")}`);
  };
  const halt = async () => {
    for (const client of clients) client.close();
    clients.clear();
    kill();
    await server?.exited;
    server = null;
    process.off("exit", kill);
  };
  await start();
  const transport = createTransport({
    host: "127.0.0.1",
    port: lmtpPort,
    lmtp: true,
    ignoreTLS: true,
    secure: false,
  } as object);

  return {
    imapPort: imapPort!,
    imapsPort: imapsPort!,
    lmtpPort: lmtpPort!,
    caFile,
    ca: readFileSync(caFile, "utf8"),
    base,
    logins,
    async deliver(user, raw) {
      const envelope = { from: "sender@example.net", to: [logins[user].username] };
      await transport.sendMail({ envelope, raw: typeof raw === "string" ? raw : Buffer.from(raw) });
    },
    loadMaildir(user, folder, messages) {
      const dir = maildir(user, folder);
      const made: string[] = [];
      for (const part of ["cur", "new", "tmp"]) mkdirSync(join(dir, part), { recursive: true, mode: 0o700 });
      const have = readdirSync(join(dir, "cur")).length;
      messages.forEach(({ raw, date, flags = "" }, i) => {
        // Names sort in the order given, which becomes the order of UIDs.
        const bytes = typeof raw === "string" ? Buffer.from(raw) : raw;
        const file = join(dir, "cur", `${1_600_000_000 + have + i}.M${i}P1.test,S=${bytes.length}:2,${flags}`);
        writeFileSync(file, bytes);
        const at = date ?? new Date(1_600_000_000_000 + i * 60_000);
        utimesSync(file, at, at);
        made.push(file);
      });
      if (owner === null) return;
      const root = join(base, "mail", "mail.test");
      for (const path of [
        root,
        join(root, user),
        dir,
        ...["cur", "new", "tmp"].map((part) => join(dir, part)),
        ...made,
      ]) {
        chownSync(path, owner, owner);
      }
    },
    async connect(user) {
      const { username, password } = logins[user];
      const client = new ImapFlow({
        host: "127.0.0.1",
        port: imapPort!,
        secure: false,
        doSTARTTLS: false,
        auth: { user: username, pass: password },
        logger: false,
        disableAutoIdle: true,
      });
      client.on("error", () => {});
      await client.connect();
      clients.add(client);
      client.once("close", () => clients.delete(client));
      return client;
    },
    renumber(user, folder) {
      const dir = maildir(user, folder);
      for (const name of readdirSync(dir)) if (/^dovecot(-uidlist|\.index)/.test(name)) rmSync(join(dir, name));
      // Dovecot uses the current second as the new UIDVALIDITY; within the same second it would not change.
      const path = join(dir, "dovecot-uidlist");
      const uidvalidity = 1_900_000_000 + Math.floor(process.hrtime()[1] / 1000);
      writeFileSync(path, `3 V${uidvalidity} N1 G${crypto.randomUUID().replaceAll("-", "")}\n`);
      if (owner !== null) chownSync(path, owner, owner);
    },
    doveadm,
    log: () => readFileSync(join(base, "log", "dovecot.log"), "utf8"),
    async restart() {
      await halt();
      await start();
    },
    halt,
    start,
    async stop() {
      await halt();
      transport.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function findDovecot(): string | null {
  const path = Bun.which("dovecot", { PATH: `${process.env.PATH ?? ""}:/usr/sbin:/usr/local/sbin` });
  const parts = ["/usr/lib/dovecot/imap", "/usr/lib/dovecot/lmtp"];
  let missing = path === null || !parts.every((part) => existsSync(part)) ? "Dovecot (imapd and lmtpd)" : null;
  if (!missing && !Bun.which("openssl")) missing = "openssl";
  if (!missing) {
    const version = Bun.spawnSync([path!, "--version"]).stdout.toString();
    // Version 2.4 has another configuration language.
    if (!version.startsWith("2.3.")) missing = `Dovecot 2.3 (this one is ${version.trim()})`;
  }
  if (missing) console.info(`skipped: tests against a real IMAP server (${missing} is not installed)`);
  return missing ? null : path;
}

function makeCertificate(dir: string): string {
  const cert = join(dir, "cert.pem");
  const names = "subjectAltName=DNS:mail.test,DNS:localhost,IP:127.0.0.1";
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", join(dir, "key.pem")];
  const { exitCode, stderr } = Bun.spawnSync(
    ["openssl", "req", "-x509", ...key, "-days", "30", "-out", cert, "-subj", "/CN=mail.test", "-addext", names],
    { stderr: "pipe" },
  );
  if (exitCode !== 0) throw new Error(`openssl: ${stderr.toString()}`);
  return cert;
}

/** Returns ports on which nothing listens at the moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function reachable(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {}, error() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

function configuration(
  base: string,
  [imap, imaps, lmtp]: number[],
  { capability, extraConfig }: DovecotOptions,
): string {
  const root = process.getuid?.() === 0;
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, user: idName("-un"), group: idName("-gn") };
  const uid = root ? MAIL_UID : me.uid;
  const gid = root ? MAIL_UID : me.gid;
  // An ordinary user can neither change the root folder nor switch to another user.
  const unprivileged = ["anvil", "imap-login", "lmtp", "stats", "auth", "auth-worker", "dict", "ssl-params"]
    .map((service) => `service ${service} {\n  chroot =\n  user = ${me.user}\n}`)
    .join("\n");
  const mailbox = (name: string) => `  mailbox ${name} {\n    special_use = \\${name}\n    auto = subscribe\n  }`;
  return `
base_dir = ${base}/run
state_dir = ${base}/state
instance_name = ${base}
protocols = imap lmtp
listen = 127.0.0.1
log_path = ${base}/log/dovecot.log
info_log_path = ${base}/log/dovecot.log
default_internal_user = ${root ? "dovecot" : me.user}
default_internal_group = ${root ? "dovecot" : me.group}
default_login_user = ${root ? "dovenull" : me.user}
first_valid_uid = ${Math.min(uid, 1000)}
first_valid_gid = ${Math.min(gid, 1000)}
mail_location = maildir:${base}/mail/%d/%n
mail_home = ${base}/mail/%d/%n-home
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
ssl = yes
ssl_cert = <${base}/tls/cert.pem
ssl_key = <${base}/tls/key.pem
mail_fsync = never
mail_max_userip_connections = 100
mailbox_list_index = yes
maildir_very_dirty_syncs = no
${capability ? `imap_capability = ${capability}` : ""}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${base}/users
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid}
}
namespace inbox {
  inbox = yes
  separator = /
${["Drafts", "Sent", "Trash", "Junk", "Archive"].map(mailbox).join("\n")}
}
protocol imap {
  imap_idle_notify_interval = 29 mins
}
protocol lmtp {
  postmaster_address = postmaster@mail.test
  hostname = mail.test
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = ${imap}
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = ${imaps}
    ssl = yes
  }
  process_min_avail = 1
  service_count = 0
}
# No growing delays after refused logins.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${lmtp}
  }
}
${root ? "" : unprivileged}
${extraConfig ?? ""}
`;
}

function idName(flag: "-un" | "-gn"): string {
  return Bun.spawnSync(["id", flag]).stdout.toString().trim();
}
