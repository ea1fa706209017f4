import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { SMTPServer } from "smtp-server";
import manifest from "../package.json" with { type: "json" };
import { buildProgram, pathOf } from "../src/cli/program.ts";
import { DOVECOT, type Dovecot, startDovecot } from "./support/dovecot.ts";

// Each test starts a separate process, which is slow on a busy machine.
setDefaultTimeout(180_000);

/** The command line as a shell sees it: child processes that share one data folder, at most two at a time. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-cli-"));
const data = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  code: number;
  out: string;
  err: string;
}

async function postroom(args: string, more: { input?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  const child = Bun.spawn([process.execPath, MAIN, ...args.split(" ").filter((word) => word !== "")], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: data, ...more.env },
    stdin: Buffer.from(more.input ?? ""),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** Runs a command that must succeed and print only its result. @returns the result */
async function answerOf(args: string, more: Parameters<typeof postroom>[1] = {}): Promise<string> {
  const { code, out, err } = await postroom(args, more);
  expect({ args, code, err }).toEqual({ args, code: 0, err: "" });
  return out;
}

/** Runs a command that must fail with one line. @returns the line, without the name of the program */
async function complaintOf(args: string, more: Parameters<typeof postroom>[1] = {}, code = 1): Promise<string> {
  const ran = await postroom(args, more);
  expect({ args, code: ran.code, out: ran.out }).toEqual({ args, code, out: "" });
  expect(ran.err).toMatch(/^postroom: [^\n]+\n$/);
  return ran.err.slice("postroom: ".length).trim();
}

// Adding a person fills a sandbox mailbox, which takes seconds, so all tests share one.
beforeAll(async () => {
  await postroom("user add ada@example.org");
}, 180_000);

describe("help", () => {
  const all = (subject: Command): Command[] => [subject, ...subject.commands.flatMap(all)];

  test("every command shows examples, and each example is an existing command", async () => {
    const program = await buildProgram();
    const leaves = all(program).filter((subject) => subject.commands.length === 0);
    const known = leaves.map(pathOf);
    for (const leaf of leaves) {
      let text = "";
      leaf.configureOutput({ writeOut: (part) => (text += part) });
      leaf.outputHelp();
      const examples = text.split(/Examples?:\n/)[1] ?? "";
      expect({ command: pathOf(leaf), examples }).toMatchObject({ examples: expect.stringContaining(pathOf(leaf)) });
      for (const [line] of examples.matchAll(/(?<![/\w.])postroom [^\n]*/g)) {
        expect(known.some((path) => line === path || line.startsWith(`${path} `))).toBe(true);
      }
    }
  });

  test("is printed to standard output with exit code 0", async () => {
    expect(await answerOf("account add --help")).toContain("--password-stdin");
  });

  test("version", async () => {
    const [command, option] = await Promise.all([answerOf("version"), answerOf("--version")]);
    expect(command).toBe(`postroom ${manifest.version} (source)\n`);
    expect(option).toBe(command);
  });
});

describe("invalid usage ends with code 2 and one line", () => {
  test.each([
    ["acount list", "unknown command 'acount' (Did you mean account?). Try 'postroom --help'."],
    ["account add", "required option '--user <email>' not specified. Try 'postroom account add --help'."],
    ["key revoke", "missing required argument 'id'. Try 'postroom key revoke --help'."],
    [
      "account add --imap-security ssl",
      "option '--imap-security <kind>' argument 'ssl' is invalid. Allowed choices are tls, starttls, none. Try 'postroom account add --help'.",
    ],
    ["user list --jsn", "unknown option '--jsn' (Did you mean --json?). Try 'postroom user list --help'."],
  ])("%s", async (args, words) => {
    expect(await complaintOf(args, {}, 2)).toBe(words);
  });

  test("a group without a command lists its commands", async () => {
    const { code, err } = await postroom("account");
    expect([code, err.includes("Commands:")]).toEqual([2, true]);
  });
});

