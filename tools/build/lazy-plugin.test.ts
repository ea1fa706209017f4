import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LAZY_PACKAGES, lazyPlugin, stubOf } from "./lazy-plugin.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** Bundles a program, runs it and returns what it prints. */
async function run(source: string, root = ROOT, packages = LAZY_PACKAGES): Promise<unknown> {
  const probe = join(root, "probe.ts");
  const result = await Bun.build({
    entrypoints: [probe],
    files: { [probe]: source },
    target: "bun",
    format: "esm",
    plugins: [lazyPlugin(root, packages)],
    throw: false,
  });
  expect(result.logs.map(String)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "lazy-"));
  try {
    const file = join(folder, "program.js");
    await Bun.write(file, await result.outputs[0]!.text());
    const { stdout, stderr } = Bun.spawnSync([process.execPath, file]);
    expect(stderr.toString()).toBe("");
    return JSON.parse(stdout.toString());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("packages work as if they were evaluated when they are imported", async () => {
  const printed = await run(`
    import japanese from "encoding-japanese";
    import { ImapFlow } from "imapflow";
    import { createTransport } from "nodemailer";
    import { generateSecret, verifySync } from "otplib";
    import pino from "pino";
    import sanitize from "sanitize-html";
    import { SocksClient } from "socks";
    import { propfind } from "tsdav";
    import { findIana } from "windows-iana";
    console.log(JSON.stringify([
      japanese.convert([0x1b, 0x24, 0x42, 0x24, 0x22], { to: "UNICODE", from: "JIS", type: "string" }),
      typeof new ImapFlow({ host: "localhost", port: 1, logger: false, auth: { user: "a", pass: "b" } }).connect,
      typeof createTransport({ host: "localhost" }).close,
      verifySync({ secret: generateSecret(), token: "000000" }).valid,
      typeof pino({ level: "silent" }).info,
      sanitize("<b>a</b><script>b</script>"),
      typeof new SocksClient({ proxy: { host: "::1", port: 1, type: 5 }, command: "connect", destination: { host: "a", port: 1 } }).connect,
      typeof propfind,
      findIana("W. Europe Standard Time")[0],
    ]));`);
  const methods = ["function", "function", "function"];
  expect(printed).toEqual([
    "あ",
    ...methods.slice(1),
    false,
    "function",
    "<b>a</b>",
    ...methods.slice(1),
    "Europe/Berlin",
  ]);
});

test("a package is evaluated when it is first used, and once", async () => {
  const root = mkdtempSync(join(tmpdir(), "lazy-root-"));
  try {
    const folder = join(root, "node_modules/probe-package");
    mkdirSync(folder, { recursive: true });
    await Bun.write(join(folder, "package.json"), '{ "name": "probe-package", "main": "index.js" }');
    const source =
      "globalThis.loaded = (globalThis.loaded ?? 0) + 1; module.exports = class { one = 1; static two = 2 };";
    await Bun.write(join(folder, "index.js"), source);
    const program = `
      import Probe from "probe-package";
      const before = globalThis.loaded ?? 0;
      console.log(JSON.stringify([before, new Probe().one, Probe.two, globalThis.loaded]));`;
    expect(await run(program, root, ["probe-package"])).toEqual([0, 1, 2, 1]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("a package that is an instance fails the build", () => {
  expect(() => stubOf("probe", new (class Probe {})())).toThrow("probe is an instance of a class");
});
