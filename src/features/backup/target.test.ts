import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { createAuthority, OPENSSL } from "../../../test/support/certificates.ts";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { startReceiver } from "../../../test/support/https-receiver.ts";
import { BUCKET, type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { type SftpServer, SSHD, startSftp } from "../../../test/support/sftp-server.ts";
import { sealIndex } from "../../backup/copies/copy-index.ts";
import { CopyService } from "../../backup/copies/service.ts";
import { backupKeys } from "../../backup/keys.ts";
import { backupTarget, openTarget } from "../../backup/target.ts";
import { TargetService } from "../../backup/target-service.ts";
import type { ConfigValues } from "../../platform/config/table.ts";
import { backupAppRoutes } from "./app-routes.ts";

setDefaultTimeout(60_000);

const SECRET = "S3RVER";
let s3: S3Server;
let h: Harness;
let outside: string;
let changes: number;
let number = 0;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), "postroom-target-"));
  s3.disturb = () => null;
  s3.passed.length = 0;
  begin();
});
afterEach(() => {
  h.close();
  rmSync(outside, { recursive: true, force: true });
});

/** Opens the data folder of the test. */
function begin(config: Partial<ConfigValues> = {}) {
  number++;
  changes = 0;
  h = createHarness({
    config,
    data_dir: join(outside, "data"),
    appRoutes(platform) {
      const targets = new TargetService(platform);
      targets.onChanged(() => changes++);
      const sources = { data_dir: platform.config.data_dir, env: {} };
      const startWorker = () => {
        throw new Error("nothing is sent in these tests");
      };
      const copies = new CopyService({ platform, sources, startWorker });
      const state = { running: null, next_at: null, runs: [] };
      const backups = { state: () => state, present: () => [], request: () => true, reschedule: () => {} };
      return backupAppRoutes({ platform, backups, copies, targets });
    },
  });
  // Signatures have the time.
  h.clock.set(Date.now());
}

const owner = () => h.session("owner@example.org", "owner");
const bucket = (more: object = {}) => ({
  kind: "s3",
  bucket: BUCKET,
  prefix: `p${number}`,
  endpoint: s3.endpoint,
  region: "us-east-1",
  access_key_id: "S3RVER",
  secret_access_key: SECRET,
  path_style: true,
  ca: "",
  ...more,
});
const save = (body: object, by = owner()) => by.call("PUT", "/backup/target", { body });
const audited = (action: string) => h.platform.audit.list(owner().user.id, { limit: 9, action });

/** Tests a place. The clock runs, for the pauses between attempts. */
async function tested(body: object) {
  const timer = setInterval(() => h.clock.advance(200), 10);
  try {
    const { status, json } = await owner().call("POST", "/backup/target/test", { body });
    return { status, json, field: json.error?.param as string | undefined, message: json.error?.message as string };
  } finally {
    clearInterval(timer);
  }
}

