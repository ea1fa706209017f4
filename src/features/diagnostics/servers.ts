/** Checks the mail servers of a mailbox from this machine: name, encryption, login, capabilities and limits. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Connection, ServerAddress } from "../../mailbox/accounts/tables.ts";
import { hostPort } from "../../platform/networks.ts";
import type { Encryption } from "../../wire/certificate.ts";
import { explainImapFailure } from "../../wire/imap/failures.ts";
import type { ImapFacts } from "../../wire/imap/probe.ts";
import { formatProblem, problemOfSocket } from "../../wire/problems.ts";
import type { SmtpFacts } from "../../wire/smtp/probe.ts";
import { advice, type Finding, fault, ok } from "./finding.ts";

const DAY_MS = 86_400_000;
/** Automatic renewal happens a month before expiry. A certificate with only two weeks left was probably forgotten. */
const RENEW_DAYS = 14;
const FULL_PERCENT = 90;
const MIB = 1024 * 1024;
/** Messages with one or two photographs are often larger. */
const SMALL_BYTES = 10 * MIB;

export interface ServerCheck {
  accounts: Pick<Accounts, "connection">;
  /** PEM text of additional certificate authorities. */
  ca: string | null;
  /** ms since 1970. */
  now: number;
}

/** Reports the stored status of a mailbox, without connecting to its servers. */
export function accountFinding({ email, provider, status, last_error }: Account): Finding {
  const check = `mailbox ${email}`;
  if (provider === "imported") return ok(check, "Imported from files. This is the only copy of its mail.");
  const works = status === "active" || status === "paused" || status === "connecting";
  return works ? ok(check, last_error ?? status) : fault(check, last_error ?? status);
}

/** Logs in to both servers of a mailbox, at the same time. Never rejects. */
export async function serverFindings(account: Account, { accounts, ca, now }: ServerCheck): Promise<Finding[]> {
  const connection = accounts.connection(account);
  if (!connection) return [];
  const { imap, smtp, oauth } = connection;
  if (oauth) {
    const check = hostPort(imap);
    return [
      ok(check, "Signed in at the provider. Only the server uses the access token, so this check does not log in."),
    ];
  }
  const found = await Promise.all([
    imapFindings(imap, connection, ca, now),
    smtp ? smtpFindings(smtp, connection, ca, now) : [],
  ]);
  return found.flat();
}

type Credentials = Pick<Connection, "username" | "password">;

async function imapFindings(
  server: ServerAddress,
  { username, password }: Credentials,
  ca: string | null,
  now: number,
) {
  const login = { ...server, username, password };
  const check = `IMAP ${hostPort(server)}`;
  const unknown = await nameFault(check, server.host);
  if (unknown) return [unknown];
  // The mail clients are large, and the diagnosis without servers runs every few minutes.
  const { probeImap } = await import("../../wire/imap/probe.ts");
  try {
    return imapReport(check, server, await probeImap(login, ca), now);
  } catch (error) {
    return [fault(check, formatProblem(explainImapFailure(error, login).problem))];
  }
}

async function smtpFindings(
  server: ServerAddress,
  { username, password }: Credentials,
  ca: string | null,
  now: number,
) {
  const check = `SMTP ${hostPort(server)}`;
  const unknown = await nameFault(check, server.host);
  if (unknown) return [unknown];
  const { probeSmtp } = await import("../../wire/smtp/probe.ts");
  const { SmtpFailure } = await import("../../wire/smtp/verify.ts");
  try {
    return smtpReport(check, server, await probeSmtp({ ...server, username, password }, ca), now);
  } catch (error) {
    return [fault(check, formatProblem(error instanceof SmtpFailure ? error.problem : problemOfSocket(error)))];
  }
}

/** Checks the DNS name first, because every other check fails without it. */
async function nameFault(check: string, host: string): Promise<Finding | null> {
  if (isIP(host) !== 0) return null;
  try {
    await lookup(host);
    return null;
  } catch (error) {
    return fault(check, formatProblem(problemOfSocket(error)));
  }
}

