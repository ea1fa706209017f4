import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConformanceServer, startConformanceServer } from "../support/mcp-conformance-server.ts";

setDefaultTimeout(120_000);

/**
 * The official conformance suite of the Model Context Protocol against the whole program, in this process: all scenarios
 * that a revision requires of servers. The suite calls fixture tools, which a test gives to `startApp`; the executable has
 * no way to mount them. test/flows/mcp-clients.test.ts runs the official clients against the executable.
 */

const SUITE = join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance");

/** Scenarios in which the server calls the client or keeps a subscription. `/mcp` is stateless: it does neither. */
const NEED_A_SESSION = [
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-subscribe",
  "resources-unsubscribe",
  "server-sse-multiple-streams",
];

/** The required scenarios of a revision for servers. */
function required(revision: string): string[] {
  const text = readFileSync(join(SUITE, "requirements", `${revision}.yaml`), "utf8");
  const { server } = Bun.YAML.parse(text) as { server: string[] };
  return server;
}

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

let server: ConformanceServer;
let folder: string;
beforeAll(async () => {
  server = await startConformanceServer();
  folder = mkdtempSync(join(tmpdir(), "postroom-conformance-"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Revision {
  revision: string;
  excluded: string[];
  scenarios: number;
}

describe.each<Revision>([
  { revision: "2026-07-28", excluded: [], scenarios: 37 },
  { revision: "2025-11-25", excluded: NEED_A_SESSION, scenarios: 23 },
])("revision $revision", ({ revision, excluded, scenarios }) => {
  const names = required(revision).filter((name) => !excluded.includes(name));
  const results = new Map<string, Check[]>();

  beforeAll(async () => {
    const output = join(folder, revision);
    const given = ["server", "--url", `${server.url}/mcp`, "--requirements", revision, "--output-dir", output];
    const child = Bun.spawn([process.execPath, join(SUITE, "dist/index.js"), ...given], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    await child.exited;
    for (const name of readdirSync(output)) {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)![1]!;
      results.set(scenario, JSON.parse(readFileSync(join(output, name, "checks.json"), "utf8")));
    }
  });

  test("requires the known number of scenarios", () => {
    expect(names).toHaveLength(scenarios);
  });

  test.each(names)("%s", (name) => {
    const checks = results.get(name) ?? [];
    const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    expect(failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([]);
    expect(checks.some(({ status }) => status === "SUCCESS")).toBe(true);
  });
});

test("a page of another site is refused, which prevents DNS rebinding", async () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const post = (headers: Record<string, string>) =>
    fetch(`${server.direct}/mcp`, {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", ...headers },
    });
  const refused = await Promise.all([
    post({ Host: "evil.example.com" }),
    post({ Origin: "https://evil.example.com" }),
    post({ Origin: "null" }),
  ]);
  const codes = await Promise.all(
    refused.map(async (reply) => ((await reply.json()) as { error: { code: string } }).error.code),
  );
  expect(codes).toEqual(["host_refused", "origin_refused", "origin_refused"]);
  expect(refused.map(({ status }) => status)).toEqual([421, 403, 403]);
});
