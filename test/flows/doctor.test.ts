import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { ensureOwner } from "../../src/app/first-start.ts";
import { encryptionFinding } from "../../src/features/diagnostics/disk-encryption.ts";
import type { ServerAddress } from "../../src/mailbox/accounts/tables.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, startDovecot } from "../support/dovecot.ts";
import { deadPort, startScriptedSmtp } from "../support/smtp-server.ts";

/**
 * `postroom doctor` against real servers, good and bad. docs/doctor.md shows the output and is compared with it; UPDATE_GOLDEN=1
 * updates the page.
 */
setDefaultTimeout(60_000);

const ROOT = resolve(import.meta.dir, "../..");
const PAGE = join(ROOT, "docs/doctor.md");
const folder = mkdtempSync(join(tmpdir(), "postroom-doctor-"));
const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

interface Mailbox {
  email: string;
  imap: ServerAddress;
  smtp: ServerAddress;
  username: string;
  password: string;
}

/** The finding about the machine's disk when no encryption is found. */
const ENCRYPTION = encryptionFinding("", { database: false, copies: [], keyOnDisk: true }, "plain").detail;

/** Creates a data folder with one mailbox that is not synchronized yet. */
function install(name: string, { email, ...connection }: Mailbox): string {
  const data_dir = join(folder, name);
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock });
  ensureOwner(platform);
  const user_id = platform.users.list()[0]!.id;
  createMailbox(platform).accounts.add({ user_id, provider: "imap", email, connection });
  platform.close();
  return data_dir;
}

interface Examined {
  code: number;
  findings: { check: string; result: string; detail: string }[];
  text: string;
}

