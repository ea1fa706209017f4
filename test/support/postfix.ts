import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SmtpLogin } from "../../src/wire/smtp/verify.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot, type TestUser } from "./dovecot.ts";
import { eventually } from "./eventually.ts";
import { listens, type ScriptedSmtp, startScriptedSmtp } from "./smtp-server.ts";

/** Whether a separate Postfix can be started here. Otherwise tests that need it are skipped, with a notice. */
export const POSTFIX = findPostfix();

export interface Postfix {
  /** Delivers mail.test to: alice, bob, carol. */
  dovecot: Dovecot;
  /** Submission with STARTTLS, and with implicit TLS; both require a login. Certificate: `dovecot.ca`. */
  login(user: TestUser, security: "starttls" | "tls"): SmtpLogin;
  /**
   * Mail to discard.test is accepted and discarded. Mail to every domain except mail.test, reject.test (550 at RCPT)
   * and tempfail.test (451 at RCPT) is delivered here.
   */
  internet: ScriptedSmtp;
  /** Mail to bounce.test is accepted, then refused internally, and returns as a delivery status notification. */
  refusing: ScriptedSmtp;
  log(): string;
  stop(): Promise<void>;
}

/** Starts Postfix with a Dovecot behind it on loopback, in temporary folders. Nothing leaves the machine. */
export async function startPostfix(): Promise<Postfix> {
  if (!POSTFIX) throw new Error("Postfix cannot be started here. Check POSTFIX before starting it.");
  const [submission, smtps, auth] = (await freePorts(3)) as [number, number, number];
  const listener = `service auth {\n  inet_listener {\n    address = 127.0.0.1\n    port = ${auth}\n  }\n}`;
  const [dovecot, internet, refusing] = await Promise.all([
    startDovecot({ extraConfig: listener }),
    startScriptedSmtp(),
    startScriptedSmtp(),
  ]);
  refusing.faults.rcpt = Array.from({ length: 1000 }, () => "550 5.1.1 no such user here");
  // Postfix's own daemons must be able to enter the folder.
  const base = mkdtempSync(join(tmpdir(), "postroom-postfix-"));
  chmodSync(base, 0o755);
  const etc = join(base, "etc");
  for (const name of ["etc", "spool", "data", "tls", "log"]) mkdirSync(join(base, name), { mode: 0o755 });
  const owner = Number(Bun.spawnSync(["id", "-u", "postfix"]).stdout.toString());
  chownSync(join(base, "data"), owner, 0);
  for (const name of ["cert.pem", "key.pem"]) copyFileSync(join(dovecot.base, "tls", name), join(base, "tls", name));
  chmodSync(join(base, "tls", "key.pem"), 0o600);
  for (const name of [
    "postfix-files",
    "postfix-script",
    "post-install",
    "dynamicmaps.cf",
    "postfix-files.d",
    "dynamicmaps.cf.d",
  ]) {
    if (existsSync(`/etc/postfix/${name}`)) cpSync(`/etc/postfix/${name}`, join(etc, name), { recursive: true });
  }
  writeFileSync(
    join(etc, "mailboxes"),
    ["alice", "bob", "carol", "postmaster"].map((name) => `${name}@mail.test x\n`).join(""),
  );
  writeFileSync(
    join(etc, "recipients"),
    "reject.test 550 5.1.1 mailbox unavailable\ntempfail.test 451 4.3.0 try again later\n",
  );
  writeFileSync(join(etc, "transport"), `bounce.test smtp:[127.0.0.1]:${refusing.port}\ndiscard.test discard:\n`);
  writeFileSync(join(etc, "main.cf"), mainConfig(base, { lmtp: dovecot.lmtpPort, internet: internet.port, auth }));
  writeFileSync(join(etc, "master.cf"), masterConfig(submission, smtps));
  const run = (command: string) => Bun.spawnSync(["postfix", "-c", etc, command], { stdout: "pipe", stderr: "pipe" });
  const started = run("start");
  if (started.exitCode !== 0) throw new Error(`postfix start: ${started.stderr.toString()}`);
  const kill = () => run("stop");
  process.once("exit", kill);
  await eventually(async () => (await listens(submission)) && listens(smtps), 10_000);
  return {
    dovecot,
    internet,
    refusing,
    login: (user, security) => ({
      host: "localhost",
      port: security === "tls" ? smtps : submission,
      security,
      ...dovecot.logins[user],
    }),
    log: () => readFileSync(join(base, "log", "mail.log"), "utf8"),
    async stop() {
      kill();
      process.off("exit", kill);
      await Promise.all([dovecot.stop(), internet.stop(), refusing.stop()]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function findPostfix(): boolean {
  let missing: string | null = null;
  if (!Bun.which("postfix", { PATH: `${process.env.PATH ?? ""}:/usr/sbin` })) missing = "Postfix is not installed";
  else if (process.getuid?.() !== 0) missing = "Postfix starts only as root";
  else if (!DOVECOT) missing = "Dovecot, which it delivers to, is not installed";
  if (missing) console.info(`skipped: tests against a real SMTP server, for ${missing}`);
  return missing === null;
}

function mainConfig(base: string, ports: { lmtp: number; internet: number; auth: number }): string {
  return `
compatibility_level = 3.6
queue_directory = ${base}/spool
data_directory = ${base}/data
meta_directory = ${base}/etc
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
shlib_directory = /usr/lib/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${base}/log/mail.log
maillog_file_prefixes = ${base}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.test
mydestination =
mynetworks = 192.0.2.1/32
local_transport = error:no local delivery
alias_maps =
alias_database =
virtual_mailbox_domains = mail.test
virtual_mailbox_maps = texthash:${base}/etc/mailboxes
virtual_transport = lmtp:inet:127.0.0.1:${ports.lmtp}
transport_maps = texthash:${base}/etc/transport
default_transport = smtp:[127.0.0.1]:${ports.internet}
message_size_limit = 36700160
smtpd_tls_cert_file = ${base}/tls/cert.pem
smtpd_tls_key_file = ${base}/tls/key.pem
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${ports.auth}
smtpd_sasl_auth_enable = yes
smtpd_tls_auth_only = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access texthash:${base}/etc/recipients, permit_sasl_authenticated, reject
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
`;
}

function masterConfig(submission: number, smtps: number): string {
  const service = (name: string, rest: string) => `${name} unix ${rest}`;
  return [
    `127.0.0.1:${submission} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt`,
    `127.0.0.1:${smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes`,
    service("pickup", "n - n 60 1 pickup"),
    service("cleanup", "n - n - 0 cleanup"),
    service("qmgr", "n - n 10 1 qmgr"),
    service("tlsmgr", "- - n 1000? 1 tlsmgr"),
    service("rewrite", "- - n - - trivial-rewrite"),
    ...["bounce", "defer", "trace"].map((name) => service(name, "- - n - 0 bounce")),
    service("verify", "- - n - 1 verify"),
    service("proxymap", "- - n - - proxymap"),
    ...["smtp", "lmtp", "error", "discard"].map((name) => service(name, `- - n - - ${name}`)),
    service("retry", "- - n - - error"),
    service("anvil", "- - n - 1 anvil"),
    service("scache", "- - n - 1 scache"),
    "postlog unix-dgram n - n - 1 postlogd",
    "",
  ].join("\n");
}
