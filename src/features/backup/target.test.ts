import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { BUCKET } from "../../../test/support/s3-server.ts";
import { targetFixture } from "../../../test/support/target-fixture.ts";
import { backupTarget, openTarget } from "../../backup/target.ts";
import { TargetService } from "../../backup/target-service.ts";

setDefaultTimeout(60_000);

const SECRET = "S3RVER";
const t = targetFixture();
const { begin, owner, bucket, save, audited, tested } = t;

describe("a saved bucket", () => {
  test("applies at once, is sealed, and is shown and audited without its secret", async () => {
    const { status, json } = await save(bucket());
    expect(status).toBe(200);
    const { secret_access_key, ...shown } = bucket();
    expect(json.target).toMatchObject({ ...shown, folder: "", host: "", has_secret: true, configured: [] });
    const secrets = ["secret_access_key", "password", "key", "key_passphrase"];
    expect(Object.keys(json.target).filter((name) => secrets.includes(name))).toEqual([]);
    expect(json.elsewhere).toMatchObject({ place: `s3://${BUCKET}/p${t.number}`, copies: 0, pending: 0 });
    await Promise.resolve();
    expect(t.changes).toBe(1);
    expect(json.elsewhere.restore).toEqual([
      `export POSTROOM_BACKUP_S3_ENDPOINT=${t.s3.endpoint} POSTROOM_BACKUP_S3_ACCESS_KEY_ID=S3RVER POSTROOM_BACKUP_S3_SECRET_ACCESS_KEY=YOUR-SECRET`,
      `postroom restore s3://${BUCKET}/p${t.number} --data EMPTY-FOLDER`,
      "postroom serve --data EMPTY-FOLDER",
    ]);
    const store = openTarget(t.h.platform);
    await store.put("index", Buffer.from("one"));
    store.close();
    expect(t.s3.passed.at(-1)?.path).toBe(`/${BUCKET}/p${t.number}/index`);
    const row = t.h.platform.db.sql.query("SELECT value FROM settings WHERE key = 'backup.target'").get();
    expect(Buffer.from((row as { value: Uint8Array }).value).toString("latin1")).not.toContain(BUCKET);
    const [entry] = audited("backup.target");
    expect(entry).toMatchObject({ before: null, after: { place: `s3://${BUCKET}/p${t.number}`, region: "us-east-1" } });
    expect(JSON.stringify(entry)).not.toMatch(/S3RVER|secret/i);
  });

  test("keeps its secret when other fields change, and loses it with its access key", async () => {
    const { secret_access_key, ...rest } = bucket();
    await save(bucket({ secret_access_key: "ONE" }));
    expect((await save({ ...rest, region: "eu-west-9" })).status).toBe(200);
    expect(backupTarget(t.h.platform)?.s3).toMatchObject({ region: "eu-west-9", secret_access_key: "ONE" });
    const refused = await save({ ...rest, access_key_id: "OTHER" });
    expect([refused.status, refused.json.error.param]).toEqual([400, "secret_access_key"]);
    expect((await save({ ...rest, secret_access_key: "TWO" })).status).toBe(200);
    expect(audited("backup.target")[0]).toMatchObject({ after: { credentials: "replaced" } });
    // The same again t.changes nothing.
    await Promise.resolve();
    const [rows, seen] = [audited("backup.target").length, t.changes];
    await save(rest);
    await Promise.resolve();
    expect([audited("backup.target").length, t.changes]).toEqual([rows, seen]);
  });

  test("is forgotten with its secret when copies are turned off", async () => {
    await save(bucket());
    const { json } = await save({ kind: "off" });
    expect(json).toMatchObject({ elsewhere: null, target: { kind: "off", has_secret: false, access_key_id: "" } });
    expect(backupTarget(t.h.platform)).toBeNull();
    expect(t.h.platform.db.sql.query("SELECT 1 FROM settings WHERE key = 'backup.target'").get()).toBeNull();
    expect(audited("backup.target")[0]).toMatchObject({ before: { region: "us-east-1" }, after: null });
  });

  test("that was changed in the database, not by Postroom, does not apply", async () => {
    await save(bucket());
    t.h.platform.db.sql.query("UPDATE settings SET value = zeroblob(40) WHERE key = 'backup.target'").run();
    expect(backupTarget(t.h.platform)).toBeNull();
  });

  test("is another place than one with the same name elsewhere", async () => {
    await save(bucket());
    const first = backupTarget(t.h.platform)!.id;
    await save(bucket({ endpoint: "http://nas.lan:9000" }));
    expect(backupTarget(t.h.platform)!.id).not.toBe(first);
  });

  test("has commands with everything that differs from the defaults", async () => {
    const ca = "-----BEGIN CERTIFICATE-----";
    const more = { endpoint: "", region: "eu-central-1", path_style: false, ca };
    const access = { access_key_id: "A K", secret_access_key: SECRET };
    new TargetService(t.h.platform).choose(
      { kind: "s3", bucket: "mine", prefix: "", ...more, ...access },
      { user_id: t.h.user.id, actor: { kind: "system", id: null } },
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
    t.h.clock.advance(16 * 60_000);
    for (const [method, path] of [
      ["PUT", "/backup/target"],
      ["POST", "/backup/target/test"],
    ] as const) {
      const { status, json } = await by.call(method, path, { body: bucket() });
      expect([status, json.error.code]).toEqual([401, "proof_required"]);
    }
    expect(backupTarget(t.h.platform)).toBeNull();
    expect(t.s3.passed).toEqual([]);
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
    expect(backupTarget(t.h.platform)).toBeNull();
    expect(t.s3.passed).toEqual([]);
  });

  test("complete an address, and take slashes off a prefix", async () => {
    const { json } = await save(bucket({ endpoint: "s3.us-west-004.backblazeb2.com/", prefix: "/my/mail/" }));
    expect(json.target).toMatchObject({ endpoint: "https://s3.us-west-004.backblazeb2.com", prefix: "my/mail" });
  });

  test("refuse folders in the data folder, and the folder of the backups", async () => {
    const inside = { kind: "folder", folder: join(t.h.platform.config.data_dir, "x") };
    expect((await save(inside)).json.error.message).toContain("data folder");
    await owner().call("PATCH", "/backup/settings", { body: { folder: t.outside } });
    const same = await save({ kind: "folder", folder: `${t.outside}/` });
    expect([same.json.error.param, same.json.error.message]).toEqual([
      "folder",
      expect.stringContaining("lost together"),
    ]);
  });
});

describe("the configuration", () => {
  test("with backup.to decides the whole place, and nothing can be changed here", async () => {
    await save(bucket());
    t.h.close();
    begin({ "backup.to": "s3://other/mail", "backup.s3.access_key_id": "AK", "backup.s3.secret_access_key": "SK" });
    const { json } = await owner().call("GET", "/backup");
    expect(json.target).toMatchObject({
      kind: "s3",
      bucket: "other",
      prefix: "mail",
      access_key_id: "",
      has_secret: true,
    });
    expect(json.target.configured).toContain("backup.to");
    expect(json.elsewhere.place).toBe("s3://other/mail");
    for (const body of [bucket(), { kind: "off" }, { kind: "folder", folder: t.outside }]) {
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
    expect(backupTarget(t.h.platform)).not.toBeNull();
    t.h.close();
    begin({ "backup.to": "" });
    const { json } = await owner().call("GET", "/backup");
    expect(json.target).toMatchObject({ kind: "off", configured: ["backup.to"] });
  });

  test("with parts of the place wins, and these cannot be changed here", async () => {
    t.h.close();
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
    expect(backupTarget(t.h.platform)?.s3).toMatchObject({ access_key_id: "S3RVER", secret_access_key: SECRET });
    t.s3.disturb = () => ({ status: 403, code: "SignatureDoesNotMatch" });
    // The field is not in the form, so the sentence names the setting.
    const found = await tested(rest);
    expect([found.status, found.field]).toEqual([400, undefined]);
    expect(found.message).toContain("backup.s3.secret_access_key");
  });
});
