import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../platform/config/load.ts";
import { browserUrl, type Resolve } from "./own-address.ts";

const BOTH: Resolve = async () => ["127.0.0.1", "::1"];

const configOf = (flags: Parameters<typeof loadConfig>[0]["flags"]) =>
  loadConfig({ data_dir: join(tmpdir(), "postroom-no-data"), env: {}, flags });
const listenAt = (hostname: string) => Bun.serve({ hostname, port: 0, fetch: () => new Response("other") });

/** Returns a port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = listenAt("127.0.0.1");
  await server.stop(true);
  return server.port!;
}

test("the printed address has the name localhost for every loopback and wildcard address", async () => {
  const port = await freePort();
  for (const host of ["127.0.0.1", "0.0.0.0", "::", "[::1]", "::1"]) {
    expect(await browserUrl(configOf({ "http.host": host }), port, BOTH)).toBe(`http://localhost:${port}`);
  }
});

test("a server that the name localhost does not lead to is printed with its address", async () => {
  const port = await freePort();
  const cases: [host: string, resolved: string[], expected: string][] = [
    ["::1", ["127.0.0.1"], "[::1]"],
    ["127.0.0.1", ["::1"], "127.0.0.1"],
    ["0.0.0.0", ["::1"], "127.0.0.1"],
    ["::", [], "127.0.0.1"],
    ["::1", ["127.0.0.1", "::1"], "localhost"],
    ["127.0.0.1", ["127.0.0.1"], "localhost"],
  ];
  for (const [host, resolved, expected] of cases) {
    const url = await browserUrl(configOf({ "http.host": host }), port, async () => resolved);
    expect(`${host} ${resolved}: ${url}`).toBe(`${host} ${resolved}: http://${expected}:${port}`);
  }
  const failing = () => Promise.reject(new Error("ENOTFOUND"));
  expect(await browserUrl(configOf({}), port, failing)).toBe(`http://127.0.0.1:${port}`);
});

test("another program on the same port in the other family is not what the printed address opens", async () => {
  const other = listenAt("127.0.0.1");
  try {
    expect(await browserUrl(configOf({ "http.host": "::1" }), other.port!, BOTH)).toBe(`http://[::1]:${other.port}`);
    expect(await browserUrl(configOf({}), other.port!, BOTH)).toBe(`http://localhost:${other.port}`);
  } finally {
    await other.stop(true);
  }
});

test("http.public_url, a name and an address of the network are printed as they are", async () => {
  const at = (flags: Parameters<typeof configOf>[0]) => browserUrl(configOf(flags), 8025, BOTH);
  expect(await at({ "http.public_url": "https://mail.example.org/box/" })).toBe("https://mail.example.org/box");
  expect(await at({ "http.host": "nas.lan", "http.base_path": "/mail" })).toBe("http://nas.lan:8025/mail");
  expect(await at({ "http.host": "192.168.1.7" })).toBe("http://192.168.1.7:8025");
  expect(await at({ "http.host": "127.0.0.5" })).toBe("http://127.0.0.5:8025");
});
