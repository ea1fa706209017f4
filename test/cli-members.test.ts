import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { buildProgram } from "../src/cli/program.ts";
import { systemClock } from "../src/platform/clock.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { openPlatform } from "../src/platform/platform.ts";

/** Commands about people, run in this process: what they print, and what they change in a separate data folder. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-cli-members-"));
const data = join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the output of the command @throws the error of the command */
async function answerOf(args: string): Promise<string> {
  const lines: string[] = [];
  const print = spyOn(console, "log").mockImplementation((line: unknown) => void lines.push(String(line)));
  try {
    await (await buildProgram()).parseAsync([...args.split(" "), "--data", data], { from: "user" });
  } finally {
    print.mockRestore();
  }
  return lines.join("\n");
}

const complaintOf = (args: string): Promise<string> =>
  answerOf(args).then(
    (out) => `no complaint, but: ${out}`,
    (error: Error) => error.message,
  );

// Without sandboxes, because filling them takes seconds.
beforeAll(() => {
  const platform = openPlatform({ config: loadConfig({ data_dir: data, env: {} }), clock: systemClock });
  for (const [email, role] of [
    ["ada@example.org", "owner"],
    ["bo@example.org", "member"],
    ["eve@example.org", "member"],
  ] as const) {
    platform.users.add({ email, plan: "pro", role, timezone: "UTC" });
  }
  platform.close();
});

describe("a team", () => {
  test("is created, joined with the person's consent, listed and left", async () => {
    expect(await answerOf("team create Works")).toStartWith("Created the team Works (tea_");
    expect(await complaintOf("team create works")).toContain("There is already a team works");
    expect(await complaintOf("team accept Works bo@example.org")).toContain("has no invitation");
    await answerOf("team add Works bo@example.org");
    expect(JSON.parse(await answerOf("team list --json"))).toMatchObject([
      { team: "Works", member: "bo@example.org", state: "invited", seats: 0 },
    ]);
    await answerOf("team accept Works bo@example.org");
    const bo = async () => JSON.parse(await answerOf("user list --json"))[1];
    expect(await bo()).toMatchObject({ email: "bo@example.org", plan: "team" });
    await answerOf("team leave Works bo@example.org");
    expect((await bo()).plan).toBe("pro");
    expect(await complaintOf("team leave Works bo@example.org")).toContain("is not in Works");
    expect(await complaintOf("team add Nobodies bo@example.org")).toContain("There is no team Nobodies");
    expect(await complaintOf("team add Works nobody@example.org")).toContain("There is no user nobody@example.org");
  }, 30_000);

  test("has keys, which are created for it and listed with it", async () => {
    expect(await answerOf("key create --team Works --name crm --scopes mail:read")).toMatch(/^service_live_\w{43}$/);
    expect(await complaintOf("key create --name x --scopes all")).toContain("either --user or --team");
    expect(JSON.parse(await answerOf("key list --json"))).toMatchObject([
      { user: null, team: "Works", name: "crm", revoked_at: null },
    ]);
    const bad = await complaintOf("key create --user ada@example.org --name x --scopes all --allow-ip home");
    expect(bad).toContain("home is neither an address nor a network");
  }, 30_000);
});

describe("a person", () => {
  test("is moved to another plan, invited with a link, and exported", async () => {
    await answerOf("user plan bo@example.org autopilot");
    expect(await complaintOf("user plan bo@example.org team")).toContain("one of free, pro, autopilot");
    expect(await answerOf("user invite bo@example.org")).toMatch(
      /^http:\/\/localhost:8025\/app\/#invitation=[\w-]{43}$/,
    );
    const file = join(folder, "bo.zip");
    await answerOf(`user export bo@example.org ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(unzipSync(readFileSync(file))["user.json"]!).toString()).toContain("bo@example.org");
    expect(await complaintOf(`user export bo@example.org ${file}`)).toContain("already exists");
  }, 30_000);

  test("is erased without a server, and the owner cannot be erased", async () => {
    expect(await answerOf("user remove eve@example.org")).toContain("Removed eve@example.org");
    expect(await answerOf("user list")).not.toContain("eve@");
    expect(statSync(join(data, "postroom.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    expect(await complaintOf("user remove ada@example.org")).toContain("The owner cannot be removed");
  }, 30_000);
});

describe("with a running server", () => {
  let server: Bun.Subprocess<"ignore", "ignore", "pipe">;
  let url = "";

  beforeAll(async () => {
    server = Bun.spawn([process.execPath, MAIN, "serve", "--port", "0", "--data", data], {
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH ?? "" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const reader = server.stderr.getReader();
    const decoder = new TextDecoder();
    let log = "";
    while (!/listening.* port=\d+/.test(log)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the server did not start: ${log}`);
      log += decoder.decode(value, { stream: true });
    }
    url = `http://127.0.0.1:${/listening.* port=(\d+)/.exec(log)![1]}`;
    void (async () => {
      while (!(await reader.read()).done);
    })();
    while ((await complaintOf("status")).includes("No server is running")) await Bun.sleep(50);
  }, 120_000);
  afterAll(async () => {
    server?.kill("SIGKILL");
    await server?.exited;
  });

  test("status identifies the server", async () => {
    expect(JSON.parse(await answerOf("status --json"))).toMatchObject({
      pid: server.pid,
      url,
      backup: null,
      commit: "source",
    });
    expect(await answerOf("status")).toContain(url);
  }, 30_000);

  test("revoking a key ends its open stream at once", async () => {
    const made = JSON.parse(await answerOf("key create --user ada@example.org --name s --scopes all --json"));
    const headers = { Authorization: `Bearer ${made.key}`, Accept: "text/event-stream" };
    const stream = await fetch(`${url}/v1/events`, { headers });
    expect(stream.status).toBe(200);
    const ended = stream.text();
    await answerOf(`key revoke ${made.id}`);
    await ended;
  }, 30_000);

  test("the server performs a removal, and the command waits for it", async () => {
    expect(await answerOf("user remove bo@example.org")).toContain("Removed bo@example.org");
    expect(await answerOf("user list")).not.toContain("bo@");
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  }, 120_000);

  test("after the server is killed, status reports no server and commands still work", async () => {
    server.kill("SIGKILL");
    await server.exited;
    expect(await complaintOf("status")).toContain("No server is running");
    const made = JSON.parse(await answerOf("key create --user ada@example.org --name t --scopes all --json"));
    expect(await answerOf(`key revoke ${made.id}`)).toBe(`Revoked ${made.id}.`);
  }, 60_000);
});

test("a preset gives a key the scopes of its purpose", async () => {
  const row = async (preset: string) => {
    const made = JSON.parse(
      await answerOf(`key create --user ada@example.org --name ${preset} --preset ${preset} --json`),
    );
    return JSON.parse(await answerOf("key list --json")).find(({ id }: { id: string }) => id === made.id);
  };
  const readOnly = await row("read-only");
  expect(readOnly.tools_only).toBe(false);
  expect(readOnly.scopes).toContain("mail:read");
  expect(readOnly.scopes).not.toContain("write");
  expect(await row("assistant")).toMatchObject({ tools_only: true, scopes: expect.stringContaining("mail:send") });
  expect((await row("automation")).scopes).toContain("webhooks:manage");
  const neither = await complaintOf("key create --user ada@example.org --name x");
  expect(neither).toContain("with either --preset or --scopes");
  expect(await row("everything")).toMatchObject({ tools_only: false, scopes: "all" });
});