async function doctor(data_dir: string, ca_file: string): Promise<Examined> {
  const run = async (...more: string[]) => {
    const env = { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_MAIL_CA_FILE: ca_file };
    const args = [join(ROOT, "src/main.ts"), "doctor", "--data", data_dir, ...more];
    const child = Bun.spawn([process.execPath, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect(err).toBe("");
    return { code: await child.exited, out };
  };
  const json = await run("--json");
  const text = await run();
  expect(text.code).toBe(json.code);
  return { code: text.code, findings: JSON.parse(json.out), text: text.out };
}

/** Replaces what differs between machines and days, without changing the column widths. */
function alike(text: string, ports: Record<string, number>): string {
  let same = text;
  for (const [shown, port] of Object.entries(ports)) same = same.replaceAll(`:${port}`, `:${shown}`);
  return same
    .split("\n")
    .filter((line) => !/^user +advice/.test(line))
    .join("\n")
    .replace(/\d+ MiB free.*/, "48213 MiB free in the data folder.")
    .replace(/^(disk space +)\w+ */m, "$1ok      ")
    .replace(/^(disk encryption +)\w+ .*/m, `$1advice  ${ENCRYPTION}`)
    .replace(/^(language model +)\w+ .*/m, "$1ok      None, so the built-in engine answers. 8 GB are free: …")
    .replace(/certificate until \d{4}-\d\d-\d\d/g, "certificate until 2027-01-15")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC.*/, "2026-12-16 09:30 UTC, with no sign of a wrong clock")
    .trimEnd();
}

/** Compares a listing of docs/doctor.md, the one under this heading. */
async function expectInPage(heading: string, text: string): Promise<void> {
  const page = readFileSync(PAGE, "utf8");
  const block = new RegExp(`(## ${heading}\n[^#]*?\`\`\`text\n)([^\`]*)(\`\`\`)`);
  if (process.env.UPDATE_GOLDEN === "1")
    await Bun.write(PAGE, page.replace(block, `$1${text.replaceAll("$", "$$$$")}\n$3`));
  expect(block.exec(readFileSync(PAGE, "utf8"))?.[2]?.trimEnd()).toBe(text);
}

const server = (port: number, security: ServerAddress["security"]): ServerAddress => ({
  host: "127.0.0.1",
  port,
  security,
});
const listen = (one: Server) =>
  new Promise<number>((done) => one.listen(0, "127.0.0.1", () => done((one.address() as { port: number }).port)));

test.skipIf(!DOVECOT || !OPENSSL)("a good server is reported with its features and limits", async () => {
  const dovecot = await startDovecot();
  cleanups.push(() => dovecot.stop());
  const authority = createAuthority();
  cleanups.push(() => authority.remove());
  const tls = { cert: join(folder, "good.crt"), key: join(folder, "good.key") };
  const issued = authority.issue(["127.0.0.1"]);
  writeFileSync(tls.cert, issued.cert);
  writeFileSync(tls.key, issued.key);
  const smtp = await startScriptedSmtp({ tls, implicit: true });
  smtp.offers = ["PIPELINING", "SIZE 36700160", "8BITMIME", "SMTPUTF8", "DSN", "AUTH PLAIN LOGIN"];
  cleanups.push(() => smtp.stop());
  const ca_file = join(folder, "both.pem");
  writeFileSync(ca_file, dovecot.ca + authority.ca);
  const data = install("good", {
    email: "alice@mail.test",
    imap: server(dovecot.imapsPort, "tls"),
    smtp: server(smtp.port, "tls"),
    ...dovecot.logins.alice,
  });
  const { code, findings, text } = await doctor(data, ca_file);
  const of = (start: string) => findings.filter(({ check }) => check.startsWith(start));
  expect(of("IMAP")).toMatchObject([
    { result: "ok", detail: expect.stringMatching(/^TLS 1\.[23], certificate until .*IDLE CONDSTORE QRESYNC/) },
  ]);
  expect(of("SMTP")).toMatchObject([{ result: "ok", detail: expect.stringContaining("messages up to 35 MiB") }]);
  expect(code).toBe(0);
  await expectInPage("A good server", alike(text, { 10993: dovecot.imapsPort, 10465: smtp.port }));
});

test("a broken server, with another service on the IMAP port and none on the SMTP port, is reported", async () => {
  const web = createServer((socket) => {
    socket.on("error", () => {});
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });
  const port = await listen(web);
  cleanups.push(() => web.close());
  const closedPort = await deadPort();
  const login = { username: "bob@broken.example", password: "bob-secret-pw" };
  const data = install("broken", {
    email: login.username,
    imap: server(port, "tls"),
    smtp: server(closedPort, "tls"),
    ...login,
  });
  const { code, findings, text } = await doctor(data, "");
  expect(findings.filter(({ result }) => result === "FAULT").map(({ check }) => check.split(" ")[0])).toEqual([
    "IMAP",
    "SMTP",
  ]);
  expect(code).toBe(1);
  expect(text).not.toContain(login.password);
  await expectInPage("A broken server", alike(text, { 10993: port, 10465: closedPort }));
});

test.skipIf(!OPENSSL)("an expired certificate is reported, and nothing is sent to that server", async () => {
  const authority = createAuthority();
  cleanups.push(() => authority.remove());
  let received = 0;
  const old = createTlsServer(authority.issue(["127.0.0.1"], -1), (socket) => {
    socket.on("error", () => {});
    socket.on("data", () => received++);
    socket.write("* OK ready\r\n");
  });
  old.on("tlsClientError", () => {});
  const port = await listen(old);
  cleanups.push(() => old.close());
  const login = { username: "carol@old.example", password: "carol-secret-pw" };
  const data = install("expired", {
    email: login.username,
    imap: server(port, "tls"),
    smtp: server(port, "tls"),
    ...login,
  });
  const { code, findings, text } = await doctor(data, authority.ca_file);
  const faults = findings.filter(({ result }) => result === "FAULT");
  expect(faults.map(({ check }) => check.split(" ")[0])).toEqual(["IMAP", "SMTP"]);
  for (const { detail } of faults) expect(detail).toContain("certificate has expired");
  expect(code).toBe(1);
  expect(received).toBe(0);
  await expectInPage("An expired certificate", alike(text, { 10993: port }));
});
