import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { newSecret, signatureHeaders } from "../../src/features/webhooks/signature.ts";
import { startLiveApp } from "../support/live-app.ts";
import { FAULT_CASES, startFaultServer } from "./fault-server.ts";
import { readmeBlock } from "./readme-block.ts";
import { BASE_PATHS, HOSTS_V1, NO_BASE, startRequestLog, UNKNOWN_FIELD } from "./request-log.ts";

setDefaultTimeout(60_000);

const CLIENT = resolve(import.meta.dir, "../../clients/python");
const PYTHON = Bun.which("python3");
if (!PYTHON) console.info("skipped: the Python client (python3 is not installed)");

const folder = mkdtempSync(join(tmpdir(), "postroom-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function python(args: string[], input: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([PYTHON!, "-B", "-W", "error", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, PYTHONPATH: CLIENT, ...env },
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

test.skipIf(!PYTHON)(
  "handles server failures like the TypeScript client, and recognizes genuine webhooks",
  async () => {
    const faults = startFaultServer();
    try {
      const secret = newSecret();
      const body = '{"id":"evt_1"}';
      const now = 1_800_000_000;
      const header = signatureHeaders({ id: "evt_1", body: Buffer.from(body) }, now * 1000, [newSecret(), secret])[
        "X-Service-Signature"
      ];
      const genuine = { body, header, secret, now };
      const webhooks = [
        genuine,
        { ...genuine, body: `${body} ` },
        { ...genuine, secret: newSecret() },
        { ...genuine, now: now + 301 },
        { ...genuine, header: null },
      ];
      const asked = { url: faults.url, cases: FAULT_CASES, webhooks };
      const { out, err } = await python([join(import.meta.dir, "python-cases.py")], JSON.stringify(asked));
      expect(err).toBe("");
      const { results, verified } = JSON.parse(out);
      for (const { name, expected } of FAULT_CASES) {
        expect({ name, requests: faults.requests(name), ...results[name] }).toEqual({ name, ...expected });
      }
      expect(verified).toEqual([true, false, false, false, false]);
    } finally {
      faults.stop();
    }
  },
);

test.skipIf(!PYTHON)("the quick start of the README, with and without /v1 in the address", async () => {
  const live = await startLiveApp();
  try {
    const program = join(folder, "quick_start.py");
    writeFileSync(program, readmeBlock(join(CLIENT, "README.md"), "quick_start.py"));
    const POSTROOM_KEY = live.newKey({ test: true });
    for (const path of ["", "/v1", "/v1/"]) {
      const POSTROOM_URL = `http://127.0.0.1:${live.app.server.port}${path}`;
      const { out, err } = await python([program], "", { POSTROOM_URL, POSTROOM_KEY });
      expect({ path, err }).toEqual({ path, err: "" });
      expect(out).toMatch(/^unread: [1-9]\d*\nsent: scheduled\nerror: 404 not_found\n$/);
    }
  } finally {
    await live.close();
  }
});

interface PythonResult {
  outcome: string;
  param?: string | null;
  unknown_params?: string | null;
  named: string[][];
}
async function requests(calls: object[], env: Record<string, string> = {}): Promise<PythonResult[]> {
  const { out, err } = await python([join(import.meta.dir, "python-requests.py")], JSON.stringify(calls), env);
  expect(err).toBe("");
  return JSON.parse(out);
}

test.skipIf(!PYTHON)("every form of the server's address leads to the same requests as in TypeScript", async () => {
  const log = startRequestLog(() => Response.json({ id: "x" }));
  try {
    const results = await requests(BASE_PATHS.map(([given]) => ({ url: `${log.url}${given}` })));
    expect(results.map(({ outcome }) => outcome)).toEqual(BASE_PATHS.map(() => "ok"));
    expect(log.taken().map(({ path }) => path)).toEqual(BASE_PATHS.map(([, base]) => `${base}/threads/x`));
    // A proxy is asked for the absolute address, so no name has to be resolved.
    await requests(
      HOSTS_V1.map(([url]) => ({ url })),
      { http_proxy: log.url },
    );
    const asked = log.taken().map(({ path, headers }) => `http://${headers.host}${path}`);
    expect(asked).toEqual(HOSTS_V1.map(([, address]) => address));
    for (const { outcome } of await requests(NO_BASE.map((url) => ({ url })))) {
      expect(outcome).toContain("must start with http:// or https://");
    }
  } finally {
    await log.stop();
  }
});

test.skipIf(!PYTHON)("requests ask for strict handling, and a refused field is an error that names it", async () => {
  let answer = UNKNOWN_FIELD;
  const log = startRequestLog(() => answer());
  const misspelt = { url: `${log.url}/v1`, body: { reed: true } };
  const lenient = { ...misspelt, options: { strict: false } };
  const named = [["PATCH", `${log.url}/v1/threads/x`, "reed; nearest=read"]];
  try {
    expect(await requests([misspelt])).toEqual([
      { outcome: "400 invalid_params", param: "reed", unknown_params: "reed; nearest=read", named },
    ]);
    expect(log.taken().map(({ headers }) => headers.prefer)).toEqual(["handling=strict"]);
    answer = () => Response.json({ id: "x" }, { headers: { "X-Unknown-Params": "reed; nearest=read" } });
    expect(await requests([lenient, { url: log.url }])).toEqual([
      { outcome: "ok", named },
      { outcome: "ok", named: [["GET", `${log.url}/v1/threads/x`, "reed; nearest=read"]] },
    ]);
    expect(log.taken().map(({ headers }) => headers.prefer)).toEqual([undefined, "handling=strict"]);
  } finally {
    await log.stop();
  }
});

test.skipIf(!PYTHON)("Python can resolve every type of the generated module", async () => {
  const script = `
import typing, postroom.api as api
for name, value in vars(api).items():
    if isinstance(value, type) and hasattr(value, "__annotations__"):
        typing.get_type_hints(value, vars(api))
for name in vars(api.Operations):
    if not name.startswith("__"):
        typing.get_type_hints(getattr(api.Operations, name), vars(api))
print("ok")
`;
  expect(await python(["-c", script], "")).toEqual({ code: 0, out: "ok\n", err: "" });
});