describe("a user error ends with code 1 and one line that says what to do", () => {
  test.each([
    ["user add nobody", "nobody is not an email address. Use the form you@example.org."],
    ["user add ada@example.org", "There is already a user ada@example.org."],
    ["user add bo@example.org --plan gold", "--plan must be one of free, pro, autopilot, team."],
    ["key create --user ada@example.org --name x --scopes mail:red", "mail:red is not a scope."],
    ["key create --user ada@example.org --name x --preset assistant --scopes all", "with either --preset or --scopes"],
    ["key create --user bo@example.org --name x --scopes all", "There is no user bo@example.org."],
    ["key create --user ada@example.org --name x --scopes all --expires soon", "--expires must be a period"],
    ["account pause acc_none", "There is no account acc_none."],
    ["user remove ada@example.org", "The owner cannot be removed."],
    ["serve --port 0 --host no.such.host.invalid", "no.such.host.invalid is not an address to listen on"],
    ["serve --port 0 --host 999.1.1.1", "999.1.1.1 is not an address to listen on"],
    ["serve --port 0 --host ::zz", "::zz is not an address to listen on"],
    ["serve --port 0 --host x..y", "x..y is not an address to listen on"],
    ["serve --port 0 --host /tmp/socket", "/tmp/socket is not an address to listen on"],
    ["serve --port 0 --host http://x", "http://x is not an address to listen on"],
    ["serve --port 0 --host é.invalid", "é.invalid is not an address to listen on"],
    ["serve --port 0 --host 127.0.0.1:80", "127.0.0.1:80 is not an address to listen on"],
    ["serve --port 0 --host *", "* is not an address to listen on"],
    ["serve --port 0 --host=", "An empty name is not an address to listen on"],
    ["serve --port 0 --host 203.0.113.7", "does not have the address to listen on"],
    ["serve --port 99999", "http.port (POSTROOM_HTTP_PORT) must be a whole number from 0 to 65535."],
    ["user list --config none.toml", "The configuration file none.toml does not exist."],
    ["health --port 1", "No server is ready at 127.0.0.1:1."],
    ["health --port 1 --host ::", "No server is ready at [::1]:1."],
  ])("%s", async (args, words) => {
    expect(await complaintOf(args)).toContain(words);
  });

  test("a wrong master key is reported but not shown", async () => {
    const key = "ab".repeat(32);
    const words = await complaintOf("user list", { env: { POSTROOM_MASTER_KEY: key } });
    expect(words).toContain("Wrong master key");
    expect(words).not.toContain(key);
  });

  test.each(["user list", "key list", "account list", "key-rotate"])(
    "%s with a misspelled data folder does not create one",
    async (args) => {
      expect(await complaintOf(`${args} --data ${folder}/mistyped`)).toContain("contains no Postroom data");
      expect(existsSync(join(folder, "mistyped"))).toBe(false);
    },
  );

  test("a data folder that cannot be created is reported", async () => {
    writeFileSync(join(folder, "a-file"), "");
    expect(await complaintOf(`user add eve@example.org --data ${folder}/a-file`)).toContain("a-file");
  });
});

describe("people and keys", () => {
  test("a key is printed without other text, listed without its secret, and revoked", async () => {
    const secret = (
      await answerOf("key create --user ada@example.org --name laptop --scopes mail:read,search:read")
    ).trim();
    expect(secret).toMatch(/^service_live_[0-9A-Za-z]{43}$/);
    const [key] = JSON.parse(await answerOf("key list --json"));
    expect(key).toMatchObject({
      user: "ada@example.org",
      name: "laptop",
      scopes: "mail:read,search:read",
      revoked_at: null,
    });
    const table = await answerOf("key list");
    expect(table).toContain(secret.slice(0, 17));
    expect(table).not.toContain(secret);
    expect(await answerOf(`key revoke ${key.id}`)).toBe(`Revoked ${key.id}.\n`);
    expect(await complaintOf(`key revoke ${key.id}`)).toContain("no active key");
  });

  test("a key for the tool server only is listed as such, and can be revoked", async () => {
    const made = JSON.parse(
      await answerOf("key create --user ada@example.org --name claude --scopes mail:send --tools-only --json"),
    );
    const row = async () =>
      JSON.parse(await answerOf("key list --json")).find(({ id }: { id: string }) => id === made.id);
    expect(await row()).toMatchObject({ name: "claude", tools_only: true, revoked_at: null });
    await answerOf(`key revoke ${made.id}`);
    expect((await row()).revoked_at).toBeString();
  });

  test("--json prints JSON instead of a table", async () => {
    const [owner] = JSON.parse(await answerOf("user list --json"));
    expect(owner).toMatchObject({ email: "ada@example.org", role: "owner", plan: "autopilot", timezone: "UTC" });
    expect(JSON.parse(await answerOf("account list --json"))).toEqual([]);
    const empty = await postroom("account list");
    expect(empty).toMatchObject({ code: 0, out: "", err: expect.stringContaining("postroom account add") });
  });
});

