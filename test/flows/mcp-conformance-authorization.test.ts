import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssistantFixture, assistantFixture } from "../support/assistant-fixture.ts";
import { freePorts } from "../support/dovecot.ts";

setDefaultTimeout(120_000);

/**
 * The official conformance suite of the Model Context Protocol for authorization servers, with a person who consents. The
 * suite has two
 * scenarios (`conformance list --authorization`) with three checks, which it counts as 3 of 3.
 */

const SUITE = join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

let s: AssistantFixture;
let server: Bun.Server<undefined>;
let url: string;
let callbackPort: number;
let folder: string;
beforeAll(async () => {
  const [port, callback] = (await freePorts(2)) as [number, number];
  callbackPort = callback;
  url = `http://127.0.0.1:${port}`;
  s = assistantFixture({ config: { "http.public_url": url } });
  server = Bun.serve({ port, hostname: "127.0.0.1", fetch: (request) => s.h.pipeline.fetch(request) });
  folder = mkdtempSync(join(tmpdir(), "postroom-conformance-"));
});
afterAll(async () => {
  await server.stop(true);
  s.h.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Registers a client as an assistant does. @returns its id */
async function register(): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: "Conformance suite",
      redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
    }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

test("all scenarios for authorization servers pass", async () => {
  const given = ["--url", url, "--client-id", await register(), "--resource", `${url}/mcp`];
  const rest = ["--port", String(callbackPort), "--output-dir", folder];
  const child = Bun.spawn([process.execPath, SUITE, "authorization", ...given, ...rest], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let out = "";
  const decoder = new TextDecoder();
  let hasConsented = false;
  for await (const chunk of child.stdout) {
    out += decoder.decode(chunk, { stream: true });
    const asked = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(out)?.[1];
    if (!asked || hasConsented) continue;
    hasConsented = true;
    // The suite waits for the browser of a person.
    await fetch(await s.authorize(asked));
  }
  await child.exited;
  const results = readdirSync(folder).map((name) => {
    const checks = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[];
    return {
      scenario: /^authorization-server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)![1]!,
      failed: checks.filter(({ status }) => status === "FAILURE" || status === "WARNING"),
      passed: checks.filter(({ status }) => status === "SUCCESS").length,
    };
  });
  expect(results.sort((a, b) => a.scenario.localeCompare(b.scenario))).toEqual([
    { scenario: "authorization-code-grant", failed: [], passed: 1 },
    { scenario: "authorization-server-metadata-endpoint", failed: [], passed: 2 },
  ]);
});