/** Extensions that matter to Postroom, and the effect when they are missing. */
const WANTED: readonly (readonly [name: string, without: string])[] = [
  ["IDLE", "new mail arrives only at the next poll (mail.poll_seconds)"],
  ["CONDSTORE", "every sync compares all flags, which takes time in large folders"],
  ["UIDPLUS", "copied and moved messages are recognized by their Message-ID"],
];
const NAMED = ["IDLE", "CONDSTORE", "QRESYNC", "MOVE", "UIDPLUS", "SPECIAL-USE", "X-GM-EXT-1"];

/** Returns the findings about an IMAP server from what a login revealed. @param now ms */
export function imapReport(check: string, server: ServerAddress, facts: ImapFacts, now: number): Finding[] {
  const { capabilities, quota, encryption } = facts;
  const append = capabilities.find((name) => name.startsWith("APPENDLIMIT="))?.split("=")[1];
  const parts = [
    encryptionWords(encryption),
    "login accepted",
    NAMED.filter((name) => capabilities.includes(name)).join(" "),
    ...(append ? [`messages up to ${mebibytes(Number(append))}`] : []),
    ...(quota ? [`${mebibytes(quota.used)} of ${mebibytes(quota.limit)} used`] : []),
  ];
  const percent = quota ? Math.floor((quota.used / quota.limit) * 100) : 0;
  return [
    ok(check, parts.filter((part) => part !== "").join("; ")),
    ...transportFindings(check, server, encryption, now),
    ...WANTED.filter(([name]) => !capabilities.includes(name)).map(([name, without]) =>
      advice(check, `The server does not support ${name}: ${without}.`),
    ),
    ...(percent >= FULL_PERCENT
      ? [advice(check, `The mailbox is ${percent}% full. A full mailbox rejects new mail.`)]
      : []),
  ];
}

const SMTP_NAMED = ["PIPELINING", "8BITMIME", "SMTPUTF8", "DSN", "CHUNKING"];

/** Returns the findings about an SMTP server from what a login revealed. @param now ms */
export function smtpReport(check: string, server: ServerAddress, facts: SmtpFacts, now: number): Finding[] {
  const { extensions, largestBytes, encryption } = facts;
  const limit = largestBytes === null ? "no size limit announced" : `messages up to ${mebibytes(largestBytes)}`;
  const names = SMTP_NAMED.filter((name) => extensions.has(name)).join(" ");
  const parts = [encryptionWords(encryption), "login accepted", limit, names].filter((part) => part !== "");
  const small = largestBytes !== null && largestBytes < SMALL_BYTES;
  return [
    ok(check, parts.join("; ")),
    ...transportFindings(check, server, encryption, now),
    ...(small
      ? [advice(check, `The server rejects messages above ${mebibytes(largestBytes)}. Many attachments are larger.`)]
      : []),
  ];
}

function transportFindings(
  check: string,
  { host, security }: ServerAddress,
  encryption: Encryption | null,
  now: number,
): Finding[] {
  if (security === "none" && !/^(127\.|localhost$|::1$)/.test(host)) {
    return [advice(check, "Without TLS, the password is sent over the network unencrypted. Use tls or starttls.")];
  }
  const until = encryption?.certificateUntil ?? null;
  if (until === null || until - now >= RENEW_DAYS * DAY_MS) return [];
  const days = Math.max(0, Math.floor((until - now) / DAY_MS));
  return [
    advice(
      check,
      `The certificate expires in ${days === 1 ? "1 day" : `${days} days`}. Postroom refuses expired certificates.`,
    ),
  ];
}

function encryptionWords(encryption: Encryption | null): string {
  if (!encryption) return "not encrypted";
  const { protocol, certificateUntil } = encryption;
  const until =
    certificateUntil === null ? "" : `, certificate until ${new Date(certificateUntil).toISOString().slice(0, 10)}`;
  return `${protocol.replace("TLSv", "TLS ")}${until}`;
}

function mebibytes(bytes: number): string {
  return bytes >= 1024 * MIB ? `${(bytes / MIB / 1024).toFixed(1)} GiB` : `${Math.round(bytes / MIB)} MiB`;
}