describe("doctor", () => {
  test("reports its findings, among them that the key is stored with the data", async () => {
    const findings = JSON.parse(await answerOf("doctor --json"));
    const result = (check: string) => findings.find((finding: { check: string }) => finding.check === check)?.result;
    expect(["database", "data folder", "configuration", "master key"].map(result)).toEqual([
      "ok",
      "ok",
      "ok",
      "advice",
    ]);
    expect(["ok", "advice"]).toContain(result("disk space"));
  }, 180_000);

  test("a failed check is a finding and code 1, and does not stop the other checks", async () => {
    const env = { POSTROOM_MASTER_PASSPHRASE: "not set up", POSTROOM_HTTP_PORT: "many" };
    const { code, out, err } = await postroom("doctor", { env });
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatch(/^configuration +FAULT +.*http\.port/m);
  }, 180_000);
});

describe("while a server runs on the folder", () => {
  let server: Bun.Subprocess<"ignore", "pipe", "pipe">;
  let port = 0;

  beforeAll(async () => {
    server = Bun.spawn([process.execPath, MAIN, "serve", "--port", "0"], {
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: data },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let log = "";
    const decoder = new TextDecoder();
    for await (const part of server.stderr) {
      log += decoder.decode(part, { stream: true });
      port = Number(/listening.* port=(\d+)/.exec(log)?.[1] ?? 0);
      if (port > 0) break;
    }
    if (port === 0) throw new Error(`the server did not start: ${log}`);
  }, 180_000);
  afterAll(() => server?.kill("SIGKILL"));

  test("it is healthy, and a key created in the meantime works at once and stops working when revoked", async () => {
    expect(await answerOf(`health --port ${port}`)).toBe("ready\n");
    const made = JSON.parse(await answerOf("key create --user ada@example.org --name beside --scopes all --json"));
    const ask = () => fetch(`http://127.0.0.1:${port}/v1/usage`, { headers: { Authorization: `Bearer ${made.key}` } });
    expect((await ask()).status).toBe(200);
    await answerOf(`key revoke ${made.id}`);
    expect((await ask()).status).toBe(401);
  }, 180_000);

  test("a second server and a new master key are refused", async () => {
    expect(await complaintOf("serve --port 0")).toContain("already serving this data folder");
    expect(await complaintOf("key-rotate")).toContain("Stop it first");
  }, 180_000);

  test("a port in use is reported", async () => {
    expect(await complaintOf(`serve --data ${folder}/other --port ${port}`)).toContain(
      "choose another port with --port",
    );
  }, 120_000);

  test("SIGTERM ends it with code 0", async () => {
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  }, 180_000);
});

describe("key-rotate", () => {
  const passphraseFile = join(folder, "passphrase.txt");

  test("moves the key out of the folder, protects it with a passphrase, and moves it back", async () => {
    const outside = join(folder, "outside.key");
    expect(await answerOf(`key-rotate --to-key-file ${outside}`)).toContain("POSTROOM_MASTER_KEY_FILE");
    expect(statSync(outside).mode & 0o777).toBe(0o600);
    expect(await complaintOf("user list")).toContain("set POSTROOM_MASTER_KEY_FILE");
    const given = { env: { POSTROOM_MASTER_KEY_FILE: outside } };
    expect(await answerOf("user list", given)).toContain("ada@example.org");
    expect(await complaintOf("key-rotate", given)).toContain("--to-data-folder");
    expect(await complaintOf(`key-rotate --to-key-file ${outside}`, given)).toContain(
      "already contains the master key",
    );

    writeFileSync(passphraseFile, "correct horse\n");
    await answerOf(`key-rotate --to-passphrase-file ${passphraseFile}`, given);
    expect(await complaintOf("user list")).toContain("protected by a passphrase");
    const known = { env: { POSTROOM_MASTER_PASSPHRASE_FILE: passphraseFile } };
    expect(await answerOf("user list", known)).toContain("ada@example.org");

    await answerOf("key-rotate --to-data-folder", known);
    expect(await answerOf("user list")).toContain("ada@example.org");
  }, 180_000);
});

if (!DOVECOT) console.info("skipped: account commands (Debian's dovecot-imapd is not installed)");

describe.skipIf(!DOVECOT)("account", () => {
  let dovecot: Dovecot;
  let smtp: SMTPServer;
  let smtpPort = 0;

  beforeAll(async () => {
    dovecot = await startDovecot();
    smtp = new SMTPServer({
      logger: false,
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === dovecot.logins.alice.password ? done(null, { user: username }) : done(new Error("Bad login")),
    });
    smtp.on("error", () => {});
    await new Promise<void>((resolve) => {
      const listener = smtp.listen(0, "127.0.0.1", () => {
        smtpPort = (listener.address() as AddressInfo).port;
        resolve();
      });
    });
    mkdirSync(join(folder, "conf"));
    writeFileSync(join(folder, "conf", "postroom.toml"), `[mail]\nca_file = "${dovecot.caFile}"\n`);
  }, 180_000);
  afterAll(async () => {
    smtp?.close();
    await dovecot?.stop();
  });

  const add = (smtpAddress: string) =>
    `account add --user ada@example.org --email alice@mail.test --imap 127.0.0.1:${dovecot.imapPort} --imap-security starttls` +
    ` --smtp ${smtpAddress} --smtp-security none --username ${dovecot.logins.alice.username} --password-stdin` +
    ` --config ${folder}/conf/postroom.toml`;

  test("add fails with a reason that does not contain the password, when either login fails", async () => {
    const good = { input: `${dovecot.logins.alice.password}\n` };
    const refused = await complaintOf(add(`127.0.0.1:${smtpPort}`), { input: "wr0ng-pa55\n" });
    expect(refused).toContain("The server refused the username or password");
    expect(refused).not.toContain("wr0ng-pa55");
    expect(await complaintOf(add("127.0.0.1:1"), good)).toStartWith(
      "127.0.0.1:1 (SMTP): Nothing listens at this host and port. Check the port",
    );
    expect(await complaintOf(add("[::1]:1"), good)).toStartWith("[::1]:1 (SMTP): ");
    expect(await complaintOf(add("127.0.0.1"), good)).toContain("--smtp must be HOST:PORT");
    expect(await complaintOf(add(`127.0.0.1:${smtpPort}`), { input: "" })).toContain("No password");
    expect(JSON.parse(await answerOf("account list --json"))).toEqual([]);
  }, 30_000);

  test("discover finds the mail servers of an address", async () => {
    const found = JSON.parse(await answerOf("account discover ada@gmail.com --json"));
    expect(found).toMatchObject({ source: "provider", imap: { host: "imap.gmail.com", port: 993, security: "tls" } });
    expect(await answerOf("account discover ada@gmail.com")).toContain("--imap imap.gmail.com:993 --imap-security tls");
    expect(await complaintOf("account discover nobody")).toContain("is not an email address");
  }, 180_000);

  test("add, list, alias, pause, update, remove", async () => {
    const input = `${dovecot.logins.alice.password}\n`;
    const { id } = JSON.parse(await answerOf(`${add(`127.0.0.1:${smtpPort}`)} --json`, { input }));
    const listed = async () => JSON.parse(await answerOf("account list --json"));
    expect(await listed()).toMatchObject([
      {
        id,
        user: "ada@example.org",
        email: "alice@mail.test",
        provider: "imap",
        status: "connecting",
        phase: "waiting",
        primary: true,
      },
    ]);
    expect(await complaintOf(add(`127.0.0.1:${smtpPort}`), { input })).toContain("already connected");
    expect(await complaintOf(`account check ${id}`)).toContain("start 'postroom serve' first");
    await answerOf(`account alias ${id} Alice.B@MAIL.test`);
    expect((await listed())[0].aliases).toBe("Alice.B@mail.test");
    for (const [alias, why] of [
      ["nonsense", "is not an email address"],
      ["alice@mail.test", "own address"],
      ["x@mail.test --remove", "is not an alias"],
    ]) {
      expect(await complaintOf(`account alias ${id} ${alias}`)).toContain(why!);
    }
    await answerOf(`account alias ${id} alice.b@mail.test --remove`);
    expect((await listed())[0].aliases).toBe("");
    await answerOf(`account pause ${id}`);
    expect((await listed())[0].status).toBe("paused");
    const config = `--config ${folder}/conf/postroom.toml`;
    expect(await complaintOf(`account update ${id} --password-stdin ${config}`, { input: "wr0ng-pa55" })).toContain(
      "refused",
    );
    expect(await answerOf(`account update ${id} --password-stdin ${config}`, { input })).toBe(
      "Updated alice@mail.test.\n",
    );
    expect(await complaintOf(`account update ${id}`, { input })).toContain("--password-stdin");
    expect(await answerOf(`account remove ${id}`)).toContain("Nothing was changed on its server");
    expect(await listed()).toEqual([]);
    // The password is not on disk in plain text.
    expect(readFileSync(join(data, "postroom.db")).includes(dovecot.logins.alice.password)).toBe(false);
  }, 180_000);
});
