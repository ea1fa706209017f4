import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { type Authority, createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type HttpsReceiver, startReceiver } from "../../../test/support/https-receiver.ts";
import { ManualClock } from "../clock.ts";
import { EgressClient, type EgressRequest } from "./client.ts";
import type { EgressFault } from "./faults.ts";
import { EgressGuard } from "./guard.ts";

if (!OPENSSL) console.info("skipped: requests to the outside (openssl is not installed)");

describe.skipIf(!OPENSSL)("outgoing requests", () => {
  let authority: Authority;
  let receiver: HttpsReceiver;
  let clock: ManualClock;
  let client: EgressClient;
  let resolved: string[];
  let answers: string[];

  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority?.remove());
  beforeEach(async () => {
    receiver = await startReceiver(authority.issue(["hook.test", "127.0.0.1"]));
    resolved = [];
    answers = ["127.0.0.1"];
    clock = new ManualClock();
    client = newClient(["127.0.0.1"], authority.ca);
  });
  afterEach(async () => {
    client.close();
    await receiver.stop();
  });

  function newClient(allow: string[], ca: string | null): EgressClient {
    const resolve = async (host: string) => {
      resolved.push(host);
      return answers;
    };
    return new EgressClient({ guard: new EgressGuard(allow), clock, ca, resolve });
  }

  const request = (more: Partial<EgressRequest> = {}): EgressRequest => ({
    method: "POST",
    url: `https://hook.test:${receiver.port}/in?x=1`,
    headers: { "Content-Type": "application/json" },
    body: Buffer.from('{"a":"ü"}'),
    timeoutMs: 15_000,
    maxBodyBytes: 100,
    ...more,
  });

  async function fault(promise: Promise<unknown>): Promise<EgressFault> {
    try {
      await promise;
    } catch (error) {
      return error as EgressFault;
    }
    throw new Error("the request did not fail");
  }

  test("arrive unchanged, with the host name in the TLS handshake", async () => {
    receiver.behave = () => ({ status: 201, headers: { "X-Said": "yes" }, body: "fine" });
    const answer = await client.request(request());
    expect(answer).toMatchObject({ status: 201, truncated: false });
    expect(answer.headers["x-said"]).toBe("yes");
    expect(Buffer.from(answer.body).toString()).toBe("fine");
    const [arrived] = receiver.received;
    expect(arrived).toMatchObject({ method: "POST", path: "/in?x=1", body: '{"a":"ü"}' });
    expect(arrived!.headers).toEqual({
      host: `hook.test:${receiver.port}`,
      "content-type": "application/json",
      "content-length": "10",
    });
    expect(receiver.names).toEqual(["hook.test"]);
  });

  test("can be sent to an address as well as to a name", async () => {
    expect((await client.request(request({ url: `${receiver.origin}/` }))).status).toBe(200);
    expect(resolved).toEqual([]);
  });

  test("reuse a connection until it has been idle for too long", async () => {
    const repeatable = request({ repeatable: true });
    for (let i = 0; i < 3; i++) await client.request(repeatable);
    expect([receiver.connections, resolved.length]).toEqual([1, 1]);
    clock.advance(10_000);
    await client.request(repeatable);
    expect([receiver.connections, resolved.length]).toEqual([2, 2]);
  });

  test.each([{ repeatable: true }, { method: "GET" }])(
    "that are repeatable survive a receiver that closes the reused connection: %j",
    async (more) => {
      await client.request(request(more));
      // Closes when it receives the second request, like a server whose idle timeout just ended.
      receiver.behave = ({ connection }) => (connection === 0 ? "reset" : { status: 200 });
      expect((await client.request(request(more))).status).toBe(200);
      expect(receiver.received.map(({ connection }) => connection)).toEqual([0, 0, 1]);
    },
  );

  test.each([{}, { method: "PUT" }, { method: "GET", repeatable: false }])(
    "that must not arrive twice always use a new connection: %j",
    async (more) => {
      await client.request(request({ repeatable: true }));
      receiver.behave = () => "reset";
      expect(await fault(client.request(request(more)))).toMatchObject({ reason: "reset" });
      expect(receiver.received.map(({ connection }) => connection)).toEqual([0, 1]);
    },
  );

  test("fail if a new connection is reset", async () => {
    receiver.behave = () => "reset";
    expect(await fault(client.request(request()))).toMatchObject({ reason: "reset" });
    expect(receiver.received.length).toBe(1);
  });

  test("do not follow redirects", async () => {
    receiver.behave = () => ({ status: 302, headers: { Location: "https://elsewhere.example/" } });
    expect((await client.request(request())).status).toBe(302);
    expect(resolved).toEqual(["hook.test"]);
  });

  describe("the guard", () => {
    test("judges the address that is connected to, after each lookup", async () => {
      client = newClient([], authority.ca);
      answers = ["127.0.0.1"];
      expect(await fault(client.request(request()))).toMatchObject({ reason: "refused" });
      answers = ["::ffff:127.0.0.1", "169.254.169.254"];
      expect((await fault(client.request(request()))).message).toContain("loopback, metadata");
      expect(receiver.connections).toBe(0);
    });

    test("is not fooled by a name that resolves differently the second time", async () => {
      const guard = new EgressGuard(["127.0.0.1"]);
      let times = 0;
      const resolve = async () => (++times === 1 ? ["127.0.0.1"] : ["10.0.0.1"]);
      client = new EgressClient({ guard, clock, ca: authority.ca, resolve });
      await client.request(request());
      clock.advance(10_000);
      expect(await fault(client.request(request()))).toMatchObject({ reason: "refused" });
      expect(times).toBe(2);
    });

    test("excludes only the addresses that are not permitted", async () => {
      answers = ["10.0.0.1", "127.0.0.1"];
      expect((await client.request(request())).status).toBe(200);
    });

    test("applies to plain http", async () => {
      expect(await fault(client.request(request({ url: "http://hook.test/" })))).toMatchObject({ reason: "refused" });
      expect(resolved).toEqual([]);
    });
  });

  describe("certificates", () => {
    async function faultWith(certificate: ReturnType<Authority["issue"]>, ca: string | null): Promise<EgressFault> {
      await receiver.stop();
      receiver = await startReceiver(certificate);
      client = newClient(["127.0.0.1"], ca);
      const answer = await fault(client.request(request()));
      expect(receiver.received).toEqual([]);
      return answer;
    }

    test("of an unknown authority are refused, and the message says what to do", async () => {
      const answer = await faultWith(authority.issue(["hook.test"]), null);
      expect(answer.reason).toBe("certificate");
      expect(answer.message).toContain("unknown authority");
    });

    test("for another name are refused", async () => {
      const answer = await faultWith(authority.issue(["other.test"]), authority.ca);
      expect(answer).toMatchObject({ reason: "certificate", message: "the certificate is for another host name" });
    });

    test("that have expired are refused", async () => {
      const answer = await faultWith(authority.issue(["hook.test"], -1), authority.ca);
      expect(answer).toMatchObject({ reason: "certificate", message: "the certificate has expired" });
    });

    test("are checked even if the environment disables checks", async () => {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      try {
        expect((await faultWith(authority.issue(["hook.test"]), null)).reason).toBe("certificate");
        expect((await faultWith(authority.issue(["other.test"]), authority.ca)).reason).toBe("certificate");
      } finally {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      }
    });

    test("that do not contain the address are refused for an address", async () => {
      await receiver.stop();
      receiver = await startReceiver(authority.issue(["hook.test"]));
      expect(await fault(client.request(request({ url: receiver.origin })))).toMatchObject({ reason: "certificate" });
    });
  });

  describe("faults", () => {
    test("a name that does not resolve is reported", async () => {
      const resolve = async () => {
        throw Object.assign(new Error("x"), { code: "ENOTFOUND" });
      };
      client = new EgressClient({ guard: new EgressGuard([]), clock, ca: null, resolve });
      expect(await fault(client.request(request()))).toMatchObject({
        reason: "dns",
        message: "the host name does not exist",
      });
    });

    test("a refused connection is reported", async () => {
      await receiver.stop();
      expect(await fault(client.request(request()))).toMatchObject({ reason: "connect" });
    });

    test("a peer without TLS is reported", async () => {
      const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      expect((await fault(client.request(request({ url: `https://127.0.0.1:${port}/` })))).reason).toBe("tls");
      server.close();
    });

    test.each([
      ["after the request", "hang" as const],
      ["in the middle of the headers", { bytes: "HTTP/1.1 200 OK\r\nX: " }],
      ["a slow byte-by-byte response", { drip: `HTTP/1.1 200 OK\r\nX: ${"y".repeat(10_000)}\r\n\r\n` }],
    ])("silence %s ends at the timeout", async (_, behavior) => {
      receiver.behave = () => behavior;
      const pending = fault(client.request(request()));
      await eventually(() => receiver.received.length === 1);
      clock.advance(15_000);
      expect(await pending).toMatchObject({ reason: "timeout", message: "there was no response within 15 seconds" });
    });

    test("a peer that accepts and sends nothing ends at the timeout", async () => {
      const server = createServer(() => {});
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      let done = false;
      const pending = fault(client.request(request({ url: `https://127.0.0.1:${port}/` }))).finally(() => {
        done = true;
      });
      await eventually(() => {
        clock.advance(5_000);
        return done;
      });
      expect(await pending).toMatchObject({ reason: "timeout" });
      server.close();
    });

    test("a lookup that never ends is aborted at the timeout", async () => {
      client = new EgressClient({ guard: new EgressGuard([]), clock, ca: null, resolve: () => new Promise(() => {}) });
      const pending = fault(client.request(request()));
      clock.advance(15_000);
      expect(await pending).toMatchObject({ reason: "timeout" });
    });

    test("a response that is not HTTP is reported", async () => {
      receiver.behave = () => ({ bytes: "SSH-2.0-OpenSSH_9.9\r\n" });
      expect(await fault(client.request(request()))).toMatchObject({ reason: "protocol" });
    });

    test("a request that the caller aborts fails as aborted", async () => {
      receiver.behave = () => "hang";
      const stop = new AbortController();
      const pending = fault(client.request(request({ signal: stop.signal })));
      await eventually(() => receiver.received.length === 1);
      stop.abort();
      expect(await pending).toMatchObject({ reason: "aborted" });
      expect(await fault(client.request(request({ signal: stop.signal })))).toMatchObject({ reason: "aborted" });
    });
  });

  test("the status counts even if the body never ends", async () => {
    receiver.behave = ({ path }) =>
      path === "/endless" ? { bytes: "HTTP/1.1 202 x\r\nContent-Length: 99\r\n\r\nsome" } : { status: 200 };
    const pending = client.request(request({ url: `https://hook.test:${receiver.port}/endless` }));
    await eventually(() => receiver.received.length === 1);
    // Once a later request has been answered, the earlier data has arrived.
    await client.request(request());
    clock.advance(15_000);
    expect(await pending).toMatchObject({ status: 202, truncated: true, body: Buffer.from("some") });
  });

  test("a header cannot inject another one", async () => {
    expect((await fault(client.request(request({ headers: { X: "a\r\nY: b" } })))).message).toContain("line break");
    expect(receiver.received).toEqual([]);
  });
});

describe.skipIf(!OPENSSL)("proxies from the environment", () => {
  test("are not used", async () => {
    const authority = createAuthority();
    const receiver = await startReceiver(authority.issue(["127.0.0.1"]));
    const asked: string[] = [];
    const proxy = createServer((socket) => void socket.on("data", (data) => asked.push(data.toString())));
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
    const before = { ...process.env };
    Object.assign(process.env, { HTTPS_PROXY: address, https_proxy: address, ALL_PROXY: address, HTTP_PROXY: address });
    try {
      const guard = new EgressGuard(["127.0.0.1"]);
      const client = new EgressClient({ guard, clock: new ManualClock(), ca: authority.ca });
      const url = `${receiver.origin}/`;
      const answer = await client.request({ method: "GET", url, headers: {}, timeoutMs: 5_000, maxBodyBytes: 0 });
      expect([answer.status, asked]).toEqual([200, []]);
      client.close();
    } finally {
      for (const name of ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      proxy.close();
      await receiver.stop();
      authority.remove();
    }
  });
});