describe("a saved bucket", () => {
  test("applies at once, is sealed, and is shown and audited without its secret", async () => {
    const { status, json } = await save(bucket());
    expect(status).toBe(200);
    const { secret_access_key, ...shown } = bucket();
    expect(json.target).toMatchObject({ ...shown, folder: "", host: "", has_secret: true, configured: [] });
    const secrets = ["secret_access_key", "password", "key", "key_passphrase"];
    expect(Object.keys(json.target).filter((name) => secrets.includes(name))).toEqual([]);
    expect(json.elsewhere).toMatchObject({ place: `s3://${BUCKET}/p${number}`, copies: 0, pending: 0 });
    await Promise.resolve();
    expect(changes).toBe(1);
    expect(json.elsewhere.restore).toEqual([
      `export POSTROOM_BACKUP_S3_ENDPOINT=${s3.endpoint} POSTROOM_BACKUP_S3_ACCESS_KEY_ID=S3RVER POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY=YOUR-SECRET`,
      `postroom restore s3://${BUCKET}/p${number} --data EMPTY-FOLDER`,
      "postroom serve --data EMPTY-FOLDER",
    ]);
    const store = openTarget(h.platform);
    await store.put("index", Buffer.from("one"));
    store.close();
    expect(s3.passed.at(-1)?.path).toBe(`/${BUCKET}/p${number}/index`);
    const row = h.platform.db.sql.query("SELECT value FROM settings WHERE key = 'backup.target'").get();
    expect(Buffer.from((row as { value: Uint8Array }).value).toString("latin1")).not.toContain(BUCKET);
    const [entry] = audited("backup.target");
    expect(entry).toMatchObject({ before: null, after: { place: `s3://${BUCKET}/p${number}`, region: "us-east-1" } });
    expect(JSON.stringify(entry)).not.toMatch(/S3RVER|secret/i);
  });

  test("keeps its secret when other fields change, and loses it with its access key", async () => {
    const { secret_access_key, ...rest } = bucket();
    await save(bucket({ secret_access_key: "ONE" }));
    expect((await save({ ...rest, region: "eu-west-9" })).status).toBe(200);
    expect(backupTarget(h.platform)?.s3).toMatchObject({ region: "eu-west-9", secret_access_key: "ONE" });
    const refused = await save({ ...rest, access_key_id: "OTHER" });
    expect([refused.status, refused.json.error.param]).toEqual([400, "secret_access_key"]);
    expect((await save({ ...rest, secret_access_key: "TWO" })).status).toBe(200);
    expect(audited("backup.target")[0]).toMatchObject({ after: { new_credentials: true } });
    // The same again changes nothing.
    await Promise.resolve();
    const [rows, seen] = [audited("backup.target").length, changes];
    await save(rest);
    await Promise.resolve();
    expect([audited("backup.target").length, changes]).toEqual([rows, seen]);
  });

  test("is forgotten with its secret when copies are turned off", async () => {
    await save(bucket());
    const { json } = await save({ kind: "off" });
    expect(json).toMatchObject({ elsewhere: null, target: { kind: "off", has_secret: false, access_key_id: "" } });
    expect(backupTarget(h.platform)).toBeNull();
    expect(h.platform.db.sql.query("SELECT 1 FROM settings WHERE key = 'backup.target'").get()).toBeNull();
    expect(audited("backup.target")[0]).toMatchObject({ before: { region: "us-east-1" }, after: null });
  });

  test("that was changed in the database, not by Postroom, does not apply", async () => {
    await save(bucket());
    h.platform.db.sql.query("UPDATE settings SET value = zeroblob(40) WHERE key = 'backup.target'").run();
    expect(backupTarget(h.platform)).toBeNull();
  });

  test("is another place than one with the same name elsewhere", async () => {
    await save(bucket());
    const first = backupTarget(h.platform)!.id;
    await save(bucket({ endpoint: "http://nas.lan:9000" }));
    expect(backupTarget(h.platform)!.id).not.toBe(first);
  });

  test("has commands with everything that differs from the defaults", async () => {
    const ca = "-----BEGIN CERTIFICATE-----";
    const more = { endpoint: "", region: "eu-central-1", path_style: false, ca };
    const access = { access_key_id: "A K", secret_access_key: SECRET };
    new TargetService(h.platform).choose(
      { kind: "s3", bucket: "mine", prefix: "", ...more, ...access },
      { user_id: h.user.id, actor: { kind: "system", id: null } },
    );
    const { json } = await owner().call("GET", "/backup");
    expect(json.elsewhere.restore[0]).toBe(
      "export POSTROOM_BACKUP_S3_REGION=eu-central-1 POSTROOM_BACKUP_S3_PATH_STYLE=false POSTROOM_BACKUP_S3_CA_FILE=ca.pem POSTROOM_BACKUP_S3_ACCESS_KEY_ID='A K' POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY=YOUR-SECRET",
    );
  });
});

