import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { eventually } from "./support/eventually.ts";
import { killInside } from "./support/kill-inside.ts";

/**
 * The executable as a new user meets it: alone in an empty folder, with an empty HOME. Built once by the command that
 * users run. `test/minbase.sh` goes further, into a bare Debian without a network.
 */

const ROOT = resolve(import.meta.dir, "..");
const folder = mkdtempSync(join(tmpdir(), "postroom-executable-"));
const executable = join(folder, "bin", "postroom");
const home = join(folder, "home");
const empty = join(folder, "empty");

async function run(command: string[], cwd: string, env: Record<string, string>) {
  const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

const postroom = (...args: string[]) => run([executable, ...args], empty, { HOME: home, PATH: "/usr/bin:/bin" });

beforeAll(async () => {
  for (const path of [home, empty]) mkdirSync(path);
  const env = { ...process.env, PATH: process.env.PATH ?? "/usr/bin:/bin" } as Record<string, string>;
  const built = await run([join(ROOT, "dev"), "build", "--outfile", executable], ROOT, env);
  if (built.code !== 0) throw new Error(`./dev build failed:\n${built.stdout}${built.stderr}`);
}, 240_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("is one file of a downloadable size, with nothing beside it", () => {
  expect(readdirSync(join(folder, "bin"))).toEqual(["postroom"]);
  expect(statSync(executable).size).toBeLessThanOrEqual(220_000_000);
});

test("prints its version, and a command that needs no native library writes none to disk", async () => {
  const { code, stdout, stderr } = await postroom("version");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(manifest.version);
  expect(existsSync(join(empty, "data", "cache", "native"))).toBe(false);
});

test("doctor loads the embedded native libraries, on the first start and the next", async () => {
  for (const _start of ["first", "second"]) {
    const { stdout, stderr } = await postroom("doctor", "--data", "data");
    expect(stdout + stderr).toContain("Exact search of three vectors is correct");
    expect(stdout + stderr).toContain("A one-node model computes correctly");
  }
  const native = join(empty, "data", "cache", "native");
  const folders = readdirSync(native).map((name) => name.replace(/-[0-9a-f]{12}$/, ""));
  expect(folders.sort()).toEqual([
    `onnxruntime-${manifest.dependencies["onnxruntime-node"]}`,
    `usearch-${manifest.dependencies.usearch}`,
  ]);
  expect(statSync(native).mode & 0o777).toBe(0o700);
}, 60_000);

test("ignores files in the current folder that request code or settings", async () => {
  const folder = join(empty, "..", "planted");
  mkdirSync(folder);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./planted.ts"]\n');
  writeFileSync(join(folder, "planted.ts"), `require("node:fs").writeFileSync("ran", "");`);
  writeFileSync(join(folder, ".env"), "POSTROOM_OWNER_PLAN=none\n");
  const { stdout } = await run([executable, "doctor", "--data", "."], folder, { HOME: home, PATH: "/usr/bin:/bin" });
  expect(stdout).toContain("Every value is valid");
  expect(existsSync(join(folder, "ran"))).toBe(false);
}, 60_000);

/** Starts the server in a new data folder, until `work` is done. @param work gets the address and the log so far */
async function served(
  data: string,
  more: Record<string, string>,
  work: (url: string, log: () => string) => Promise<void>,
): Promise<void> {
  const env = { HOME: home, PATH: "/usr/bin:/bin", ...more };
  const command = [executable, "serve", "--data", data, "--port", "0"];
  const server = Bun.spawn(command, { cwd: empty, env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  let log = "";
  const decoder = new TextDecoder();
  const follow = (async () => {
    for await (const chunk of server.stderr) log += decoder.decode(chunk, { stream: true });
  })();
  try {
    await eventually(() => log.includes("sandbox mailbox ready"), 60_000);
    await work(`http://127.0.0.1:${/listening.* port=(\d+)/.exec(log)![1]}`, () => log);
  } finally {
    server.kill();
    await server.exited;
    await follow;
  }
}

test("searches by meaning with the embedded model, and makes a brief", async () => {
  await served("searched", {}, async (base) => {
    const key = ["key", "create", "--user", "owner@localhost", "--name", "t", "--scopes", "all", "--test"];
    const secret = (await postroom(...key, "--data", "searched")).stdout.trim();
    const url = `${base}/v1/search`;
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const body = JSON.stringify({ query: "when does my flight leave", mode: "semantic", limit: 5 });
    const found = await eventually(async () => {
      const answer = (await (await fetch(url, { method: "POST", headers, body })).json()) as {
        partial: boolean;
        data: { matched_by: string[] }[];
      };
      return answer.partial ? null : answer.data;
    }, 90_000);
    expect(found!.map(({ matched_by }) => matched_by)).toEqual(Array(5).fill(["semantic"]));
    // Runs in a separate worker, which must be in the file, too.
    const brief = await fetch(new URL("/v1/brief/generate", url), { method: "POST", headers, body: "{}" });
    expect(brief.status).toBe(200);
  });
}, 200_000);

test("connects an assistant: the bundler leaves the names under which tokens are stored", async () => {
  await served("connected", { POSTROOM_MCP_ENABLED: "true" }, async (base, log) => {
    const cookies = new Map<string, string>();
    const go = async (path: string, method = "GET", body?: object | URLSearchParams, more = {}) => {
      const isForm = body instanceof URLSearchParams;
      const response = await fetch(new URL(path, base), {
        method,
        redirect: "manual",
        headers: {
          Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
          ...(path.startsWith("/app/") && { "X-Postroom-App": "1" }),
          ...(body && !isForm && { "Content-Type": "application/json" }),
          ...more,
        },
        body: isForm ? body : body && JSON.stringify(body),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name, value] = cookie.split(";")[0]!.split(/=(.*)/s);
        cookies.set(name!, value!);
      }
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("application/json");
      return { status: response.status, location: response.headers.get("location"), json: isJson && JSON.parse(text) };
    };
    const password = "correct horse battery staple";
    const token = /setup\?token=([\w-]+)/.exec(log())![1]!;
    const owner = { token, email: "owner@example.org", password, timezone: "UTC", custody: "key_file" };
    expect((await go("/app/api/setup", "POST", owner)).status).toBe(200);
    const redirect_uri = "http://127.0.0.1:1/callback";
    const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" };
    const { client_id } = (await go("/oauth/register", "POST", metadata)).json;
    const verifier = "v".repeat(43);
    const query = new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const begun = await go(`/oauth/authorize?${query}`);
    const consent = `/app/api/assistants/consents/${/uid=(.*)/.exec(begun.location!)![1]}`;
    const { redirect_to } = (await go(`${consent}/approve`, "POST", { scopes: ["mail:read"] })).json;
    const code = new URL((await go(redirect_to)).location!).searchParams.get("code")!;
    const grant = (given: Record<string, string>) =>
      go("/oauth/token", "POST", new URLSearchParams({ client_id, ...given }));
    const exchange = { grant_type: "authorization_code", redirect_uri, code_verifier: verifier };
    const tokens = (await grant({ ...exchange, code })).json;
    const call = async (secret: string) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
      const headers = { Authorization: `Bearer ${secret}`, Accept: "application/json, text/event-stream" };
      return (await go("/mcp", "POST", message, headers)).status;
    };
    expect(await call(tokens.access_token)).toBe(200);
    // Each kind of token counts as that kind only.
    expect([await call(tokens.refresh_token), await call(code)]).toEqual([401, 401]);
    for (const secret of [code, tokens.access_token]) {
      expect((await grant({ grant_type: "refresh_token", refresh_token: secret })).json.error).toBe("invalid_grant");
    }
    const refreshed = (await grant({ grant_type: "refresh_token", refresh_token: tokens.refresh_token })).json;
    expect(await call(refreshed.access_token)).toBe(200);
    const reused = await grant({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
    expect([reused.status, await call(refreshed.access_token)]).toEqual([400, 401]);
    expect(log()).not.toContain("oidc-provider");
  });
}, 100_000);

/** Root may have separate mounts here, so a system can be made that has only the executable's libraries. */
const canIsolate =
  process.getuid?.() === 0 &&
  process.arch === "x64" &&
  Bun.spawnSync(["unshare", "--mount", "--pid", "--fork", "true"]).exitCode === 0;
if (!canIsolate) console.info("skipped: the executable in a system without a shell (needs root and unshare)");

test.skipIf(!canIsolate)(
  "runs with the C and C++ libraries, a user id and no shell (the container image)",
  async () => {
    const root = join(folder, "image");
    const libraries = [
      "ld-linux-x86-64.so.2",
      "libc.so.6",
      "libm.so.6",
      "libdl.so.2",
      "librt.so.1",
      "libpthread.so.0",
      "libstdc++.so.6",
      "libgcc_s.so.1",
    ];
    for (const path of ["lib64", "lib", "proc", "usr/local/bin", "data", "dev"])
      mkdirSync(join(root, path), { recursive: true });
    const known = Bun.spawnSync(["ldconfig", "-p"]).stdout.toString();
    for (const name of libraries) {
      const from = known
        .split("\n")
        .find((line) => line.trim().startsWith(`${name} `) && line.includes("x86-64"))
        ?.split("=> ")[1];
      copyFileSync(from!, join(root, name.startsWith("ld-") ? "lib64" : "lib", name));
    }
    copyFileSync(executable, join(root, "usr/local/bin/postroom"));
    chownSync(join(root, "data"), 10001, 10001);
    chmodSync(join(root, "data"), 0o700);
    for (const name of ["null", "urandom"]) writeFileSync(join(root, "dev", name), "");
    const inside = `mount -t proc proc "$0/proc" && for each in null urandom; do mount --bind /dev/$each "$0/dev/$each"; done &&
    exec chroot --userspec=10001:10001 "$0" /usr/local/bin/postroom "$@"`;
    const image = (...args: string[]) => [
      "unshare",
      "--mount",
      "--pid",
      "--fork",
      "--kill-child",
      "sh",
      "-c",
      inside,
      root,
      ...args,
    ];
    const env = { POSTROOM_DATA: "/data", PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/bin", LD_LIBRARY_PATH: "" };
    const doctor = await run(image("doctor"), empty, env);
    expect(doctor.stdout).toContain("Exact search of three vectors is correct");
    expect(doctor.stdout).toContain("A one-node model computes correctly");
    expect(doctor.code).toBe(0);
    const port = 20_000 + (process.pid % 20_000);
    const server = Bun.spawn(image("serve", "--host", "0.0.0.0", "--port", String(port)), {
      cwd: empty,
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      // The command of the image's HEALTHCHECK.
      await eventually(
        async () => (await run(image("health", "--port", String(port)), empty, env)).stdout === "ready\n",
        60_000,
      );
      expect(readdirSync(root).sort()).toEqual(["data", "dev", "lib", "lib64", "proc", "usr"]);
    } finally {
      killInside(server.pid);
      await server.exited;
    }
  },
  120_000,
);

test("nothing was written into HOME: no telemetry folder, no cache", () => {
  expect(readdirSync(home)).toEqual([]);
});

test("serves assistants over HTTP and over standard input and output", async () => {
  const env = { HOME: home, PATH: "/usr/bin:/bin", POSTROOM_MCP_ENABLED: "true" };
  const server = Bun.spawn([executable, "serve", "--data", "assisted", "--port", "0"], {
    cwd: empty,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let log = "";
  const decoder = new TextDecoder();
  const follow = (async () => {
    for await (const chunk of server.stderr) log += decoder.decode(chunk, { stream: true });
  })();
  try {
    await eventually(() => log.includes("sandbox mailbox ready"), 60_000);
    const create = ["key", "create", "--user", "owner@localhost", "--name", "t", "--scopes", "all", "--test"];
    const key = (await postroom(...create, "--data", "assisted")).stdout.trim();
    const request = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const clientInfo = { name: "test", version: "1" };
    const about = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const call = { name: "list_threads", arguments: { limit: 3 } };
    interface Reply {
      id: number;
      result: { tools?: object[]; structuredContent?: { threads: object[] } };
    }

    const url = `http://127.0.0.1:${/listening.* port=(\d+)/.exec(log)![1]}/mcp`;
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const post = async (body: string) => {
      const text = await (await fetch(url, { method: "POST", headers, body })).text();
      return JSON.parse(text.replace(/^event: message\ndata: /, "")) as Reply;
    };
    expect((await post(request(1, "tools/list", {}))).result.tools).toHaveLength(21);
    expect((await post(request(2, "tools/call", call))).result.structuredContent!.threads).toHaveLength(3);

    const input = [
      request(1, "initialize", about),
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      request(2, "tools/call", call),
    ];
    const child = Bun.spawn([executable, "mcp", "--data", "assisted"], {
      cwd: empty,
      env: { ...env, POSTROOM_API_KEY: key },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    let out = "";
    const read = (async () => {
      for await (const chunk of child.stdout) out += decoder.decode(chunk);
    })();
    child.stdin.write(`${input.join("\n")}\n`);
    child.stdin.flush();
    const replies = await eventually(() => {
      const lines = out.split("\n").filter((line) => line !== "");
      return lines.length >= 2 && lines.map((line) => JSON.parse(line) as Reply);
    }, 30_000);
    child.stdin.end();
    expect(await child.exited).toBe(0);
    await read;
    const last = (replies as Reply[]).find(({ id }) => id === 2)!;
    expect(last.result.structuredContent!.threads).toHaveLength(3);
  } finally {
    server.kill();
    await server.exited;
    await follow;
  }
}, 120_000);
