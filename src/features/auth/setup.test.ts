import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuthFixture, authFixture, PASSWORD, type Visitor } from "../../../test/support/auth-fixture.ts";
import { ManualClock } from "../../platform/clock.ts";
import { loadConfig, withValues } from "../../platform/config/load.ts";
import type { ConfigValues } from "../../platform/config/table.ts";
import { openPlatform } from "../../platform/platform.ts";
import { expectedMasterKeyId } from "../../platform/sealing/keyring.ts";
import { recoverMasterKey } from "../../platform/sealing/recovery-key.ts";

// Password hashing is slow on purpose, and slower on a busy machine.
setDefaultTimeout(30_000);
let dir: string;
let s: AuthFixture;
let ada: Visitor;
const start = (config: Partial<ConfigValues> = {}) => {
  s = authFixture({ data_dir: join(dir, "data"), config });
  ada = s.visitor();
};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-auth-"));
  start();
});
afterEach(() => {
  s.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Restarts with these settings. @returns the owner's address */
function ownerAfterRestart(config: Partial<ConfigValues> = {}): string | undefined {
  const loaded = withValues(loadConfig({ data_dir: join(dir, "data"), env: {} }), config);
  const platform = openPlatform({ config: loaded, clock: new ManualClock() });
  const email = platform.users.get(s.owner.id)?.email;
  platform.close();
  return email;
}

describe("first run", () => {
  test("takes over the owner that the first start created, and signs them in", async () => {
    expect((await ada.call("GET", "/state")).json).toMatchObject({
      setup_needed: true,
      user: null,
      custody: "key_file",
    });
    const answer = await s.setUp(ada);
    expect([answer.status, answer.json.next_start]).toEqual([200, null]);
    const person = { id: s.owner.id, email: "ada@home.example", role: "owner", timezone: "Europe/Lisbon" };
    expect((await ada.call("GET", "/state")).json).toMatchObject({ setup_needed: false, user: person });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("postroom_session="));
    expect(cookie).toContain("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict");
    expect(s.audit("setup")).toEqual([{ email: "ada@home.example", timezone: "Europe/Lisbon", custody: "key_file" }]);
    expect(s.h.platform.users.sandboxOf(s.owner.id)).toMatchObject({ email: "ada@home.example" });
  });

  test("sets a password for later sign-ins, and the setup code stops working", async () => {
    await s.setUp(ada);
    const again = await s.setUp(s.visitor(), { email: "mallory@evil.example" });
    expect([again.status, again.json.error.code]).toEqual([409, "setup_done"]);
    const later = s.visitor();
    expect((await s.signIn(later)).status).toBe(204);
    expect(await later.user()).toMatchObject({ email: "ada@home.example" });
  });

  test("succeeds for only one of two concurrent attempts", async () => {
    const answers = await Promise.all([s.setUp(ada), s.setUp(s.visitor(), { email: "bo@home.example" })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("needs the setup code, grouped in any way, and guessing it is throttled", async () => {
    for (const token of ["", "abcde-fghjk-mnpqr-stuvx", "abcde"]) {
      const answer = await s.setUp(ada, { token });
      expect([answer.status, answer.json.error]).toMatchObject([401, { code: "setup_token_wrong", param: "token" }]);
    }
    for (let i = 0; i < 20; i++) await s.setUp(ada, { token: "guess" });
    const slowed = await s.setUp(ada);
    expect([slowed.status, slowed.json.error.code]).toEqual([429, "too_many_attempts"]);
    expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    // Other addresses do not have to wait.
    expect((await s.setUp(s.visitor("192.0.2.99"), { token: "ABCDE FGHJK mnpqr stuvw" })).status).toBe(200);
  });

  test.each([
    [{ password: "short" }, "password", "at least 10"],
    [{ password: "aaaaaaaaaaaaaaaa" }, "password", "same character"],
    [{ password: "Ada@home.example" }, "password", "Your email address"],
    [{ email: "ada" }, "email", "email address"],
    [{ timezone: "Mars/Olympus" }, "timezone", "IANA"],
    [{ custody: "cloud" }, "custody", "one of"],
    [{ custody: "passphrase", passphrase: "short" }, "passphrase", "at least 12"],
    [{ custody: "passphrase" }, "passphrase", "at least 12"],
    [{ custody: "elsewhere" }, "key_file", "absolute path of the key file"],
    [{ custody: "elsewhere", key_file: "postroom.key" }, "key_file", "absolute path of the key file"],
    [{ custody: "elsewhere", key_file: "/nowhere/at/all/postroom.key" }, "key_file", "the folder does not exist"],
    [{ custody: "elsewhere", key_file: "/dev/null" }, "key_file", "is not a key file"],
  ])("reports what is wrong with %j and stays open", async (more, param, words) => {
    const answer = await s.setUp(ada, more);
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param });
    expect(answer.json.error.message).toContain(words);
    expect((await ada.call("GET", "/state")).json.setup_needed).toBe(true);
  });

  test("refuses an address that another person already has", async () => {
    const answer = await s.setUp(ada, { email: s.h.user.email.toUpperCase() });
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param: "email" });
  });
});

describe("the master key", () => {
  const opensWith = async (recovery_key: string) => {
    const { keyring, db } = s.h.platform;
    const master = await recoverMasterKey(join(dir, "data"), recovery_key.toLowerCase(), expectedMasterKeyId(db));
    return Bun.deepEquals(master, keyring.master);
  };

  test("stays in the data folder, and the recovery key opens it", async () => {
    const { recovery_key } = (await s.setUp(ada)).json;
    expect(recovery_key).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
    expect(await opensWith(recovery_key)).toBe(true);
    expect(ownerAfterRestart()).toBe("ada@home.example");
    expect(s.keysMoved).toBe(0);
  });

  test("can be derived from a passphrase while the server runs, and the recovery key still opens it", async () => {
    const passphrase = "correct horse battery";
    const answer = await s.setUp(ada, { custody: "passphrase", passphrase: ` ${passphrase} ` });
    expect(answer.json.next_start).toContain("POSTROOM_MASTER_PASSPHRASE");
    expect((await ada.call("GET", "/state")).json.custody).toBe("passphrase");
    expect(s.keysMoved).toBe(1);
    expect(existsSync(join(dir, "data", "keys", "master.key"))).toBe(false);
    expect(await opensWith(answer.json.recovery_key)).toBe(true);
    // The running process continues to read and write.
    expect((await s.signIn(s.visitor())).status).toBe(204);
    expect(s.h.newUser("new@home.example").email).toBe("new@home.example");
    expect(() => ownerAfterRestart()).toThrow("protected by a passphrase");
    expect(ownerAfterRestart({ "master.passphrase": passphrase })).toBe("ada@home.example");
  });

  test("is announced to the workers once it has moved, even if the rest of the setup fails", async () => {
    s.h.platform.db.sql.run(
      "CREATE TRIGGER no_space BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'no space'); END",
    );
    const answer = await s.setUp(ada, { custody: "passphrase", passphrase: "five words are good enough" });
    expect([answer.status, s.keysMoved]).toEqual([500, 1]);
    expect(await ada.user()).toBeNull();
    s.h.platform.db.sql.run("DROP TRIGGER no_space");
    const refused = await s.setUp(ada, { custody: "elsewhere", key_file: join(dir, "none", "postroom.key") });
    expect([refused.status, s.keysMoved]).toEqual([400, 1]);
    // The key has already moved, so it stays where it is.
    const again = await s.setUp(ada, { custody: "passphrase" });
    expect([again.status, s.keysMoved]).toEqual([200, 1]);
  });

  test("moves to a file outside the data folder", async () => {
    const key_file = join(dir, "stick.key");
    const answer = await s.setUp(ada, { custody: "elsewhere", key_file });
    expect(answer.json.next_start).toContain(key_file);
    expect((await ada.call("GET", "/state")).json.custody).toBe("elsewhere");
    expect(await opensWith(answer.json.recovery_key)).toBe(true);
    expect(ownerAfterRestart({ "master.key": await Bun.file(key_file).text() })).toBe("ada@home.example");
  });

  test("is not moved to a path inside the data folder, nor over an unrelated file", async () => {
    const inside = await s.setUp(ada, { custody: "elsewhere", key_file: join(dir, "data", "my.key") });
    expect(inside.json.error).toMatchObject({ param: "key_file", message: expect.stringContaining("data folder") });
    const other = join(dir, "letter.txt");
    writeFileSync(other, "Dear Bo");
    const taken = await s.setUp(ada, { custody: "elsewhere", key_file: other });
    expect([taken.status, taken.json.error.param]).toEqual([400, "key_file"]);
    expect(await Bun.file(other).text()).toBe("Dear Bo");
  });

  test("stays where it is if the configuration supplied it", async () => {
    s.close();
    rmSync(join(dir, "data"), { recursive: true });
    start({ "master.key": "ab".repeat(32) });
    expect((await ada.call("GET", "/state")).json.custody).toBe("elsewhere");
    const wrong = await s.setUp(ada, { custody: "key_file" });
    expect(wrong.json.error).toMatchObject({ param: "custody", message: expect.stringContaining("key-rotate") });
    expect((await s.setUp(ada, { custody: "elsewhere" })).json.next_start).toBeNull();
  });

  test("has its storage choices explained before setup, and is not described to visitors afterwards", async () => {
    const { custody_choices } = (await ada.call("GET", "/state")).json;
    expect(custody_choices.map(({ custody }: { custody: string }) => custody)).toEqual([
      "key_file",
      "passphrase",
      "elsewhere",
    ]);
    await s.setUp(ada);
    expect((await s.visitor().call("GET", "/state")).json.custody).toBeNull();
  });
});

test("a new recovery key requires the password and invalidates the old one", async () => {
  const { recovery_key } = (await s.setUp(ada)).json;
  expect((await ada.call("POST", "/recovery-key", { body: { password: "wrong password" } })).status).toBe(401);
  const renewed = await ada.call("POST", "/recovery-key", { body: { password: PASSWORD } });
  expect(renewed.json.recovery_key).not.toBe(recovery_key);
  const { db } = s.h.platform;
  const open = (key: string) => recoverMasterKey(join(dir, "data"), key, expectedMasterKeyId(db));
  expect((await open(renewed.json.recovery_key)).length).toBe(32);
  expect(open(recovery_key)).rejects.toThrow("replaced by a newer one");
});
