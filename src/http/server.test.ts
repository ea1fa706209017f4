import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createHarness, type Harness } from "../../test/support/http-harness.ts";
import { createSample, type Sample, sampleRoutes } from "../../test/support/sample-routes.ts";
import { type HttpServer, startServer } from "./server.ts";

let h: Harness;
let sample: Sample;
let server: HttpServer;

beforeEach(() => {
  sample = createSample();
  h = createHarness({ routes: sampleRoutes(sample) });
  server = startServer({ pipeline: h.pipeline, host: "127.0.0.1", port: 0, log: h.platform.log });
});
afterEach(async () => {
  await server.stop(0);
  h.close();
});

const auth = (secret = h.key) => ({ Authorization: `Bearer ${secret}` });
const get = (path: string, init: RequestInit = {}) => fetch(server.url + path, { headers: auth(), ...init });

/** Sends raw bytes and collects the response until the server closes. */
function raw(text: string, more: Uint8Array[] = []): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = "";
  const socket = connect(server.port, "127.0.0.1", () => {
    socket.write(text);
    for (const chunk of more) socket.write(chunk);
  });
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
  });
  socket.on("error", () => {}); // the server cuts off a refused upload while the test still writes
  socket.on("close", () => resolve(answer));
  return promise;
}

test("listens on a free port and sees the peer's address", async () => {
  expect(server.port).toBeGreaterThan(0);
  const { secret } = h.newKey({ ip_allow: ["127.0.0.0/8"] });
  expect((await get("/v1/notes", { headers: auth(secret) })).status).toBe(200);
});

test("a body far over the limit is refused before it is read, like every other error", async () => {
  const head = `POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${h.key}\r\nContent-Type: application/json\r\nContent-Length: 900000000\r\n\r\n`;
  const answer = await raw(head, [new Uint8Array(1 << 20)]);
  expect(answer).toStartWith("HTTP/1.1 413");
  expect(answer.toLowerCase()).toContain("x-ratelimit-limit: 120");
  expect(answer).toContain('"code":"payload_too_large"');
});

test("a connection serves many requests, even after one with an unread body", async () => {
  const lines = (method: string, path: string, more: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  const body = "x".repeat(1000);
  const key = `Authorization: Bearer ${h.key}\r\n`;
  const answer = await raw(
    `${lines("POST", "/v1/nope", `${key}Content-Length: 1000\r\n`)}${body}${lines("GET", "/v1/notes", `${key}Connection: close\r\n`)}`,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 200"]);
});

test.each(["n", "n:80", "..", "", "bad host", "[::1", "host:99999", "a/v1/other", "a@b", "a?b"])(
  "a Host of %p does not prevent an answer",
  async (host) => {
    const more = `Authorization: Bearer ${h.key}\r\nConnection: close\r\n`;
    const body = '{"text":"a"}';
    expect(await raw(`GET /v1/notes?limit=7 HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`)).toContain('\\"limit\\":7');
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const created = await raw(`POST /v1/notes HTTP/1.1\r\nHost: ${host}\r\n${more}${type}\r\n${body}`);
    expect(created).toStartWith("HTTP/1.1 201");
  },
);

test("a missing Host from an HTTP/1.0 client does not prevent an answer", async () => {
  expect(await raw("GET /readyz HTTP/1.0\r\n\r\n")).toContain("ready");
});

test("HEAD reports the length of a page", async () => {
  const headers = { "Accept-Encoding": "identity" };
  const page = await get("/v1/openapi.json", { headers });
  const head = await get("/v1/openapi.json", { method: "HEAD", headers });
  expect(head.headers.get("content-length")).toBe(String((await page.arrayBuffer()).byteLength));
});

describe("an open stream", () => {
  async function open(secret = h.key) {
    const response = await get("/v1/notes/stream", { headers: auth(secret) });
    const reader = response.body!.getReader();
    const first = await reader.read();
    return { response, reader, first: new TextDecoder().decode(first.value) };
  }

  test("delivers at once and has the pipeline's headers", async () => {
    const { response, first, reader } = await open();
    expect(first).toBe("data: 1\n\n");
    expect(response.headers.get("x-request-id")).toStartWith("req_");
    expect(response.headers.get("cache-control")).toBe("no-store");
    await reader.cancel();
    await sample.gate.promise; // the handler notices that the client disconnected
  });

  test("ends within a second of its key's revocation; others continue", async () => {
    const mine = h.newKey();
    const [ending, staying] = [await open(mine.secret), await open()];
    h.platform.keys.revoke(mine.id);
    h.clock.advance(1_000);
    expect((await ending.reader.read()).done).toBe(true);
    const next = staying.reader.read().then(() => "ended");
    h.clock.advance(5_000);
    expect(await Promise.race([next, new Promise((resolve) => setImmediate(() => resolve("open")))])).toBe("open");
    await staying.reader.cancel();
  });

  test("ends when its key expires", async () => {
    const { secret } = h.newKey({ expires_at: h.clock.now() + 1_500 });
    const { reader } = await open(secret);
    h.clock.advance(2_000);
    expect((await reader.read()).done).toBe(true);
  });

  test("is not opened by HEAD", async () => {
    const head = await get("/v1/notes/stream", { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await sample.gate.promise; // the handler notices that no one listens
  });

  test("does not delay a stop", async () => {
    const { reader } = await open();
    await server.stop(60_000);
    expect((await reader.read()).done).toBe(true);
  });
});

test("a stop lets the running request finish, reports not ready, and writes the counters", async () => {
  const running = get("/v1/notes/think", {
    method: "POST",
    headers: { ...auth(), "Content-Type": "application/json" },
    body: '{"text":"slow"}',
  });
  await get("/v1/notes"); // by now the server has received both
  const stopped = server.stop(60_000);
  expect((await h.call("GET", "//readyz")).status).toBe(503);
  sample.gate.resolve();
  expect((await running).status).toBe(200);
  await stopped;
  const row = h.platform.db.sql.query("SELECT used FROM meters WHERE meter = 'requests'").get();
  expect(row).toEqual({ used: 2 });
});

test("a stop cuts off requests that do not finish in time", async () => {
  const running = get("/v1/notes/think", {
    method: "POST",
    headers: { ...auth(), "Content-Type": "application/json" },
    body: '{"text":"never"}',
  }).then(
    () => "answered",
    () => "cut",
  );
  await get("/v1/notes");
  await server.stop(10);
  expect(await running).toBe("cut");
});
