import { expect, test } from "bun:test";
import type { ImapFacts } from "../../wire/imap/probe.ts";
import type { SmtpFacts } from "../../wire/smtp/probe.ts";
import { imapReport, serverFindings, smtpReport } from "./servers.ts";

const NOW = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const SERVER = { host: "mail.example.org", port: 993, security: "tls" } as const;
const ENCRYPTION = { protocol: "TLSv1.3", certificateUntil: NOW + 40 * DAY_MS };
const IMAP: ImapFacts = {
  encryption: ENCRYPTION,
  capabilities: ["IDLE", "CONDSTORE", "QRESYNC", "UIDPLUS", `APPENDLIMIT=${35 * MIB}`],
  quota: { used: 2 * 1024 * MIB, limit: 15 * 1024 * MIB },
};
const SMTP: SmtpFacts = {
  encryption: ENCRYPTION,
  extensions: new Map([["PIPELINING", ""]]),
  largestBytes: 35 * MIB,
};
const results = (findings: { result: string; detail: string }[]) =>
  findings.map(({ result, detail }) => `${result}: ${detail}`);

test("the name of a check has brackets around an IPv6 address", async () => {
  const server = { host: "2001:db8::1", port: 993, security: "tls" } as const;
  const oauth = { provider: "google", refresh_token: "x" } as never;
  const connection = { imap: server, smtp: null, username: "ada", password: "", oauth };
  const found = await serverFindings({} as never, { accounts: { connection: () => connection }, ca: null, now: NOW });
  expect(found.map(({ check }) => check)).toEqual(["[2001:db8::1]:993"]);
});

test("a good server's capabilities and limits are one line", () => {
  expect(results(imapReport("IMAP", SERVER, IMAP, NOW))).toEqual([
    "ok: TLS 1.3, certificate until 2026-12-31; login accepted; IDLE CONDSTORE QRESYNC UIDPLUS; messages up to 35 MiB; 2.0 GiB of 15.0 GiB used",
  ]);
  expect(results(smtpReport("SMTP", SERVER, SMTP, NOW))).toEqual([
    "ok: TLS 1.3, certificate until 2026-12-31; login accepted; messages up to 35 MiB; PIPELINING",
  ]);
});

test("missing capabilities and expiring certificates are advised against, with the consequences", () => {
  const facts: ImapFacts = {
    encryption: { protocol: "TLSv1.2", certificateUntil: NOW + 1.5 * DAY_MS },
    capabilities: ["UIDPLUS"],
    quota: { used: 95 * MIB, limit: 100 * MIB },
  };
  expect(results(imapReport("IMAP", SERVER, facts, NOW)).slice(1)).toEqual([
    "advice: The certificate expires in 1 day. Postroom refuses expired certificates.",
    "advice: The server does not support IDLE: new mail arrives only at the next poll (mail.poll_seconds).",
    "advice: The server does not support CONDSTORE: every sync compares all flags, which takes time in large folders.",
    "advice: The mailbox is 95% full. A full mailbox rejects new mail.",
  ]);
  const small = { ...SMTP, largestBytes: 5 * MIB };
  expect(results(smtpReport("SMTP", SERVER, small, NOW)).slice(1)).toEqual([
    "advice: The server rejects messages above 5 MiB. Many attachments are larger.",
  ]);
});

test("a password in plaintext is advised against, except on this machine", () => {
  const clear = { ...SMTP, encryption: null };
  const findings = (host: string) => smtpReport("SMTP", { host, port: 25, security: "none" }, clear, NOW);
  expect(findings("mail.example.org").map(({ result }) => result)).toEqual(["ok", "advice"]);
  expect(findings("127.0.0.1").map(({ result }) => result)).toEqual(["ok"]);
});
