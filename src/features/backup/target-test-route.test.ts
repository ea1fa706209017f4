import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { startReceiver } from "../../../test/support/https-receiver.ts";
import { BUCKET } from "../../../test/support/s3-server.ts";
import { scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { targetFixture } from "../../../test/support/target-fixture.ts";
import { sealIndex } from "../../backup/copies/copy-index.ts";
import { backupKeys } from "../../backup/keys.ts";
import { openTarget } from "../../backup/target.ts";

setDefaultTimeout(60_000);

const t = targetFixture();
const { bucket, save, audited, tested } = t;

describe("a test of a bucket", () => {
  test("writes, reads, lists and deletes a small object, and leaves nothing", async () => {
    const { status, json } = await tested(bucket());
    expect([status, json]).toEqual([200, { conditional_writes: true, deletes: true, copies: 0 }]);
    expect(new Set(t.s3.passed.map(({ method }) => method))).toEqual(new Set(["PUT", "GET", "DELETE"]));
    await save(bucket());
    const store = openTarget(t.h.platform);
    expect(await Array.fromAsync(store.list("objects/"))).toEqual([]);
    store.close();
    expect(t.h.platform.storeCalls.totals(0).calls).toBeGreaterThan(5);
    expect(audited("backup.test")[0]).toMatchObject({ after: { place: `s3://${BUCKET}/p${t.number}`, passed: true } });
    expect(JSON.stringify(audited("backup.test"))).not.toContain("S3RVER");
  });

  test("uses the saved secret if none is given", async () => {
    await save(bucket());
    const { secret_access_key, ...rest } = bucket();
    expect((await tested(rest)).status).toBe(200);
  });

  test.each([
    ["ignores conditions", true],
    ["does not know conditions", false],
  ])("of a store that %s says that it has no conditional writes", async (_, ignores) => {
    const other = ignores ? await withoutConditions() : null;
    if (!ignores) t.s3.disturb = ({ conditional }) => (conditional ? { status: 501, code: "NotImplemented" } : null);
    const { status, json } = await tested(bucket(other ? { endpoint: other.endpoint } : {}));
    expect([status, json.conditional_writes, json.deletes]).toEqual([200, false, true]);
    other?.close();
  });

  test("of a store that keeps deleted objects says so", async () => {
    t.s3.disturb = ({ method }) => (method === "DELETE" ? { status: 403, code: "AccessDenied" } : null);
    const { status, json } = await tested(bucket());
    expect([status, json.deletes]).toEqual([200, false]);
  });

  test("counts the backups of this installation, and refuses those of another", async () => {
    await save(bucket());
    const store = openTarget(t.h.platform);
    const copy = { id: "x", base: null, kind: "full", made_at: 1, object: `objects/${"0".repeat(32)}` } as const;
    const backups = [{ ...copy, bytes: 5, sha256: "0".repeat(64) }];
    const index = { format: 1, generation: 1, writtenAt: 1, backups };
    await store.put("index", await sealIndex(index, backupKeys(t.h.platform).readers));
    expect((await tested(bucket())).json.copies).toBe(1);
    const stranger = scratchPlatform();
    await store.put("index", await sealIndex(index, backupKeys(stranger.platform).readers));
    stranger.close();
    store.close();
    const { field, message } = await tested(bucket());
    expect([field, message]).toEqual(["prefix", expect.stringContaining("backups of another installation")]);
    expect(message).not.toContain("backup.to");
  });
});

describe("a test says what is wrong, at the field", () => {
  const fails = async (more: object, field: string | undefined, reason: RegExp) => {
    const found = await tested(bucket(more));
    expect({ status: found.status, field: found.field }).toEqual({ status: 400, field });
    expect(found.message).toMatch(reason);
    expect(found.message).not.toMatch(/backup\.|ca_file/);
    expect(JSON.stringify(audited("backup.test")[0])).toContain('"passed":false');
  };
  const answering = (status: number, code: string) => {
    t.s3.disturb = () => ({ status, code });
  };

  test("the bucket, the access key, the secret, the region", async () => {
    await fails(
      { bucket: "no-such-bucket" },
      "bucket",
      /There is no bucket no-such-bucket\. Create it, or correct its name\./,
    );
    await fails({ access_key_id: "OTHER" }, "access_key_id", /does not know the access key\. Check its ID\.$/);
    answering(403, "SignatureDoesNotMatch");
    await fails(
      {},
      "secret_access_key",
      /refused the signature\. Check the secret of the access key and the region\.$/,
    );
    answering(301, "PermanentRedirect</Code><Region>eu-west-9</Region><Code>");
    await fails({}, "region", /is in the region eu-west-9, not in us-east-1\. Correct the region\.$/);
    answering(400, "AuthorizationHeaderMalformed</Code><Message>expected scope garage.</Message><Code>");
    await fails({}, "region", /expected scope garage\. Check the region\.$/);
  });

  test.each([
    ["PUT", /refused the request \(AccessDenied\)\. The access key may need more rights/],
    ["GET", /A test object was written, but cannot be read\. .*refused the request/],
  ])("missing rights to %s", async (method, reason) => {
    t.s3.disturb = (passing) => (passing.method === method ? { status: 403, code: "AccessDenied" } : null);
    await fails({}, "access_key_id", reason);
  });

  test("missing rights to list", async () => {
    t.s3.disturb = ({ path }) => (path.includes("list-type") ? { status: 403, code: "AccessDenied" } : null);
    await fails({}, "access_key_id", /A test object was written, but cannot be listed\./);
    // It is deleted all the same.
    expect(t.s3.passed.at(-1)?.method).toBe("DELETE");
  });

  test("an address that does not exist, where nothing listens, or without TLS on the internet", async () => {
    await fails(
      { endpoint: "http://127.0.0.1:1" },
      "endpoint",
      /cannot be reached at 127\.0\.0\.1:1: nothing is listening/,
    );
    await fails(
      { endpoint: "http://93.184.215.14:9000" },
      "endpoint",
      /http:\/\/ works only for stores in your own network/,
    );
    await fails({ endpoint: t.s3.endpoint.replace("http:", "https:") }, "endpoint", /TLS/);
  });

  test("a web server that is not a store", async () => {
    const receiver = await startReceiver(null);
    receiver.behave = () => ({ status: 405, headers: { "Content-Type": "text/html" }, body: "<h1>Console</h1>" });
    await fails({ endpoint: receiver.origin }, "endpoint", /answers 405 with a web page, not as a store/);
    receiver.behave = () => ({ status: 200, body: "Welcome" });
    await fails({ endpoint: receiver.origin }, "endpoint", /does not return what was written/);
    await receiver.stop();
  });

  test("a store that is overloaded, and a clock that is wrong, belong to no field", async () => {
    answering(503, "SlowDown");
    await fails({}, undefined, /answers SlowDown/);
    t.s3.disturb = () => null;
    t.h.clock.advance(3_600_000);
    await fails({}, undefined, /The clocks of this machine/);
  });

  test("a store that does not answer", async () => {
    const receiver = await startReceiver(null);
    receiver.behave = () => "hang";
    await fails({ endpoint: receiver.origin }, "endpoint", /no response within 10 seconds/);
    await receiver.stop();
  });

  test.skipIf(!OPENSSL)("a certificate of a private authority, which can be pasted", async () => {
    const authority = createAuthority();
    const sockets = new Set<{ destroy(): void }>();
    const tls = createServer(authority.issue(["127.0.0.1"]), (socket) => {
      const { hostname, port } = new URL(t.s3.endpoint);
      const upstream = connect(Number(port), hostname);
      for (const each of [socket, upstream]) each.on("error", () => {}) && sockets.add(each);
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
    const endpoint = `https://127.0.0.1:${(tls.address() as AddressInfo).port}`;
    await fails({ endpoint }, "ca", /unknown authority\. If it is your own authority, paste its certificate\.$/);
    expect((await tested(bucket({ endpoint, ca: authority.ca }))).status).toBe(200);
    const other = createAuthority();
    await fails({ endpoint, ca: other.ca }, "ca", /unknown authority/);
    for (const each of sockets) each.destroy();
    tls.close();
    authority.remove();
    other.remove();
  });
});

/** The same bucket behind a proxy that drops conditions, as stores do that do not know them. */
async function withoutConditions() {
  const { hostname, port } = new URL(t.s3.endpoint);
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      const headers = new Headers(request.headers);
      for (const name of ["if-match", "if-none-match"]) headers.delete(name);
      const body = ["GET", "HEAD"].includes(request.method) ? undefined : await request.arrayBuffer();
      return await fetch(`http://${hostname}:${port}${url.pathname}${url.search}`, {
        method: request.method,
        headers,
        body,
      });
    },
  });
  return { endpoint: `http://127.0.0.1:${proxy.port}`, close: () => void proxy.stop(true) };
}