describe("both routes", () => {
  test("require re-authentication", async () => {
    const by = owner();
    h.clock.advance(16 * 60_000);
    for (const [method, path] of [
      ["PUT", "/backup/target"],
      ["POST", "/backup/target/test"],
    ] as const) {
      const { status, json } = await by.call(method, path, { body: bucket() });
      expect([status, json.error.code]).toEqual([401, "proof_required"]);
    }
    expect(backupTarget(h.platform)).toBeNull();
    expect(s3.passed).toEqual([]);
  });

  test.each<[object, string, RegExp]>([
    [{ bucket: "" }, "bucket", /Enter the name/],
    [{ bucket: "s3://mine/x" }, "bucket", /without s3:/],
    [{ bucket: "Mine" }, "bucket", /lowercase/],
    [{ bucket: "a.b", path_style: false, endpoint: "https://s3.example.com" }, "bucket", /path style/],
    [{ prefix: "a b" }, "prefix", /A prefix has letters/],
    [{ prefix: "a/../b" }, "prefix", /A prefix has letters/],
    [{ endpoint: "ftp://nas.lan" }, "endpoint", /begins with https/],
    [{ endpoint: "https://user:pw@nas.lan" }, "endpoint", /begins with https/],
    [{ endpoint: "https://s3.REGION.backblazeb2.com" }, "endpoint", /Replace REGION/],
    [{ endpoint: "https://ACCOUNT.r2.cloudflarestorage.com" }, "endpoint", /Replace ACCOUNT/],
    [{ region: "eu west" }, "region", /Enter a region/],
    [{ access_key_id: " " }, "access_key_id", /Enter the ID/],
    [{ secret_access_key: "" }, "secret_access_key", /Enter the secret/],
    [{ secret_access_key: undefined }, "secret_access_key", /Enter the secret/],
    [{ ca: "not PEM" }, "ca", /PEM text/],
    [{ ca: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" }, "ca", /PEM text/],
    [{ kind: "folder", folder: "" }, "folder", /begins with a slash/],
    [{ kind: "folder", folder: "/nonexistent/nas/x" }, "folder", /does not exist/],
    [{ kind: "nfs" }, "kind", /./],
  ])("refuse %j", async (more, field, reason) => {
    for (const call of [save, tested]) {
      const { status, json } = await call(bucket(more));
      expect([status, json.error.param]).toEqual([400, field]);
      expect(json.error.message).toMatch(reason);
    }
    expect(backupTarget(h.platform)).toBeNull();
    expect(s3.passed).toEqual([]);
  });

  test("complete an address, and take slashes off a prefix", async () => {
    const { json } = await save(bucket({ endpoint: "s3.us-west-004.backblazeb2.com/", prefix: "/home/mail/" }));
    expect(json.target).toMatchObject({ endpoint: "https://s3.us-west-004.backblazeb2.com", prefix: "home/mail" });
  });

  test("refuse folders in the data folder, and the folder of the backups", async () => {
    const inside = { kind: "folder", folder: join(h.platform.config.data_dir, "x") };
    expect((await save(inside)).json.error.message).toContain("data folder");
    await owner().call("PATCH", "/backup/settings", { body: { folder: outside } });
    const same = await save({ kind: "folder", folder: `${outside}/` });
    expect([same.json.error.param, same.json.error.message]).toEqual([
      "folder",
      expect.stringContaining("lost together"),
    ]);
  });
});

describe("a test of a bucket", () => {
  test("writes, reads, lists and deletes a small object, and leaves nothing", async () => {
    const { status, json } = await tested(bucket());
    expect([status, json]).toEqual([200, { conditional_writes: true, deletes: true, copies: 0 }]);
    expect(new Set(s3.passed.map(({ method }) => method))).toEqual(new Set(["PUT", "GET", "DELETE"]));
    await save(bucket());
    const store = openTarget(h.platform);
    expect(await Array.fromAsync(store.list("objects/"))).toEqual([]);
    store.close();
    expect(h.platform.storeCalls.totals(0).calls).toBeGreaterThan(5);
    expect(audited("backup.test")[0]).toMatchObject({ after: { place: `s3://${BUCKET}/p${number}`, passed: true } });
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
    if (!ignores) s3.disturb = ({ conditional }) => (conditional ? { status: 501, code: "NotImplemented" } : null);
    const { status, json } = await tested(bucket(other ? { endpoint: other.endpoint } : {}));
    expect([status, json.conditional_writes, json.deletes]).toEqual([200, false, true]);
    other?.close();
  });

  test("of a store that keeps deleted objects says so", async () => {
    s3.disturb = ({ method }) => (method === "DELETE" ? { status: 403, code: "AccessDenied" } : null);
    const { status, json } = await tested(bucket());
    expect([status, json.deletes]).toEqual([200, false]);
  });

  test("counts the backups of this installation, and refuses those of another", async () => {
    await save(bucket());
    const store = openTarget(h.platform);
    const copy = { id: "x", base: null, kind: "full", made_at: 1, object: `objects/${"0".repeat(32)}` } as const;
    const backups = [{ ...copy, bytes: 5, sha256: "0".repeat(64) }];
    const index = { format: 1, generation: 1, writtenAt: 1, backups };
    await store.put("index", await sealIndex(index, backupKeys(h.platform).readers));
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
    s3.disturb = () => ({ status, code });
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
    s3.disturb = (passing) => (passing.method === method ? { status: 403, code: "AccessDenied" } : null);
    await fails({}, "access_key_id", reason);
  });

  test("missing rights to list", async () => {
    s3.disturb = ({ path }) => (path.includes("list-type") ? { status: 403, code: "AccessDenied" } : null);
    await fails({}, "access_key_id", /A test object was written, but cannot be listed\./);
    // It is deleted all the same.
    expect(s3.passed.at(-1)?.method).toBe("DELETE");
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
    await fails({ endpoint: s3.endpoint.replace("http:", "https:") }, "endpoint", /TLS/);
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
    s3.disturb = () => null;
    h.clock.advance(3_600_000);
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
      const { hostname, port } = new URL(s3.endpoint);
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

describe("a folder", () => {
  test("is tested, saved with its drive, and used", async () => {
    const folder = join(outside, "nas");
    expect((await tested({ kind: "folder", folder })).json).toEqual({
      conditional_writes: true,
      deletes: true,
      copies: 0,
    });
    const { json } = await save({ kind: "folder", folder });
    expect(json.target).toMatchObject({ kind: "folder", folder, has_secret: false });
    expect(json.elsewhere).toMatchObject({
      place: folder,
      restore: [
        `postroom restore ${folder} --verify`,
        `postroom restore ${folder} --data EMPTY-FOLDER`,
        "postroom serve --data EMPTY-FOLDER",
      ],
    });
    expect(readdirSync(join(folder, "objects"))).toEqual([]);
    const store = openTarget(h.platform);
    await store.put("index", Buffer.from("one"));
    expect(readFileSync(join(folder, "index"), "utf8")).toBe("one");
  });

  test("with backups of another installation is refused", async () => {
    const folder = join(outside, "nas");
    mkdirSync(folder);
    const stranger = scratchPlatform();
    const index = { format: 1, generation: 1, writtenAt: 1, backups: [] };
    await Bun.write(join(folder, "index"), await sealIndex(index, backupKeys(stranger.platform).readers));
    stranger.close();
    const { field, message } = await tested({ kind: "folder", folder });
    expect([field, message]).toEqual(["folder", expect.stringContaining("another installation")]);
  });
});

describe.skipIf(!SSHD)("a server with SSH", () => {
  let ssh: SftpServer;
  beforeAll(async () => {
    if (SSHD) ssh = await startSftp();
  });
  afterAll(() => ssh?.close());

  const server = (more: object = {}) => {
    const { place, login } = ssh.options(`p${number}`);
    const { host, port, user, path } = place;
    const host_key = ssh.fingerprints.ed25519;
    return { kind: "sftp", host, port, user, path, sign_in: "key", key: login.key, host_key, ...more };
  };
  const fails = async (more: object, field: string, reason: RegExp) => {
    const found = await tested(server(more));
    expect([found.status, found.field]).toEqual([400, field]);
    expect(found.message).toMatch(reason);
    expect(found.message).not.toMatch(/backup\./);
    return found.message;
  };

  test("is tested, saved without showing its key, and used", async () => {
    expect((await tested(server())).json).toEqual({ conditional_writes: true, deletes: true, copies: 0 });
    const { status, json } = await save(server());
    const { key, ...shown } = server();
    expect(status).toBe(200);
    expect(json.target).toMatchObject({ ...shown, has_secret: true, configured: [] });
    const { host, port, user, path } = server();
    const text = `sftp://${user}@${host}:${port}${path}`;
    expect(json.elsewhere).toMatchObject({
      place: text,
      restore: [
        `export POSTROOM_BACKUP_SFTP_HOST_KEY=${ssh.fingerprints.ed25519} POSTROOM_BACKUP_SFTP_KEY_FILE=id_key`,
        `postroom restore ${text} --data EMPTY-FOLDER`,
        "postroom serve --data EMPTY-FOLDER",
      ],
    });
    const store = openTarget(h.platform);
    await store.put("index", Buffer.from("one"));
    store.close();
    expect(readFileSync(join(path, "index"), "utf8")).toBe("one");
    const rows = JSON.stringify([json, audited("backup.target"), audited("backup.test")]);
    expect(rows).not.toContain("PRIVATE KEY");
    expect(rows).not.toContain(key!.split("\n")[2]!);
  });

  test("shows its fingerprint, which must be confirmed, and names a changed one", async () => {
    const message = await fails({ host_key: "" }, "host_key", /is not confirmed yet\. Its fingerprint is SHA256:/);
    expect(message).toContain(ssh.fingerprints.ed25519);
    await fails({ host_key: `SHA256:${"A".repeat(43)}` }, "host_key", /has changed, or another machine answers there/);
  });

  test("keeps its key for the same user there only", async () => {
    await save(server());
    const { key, ...rest } = server();
    expect((await save({ ...rest, path: `${rest.path}/deeper` })).status).toBe(200);
    expect(backupTarget(h.platform)?.sftp.key).toBe(key!);
    for (const more of [{ host: "other.lan" }, { port: 2222 }, { user: "mallory" }]) {
      const { status, json } = await save({ ...rest, ...more });
      expect([status, json.error.param]).toEqual([400, "key"]);
    }
    expect((await save({ ...rest, sign_in: "password" })).json.error.param).toBe("password");
    expect((await save({ ...rest, sign_in: "password", password: "open sesame" })).status).toBe(200);
    expect(backupTarget(h.platform)?.sftp).toMatchObject({ key: "", password: "open sesame" });
    expect((await save(rest)).json.error.param).toBe("key");
  });

  test("says what is wrong, at the field", async () => {
    await fails({ path: `${server().path}/nowhere` }, "path", /There is no folder .*nowhere\. Create it there/);
    await fails({ port: 1 }, "host", /nothing is listening/);
    await fails(
      { user: "nobody-here" },
      "key",
      /refused the key SHA256:.* for the user nobody-here\. Add its public key/,
    );
    await fails({ sign_in: "password", password: "x" }, "key", /accepts only this kind of sign-in: publickey/);
    await fails({ key: "-----BEGIN OPENSSH PRIVATE KEY-----" }, "key", /not a private key that Postroom can read/);
    await fails({ key: "ssh-ed25519 AAAA" }, "key", /Paste the whole private key/);
    await fails({ host: "sftp://nas.lan/x" }, "host", /without sftp:/);
    await fails({ path: "postroom" }, "path", /Enter a whole path/);
    await fails({ path: "/a/../b" }, "path", /Enter a whole path/);
    await fails({ host_key: "MD5:aa" }, "host_key", /begins with SHA256/);
    await fails({ user: " " }, "user", /Enter the name of the user/);
  });

  test("may have a folder in the home folder", async () => {
    const { json } = await save(server({ path: "~/postroom/" }));
    expect([json.target.path, json.elsewhere.place]).toEqual(["~/postroom", expect.stringMatching(/\/~\/postroom$/)]);
    expect((await save(server({ path: "~" }))).json.target.path).toBe("~");
  });

  test("with parts in the configuration wins", async () => {
    const { key, host_key, ...rest } = server();
    const file = join(outside, "id");
    await Bun.write(file, key!);
    h.close();
    begin({ "backup.sftp.key_file": file, "backup.sftp.host_key": host_key });
    expect((await save({ ...rest, key })).json.error.param).toBe("key");
    expect((await tested(rest)).status).toBe(200);
    expect((await save(rest)).json.target).toMatchObject({ has_secret: true, host_key });
  });
});

describe("the configuration", () => {
  test("with backup.to decides the whole place, and nothing can be changed here", async () => {
    await save(bucket());
    h.close();
    begin({ "backup.to": "s3://other/home", "backup.s3.access_key_id": "AK", "backup.s3.secret_access_key": "SK" });
    const { json } = await owner().call("GET", "/backup");
    expect(json.target).toMatchObject({
      kind: "s3",
      bucket: "other",
      prefix: "home",
      access_key_id: "",
      has_secret: true,
    });
    expect(json.target.configured).toContain("backup.to");
    expect(json.elsewhere.place).toBe("s3://other/home");
    for (const body of [bucket(), { kind: "off" }, { kind: "folder", folder: outside }]) {
      const { status, json } = await save(body);
      expect([status, json.error.param, json.error.message]).toEqual([
        400,
        "kind",
        "The configuration sets backup.to. Change it there, or remove it from there.",
      ]);
    }
  });

  test("that is empty turns copies off", async () => {
    await save(bucket());
    expect(backupTarget(h.platform)).not.toBeNull();
    h.close();
    begin({ "backup.to": "" });
    const { json } = await owner().call("GET", "/backup");
    expect(json.target).toMatchObject({ kind: "off", configured: ["backup.to"] });
  });

  test("with parts of the place wins, and these cannot be changed here", async () => {
    h.close();
    begin({ "backup.s3.access_key_id": "S3RVER", "backup.s3.secret_access_key": SECRET, "backup.s3.region": "eu-x" });
    const { access_key_id, secret_access_key, region, ...rest } = bucket();
    const refused = await save(bucket());
    expect([refused.status, refused.json.error.param]).toEqual([400, "region"]);
    expect(refused.json.error.message).toContain("The configuration sets backup.s3.region");
    const { status, json } = await save(rest);
    expect([status, json.target.has_secret, json.target.region]).toEqual([200, true, "eu-x"]);
    expect(json.target.configured.sort()).toEqual([
      "backup.s3.access_key_id",
      "backup.s3.region",
      "backup.s3.secret_access_key",
    ]);
    expect(backupTarget(h.platform)?.s3).toMatchObject({ access_key_id: "S3RVER", secret_access_key: SECRET });
    s3.disturb = () => ({ status: 403, code: "SignatureDoesNotMatch" });
    // The field is not in the form, so the sentence names the setting.
    const found = await tested(rest);
    expect([found.status, found.field]).toEqual([400, undefined]);
    expect(found.message).toContain("backup.s3.secret_access_key");
  });
});

/** The same bucket behind a proxy that drops conditions, as stores do that do not know them. */
async function withoutConditions() {
  const { hostname, port } = new URL(s3.endpoint);
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
