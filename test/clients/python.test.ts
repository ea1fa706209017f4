import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { newSecret, signatureHeaders } from "../../src/features/webhooks/signature.ts";
import { startLiveApp } from "../live-app.ts";
import { FAULT_CASES, startFaultServer } from "./fault-server.ts";
import { readmeBlock } from "./readme-block.ts";

setDefaultTimeout(60_000);

const CLIENT = resolve(import.meta.dir, "../../clients/python");
const PYTHON = Bun.which("python3");
if (!PYTHON) console.info("skipped: the Python client, for python3 is not installed");

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
  "when a server fails it does as the TypeScript client does, and knows genuine webhooks",
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

test.skipIf(!PYTHON)("the quick start of the README", async () => {
  const live = await startLiveApp();
  try {
    const program = join(folder, "quick_start.py");
    writeFileSync(program, readmeBlock(join(CLIENT, "README.md"), "quick_start.py"));
    const env = { POSTROOM_URL: `http://127.0.0.1:${live.app.server.port}`, POSTROOM_KEY: live.newKey({ test: true }) };
    const { out, err } = await python([program], "", env);
    expect(err).toBe("");
    expect(out).toMatch(/^unread: [1-9]\d*\nsent: scheduled\nerror: 404 not_found\n$/);
  } finally {
    await live.close();
  }
});

test.skipIf(!PYTHON)("every type of the generated module is one that Python can resolve", async () => {
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
