import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { type SftpServer, SSHD, startSftp } from "../../../test/support/sftp-server.ts";
import { targetFixture } from "../../../test/support/target-fixture.ts";
import { sealIndex } from "../../backup/copies/copy-index.ts";
import { backupKeys } from "../../backup/keys.ts";
import { backupTarget, openTarget } from "../../backup/target.ts";

setDefaultTimeout(60_000);

const t = targetFixture();
const { begin, save, audited, tested } = t;

describe("a folder", () => {
  test("is tested, saved with its drive, and used", async () => {
    const folder = join(t.outside, "nas");
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
    const store = openTarget(t.h.platform);
    await store.put("index", Buffer.from("one"));
    expect(readFileSync(join(folder, "index"), "utf8")).toBe("one");
  });

  test("with backups of another installation is refused", async () => {
    const folder = join(t.outside, "nas");
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
    const { place, login } = ssh.options(`p${t.number}`);
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
    const store = openTarget(t.h.platform);
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
    expect(backupTarget(t.h.platform)?.sftp.key).toBe(key!);
    for (const more of [{ host: "other.lan" }, { port: 2222 }, { user: "mallory" }]) {
      const { status, json } = await save({ ...rest, ...more });
      expect([status, json.error.param]).toEqual([400, "key"]);
    }
    expect((await save({ ...rest, sign_in: "password" })).json.error.param).toBe("password");
    expect((await save({ ...rest, sign_in: "password", password: "open sesame" })).status).toBe(200);
    expect(backupTarget(t.h.platform)?.sftp).toMatchObject({ key: "", password: "open sesame" });
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
    const file = join(t.outside, "id");
    await Bun.write(file, key!);
    t.h.close();
    begin({ "backup.sftp.key_file": file, "backup.sftp.host_key": host_key });
    expect((await save({ ...rest, key })).json.error.param).toBe("key");
    expect((await tested(rest)).status).toBe(200);
    expect((await save(rest)).json.target).toMatchObject({ has_secret: true, host_key });
  });
});
