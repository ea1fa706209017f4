import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { formatProblem } from "../problems.ts";
import { type SmtpFailure, type SmtpLogin, verifySmtp } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "postroom-smtp-"));
const opened: { close(): unknown }[] = [];
let pair: { key: string; cert: string };
let elsewhere: { key: string; cert: string };

beforeAll(() => {
  pair = certificate("DNS:localhost,IP:127.0.0.1");
  elsewhere = certificate("DNS:mail.elsewhere.test,IP:192.0.2.1");
});

function certificate(names: string): { key: string; cert: string } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost
     -addext subjectAltName=${names} -keyout ${key} -out ${cert}`.split(/\s+/),
    { stdio: "ignore" },
  );
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}

afterAll(() => {
  for (const server of opened) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a real SMTP server that accepts one login. @returns its port */
function smtpServer(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({
    ...pair,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === "ada" && password === "right horse" ? done(null, { user: "ada" }) : done(new Error("Bad login")),
    ...options,
  });
  server.on("error", () => {});
  opened.push(server);
  return new Promise((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => resolve((listener.address() as AddressInfo).port));
  });
}

const login = (port: number, more: Partial<SmtpLogin> = {}): SmtpLogin => ({
  host: "127.0.0.1",
  port,
  security: "starttls",
  username: "ada",
  password: "right horse",
  ...more,
});

const reasonOf = (attempt: Promise<void>) =>
  attempt.then(() => "logged in").catch((error: SmtpFailure) => formatProblem(error.problem));

describe("a login that works", () => {
  for (const host of ["127.0.0.1", "localhost"]) {
    test(`over STARTTLS at ${host}`, async () => {
      const port = await smtpServer();
      await verifySmtp(login(port, { host }), pair.cert);
    });
  }

  test("over TLS from the start", async () => {
    const port = await smtpServer({ secure: true });
    await verifySmtp(login(port, { security: "tls" }), pair.cert);
  });

  test("in plain text, where configured", async () => {
    const port = await smtpServer({ hideSTARTTLS: true, allowInsecureAuth: true });
    await verifySmtp(login(port, { security: "none" }), null);
  });

  test("at a relay that needs no login", async () => {
    const port = await smtpServer({ disabledCommands: ["AUTH"], hideSTARTTLS: true });
    await verifySmtp(login(port, { security: "none" }), null);
  });
});

describe("a login that fails reports the reason", () => {
  test("a refused password, which is not repeated", async () => {
    const port = await smtpServer();
    const reason = await reasonOf(verifySmtp(login(port, { password: "wrong battery" }), pair.cert));
    expect(reason).toStartWith("The server refused the username or password (it said: ");
    expect(reason).not.toContain("battery");
  });

  test("a certificate of an unknown authority", async () => {
    const port = await smtpServer();
    expect(await reasonOf(verifySmtp(login(port), null))).toContain("mail.ca_file");
    const tlsPort = await smtpServer({ secure: true });
    expect(await reasonOf(verifySmtp(login(tlsPort, { security: "tls" }), null))).toContain("mail.ca_file");
  });

  for (const host of ["127.0.0.1", "localhost"]) {
    for (const security of ["tls", "starttls"] as const) {
      test(`a certificate for another name than ${host}, ${security}`, async () => {
        const port = await smtpServer({ ...elsewhere, secure: security === "tls" });
        const attempt = verifySmtp(login(port, { security, host }), elsewhere.cert);
        expect(await reasonOf(attempt)).toContain("certificate is for another host name");
      });
    }
  }

  test("a server without STARTTLS gets no plain-text login", async () => {
    let tried = false;
    const port = await smtpServer({
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        tried = true;
        done(null, { user: "ada" });
      },
    });
    expect(await reasonOf(verifySmtp(login(port), pair.cert))).toContain("offers no STARTTLS");
    expect(tried).toBe(false);
  });

  test("TLS at a port that expects plain text", async () => {
    const port = await smtpServer();
    const reason = await reasonOf(verifySmtp(login(port, { security: "tls" }), pair.cert));
    expect(reason).toMatch(/tls|TLS/);
    expect(reason).not.toMatch(/the connection failed$/);
  });

  test("a closed port", async () => {
    const port = await new Promise<number>((resolve) => {
      const probe = createServer().listen(0, "127.0.0.1", () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
    });
    expect(await reasonOf(verifySmtp(login(port), null))).toStartWith("Nothing listens at this host and port.");
  });

  test("a server that hangs up", async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    opened.push(server);
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await reasonOf(verifySmtp(login(port), null))).toContain("cut the connection");
  });
});
