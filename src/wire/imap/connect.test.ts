import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { type ScriptServer, startScript } from "../../../test/support/imap-script.ts";
import { connectImap, type ImapLogin } from "./connect.ts";
import { explainImapFailure, type ImapFailure } from "./failures.ts";

describe.skipIf(!DOVECOT)("logging in to a mail server", () => {
  let dovecot: Dovecot;
  let ca: string;
  beforeAll(async () => {
    dovecot = await startDovecot();
    ca = readFileSync(dovecot.caFile, "utf8");
  });
  afterAll(() => dovecot?.stop());

  const login = (port: number, security: ImapLogin["security"], more: Partial<ImapLogin> = {}): ImapLogin => ({
    host: "127.0.0.1",
    port,
    security,
    ...dovecot.logins.alice,
    ...more,
  });
  /** Returns the message that the user sees. */
  const failure = async (given: ImapLogin, authority: string | null = ca): Promise<ImapFailure> => {
    try {
      (await connectImap(given, { ca: authority, socketTimeoutMs: 2_000 })).close();
    } catch (error) {
      return explainImapFailure(error);
    }
    throw new Error("The connection succeeded.");
  };
  const works = async (given: ImapLogin) => {
    const client = await connectImap(given, { ca });
    const { secureConnection, usable } = client;
    client.close();
    return { secure: secureConnection, usable };
  };

  test("works over TLS, over STARTTLS and in plain text", async () => {
    expect(await works(login(dovecot.imapsPort, "tls"))).toEqual({ secure: true, usable: true });
    expect(await works(login(dovecot.imapPort, "starttls"))).toEqual({ secure: true, usable: true });
    expect(await works(login(dovecot.imapPort, "none"))).toEqual({ secure: false, usable: true });
    expect(await works(login(dovecot.imapsPort, "tls", { host: "localhost" }))).toEqual({ secure: true, usable: true });
  });

  test("a wrong password has its own error, which does not repeat the password", async () => {
    for (const security of ["starttls", "none"] as const) {
      const failed = await failure(login(dovecot.imapPort, security, { password: "wr0ng-pa55" }));
      expect(failed.status).toBe("auth_failed");
      expect(failed.sentence).toStartWith("The server refused the username or password");
      expect(failed.sentence).not.toContain("wr0ng-pa55");
    }
  }, 20_000);

  test("a certificate of an unknown authority, or for another name, is refused over TLS and STARTTLS", async () => {
    // The same server under an address that its certificate does not name.
    const elsewhere = (port: number) => createServer((socket) => void socket.pipe(connect(port)).pipe(socket));
    for (const [port, security] of [
      [dovecot.imapsPort, "tls"],
      [dovecot.imapPort, "starttls"],
    ] as const) {
      const unknown = await failure(login(port, security), null);
      expect(unknown).toMatchObject({ status: "unreachable", sentence: expect.stringContaining("mail.ca_file") });
      const other = elsewhere(port);
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.2", resolve));
      const address = { host: "127.0.0.2", port: (other.address() as { port: number }).port };
      const { sentence } = await failure(login(port, security, address));
      other.close();
      expect(sentence).toStartWith("The server's certificate is for another host name.");
    }
  }, 20_000);

  test("a closed port, a port of another protocol, and a host that does not exist are reported", async () => {
    expect((await failure(login(1, "none"))).sentence).toStartWith("Nothing listens at this host and port.");
    expect((await failure(login(dovecot.imapPort, "tls"))).sentence).toMatch(/TLS|STARTTLS/);
    const lost = await failure(login(143, "none", { host: "nowhere.invalid" }));
    expect(lost.sentence).toMatch(/host name does not exist|could not be looked up/);
  }, 20_000);
});

describe("a server that misbehaves", () => {
  let script: ScriptServer;
  beforeAll(async () => {
    script = await startScript();
  });
  afterAll(() => script.close());
  const alice = { host: "127.0.0.1", username: "alice", password: "secret" };

  test("the password is not sent without STARTTLS", async () => {
    const refused = connectImap({ ...alice, port: script.port, security: "starttls" }, { ca: null });
    expect(explainImapFailure(await refused.catch((error) => error)).sentence).toContain("no STARTTLS");
    expect(script.commands.filter((line) => /LOGIN|AUTHENTICATE/.test(line))).toEqual([]);
  });

  test("a server that hangs up at once, and one that is silent after the greeting, are reported", async () => {
    const rude = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
    const { port } = rude.address() as { port: number };
    const cut = await connectImap({ ...alice, port, security: "none" }, { ca: null }).catch((error) => error);
    expect(explainImapFailure(cut)).toMatchObject({ status: "unreachable" });
    expect(explainImapFailure(cut).sentence).toMatch(/closed the connection|cut the connection/);
    rude.close();
    script.answer = () => "";
    const began = performance.now();
    const options = { ca: null, socketTimeoutMs: 200 };
    const quiet = await connectImap({ ...alice, port: script.port, security: "none" }, options).catch((error) => error);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(explainImapFailure(quiet)).toMatchObject({ status: "unreachable", problem: { code: "timeout" } });
  });
});
