import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { derive, deriveAside, findMasterKey, masterKeyId, newSalt, parseKey } from "./master-key.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-master-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const find = (settings: { given?: string; passphrase?: string } = {}, expected: string | null = null) =>
  findMasterKey(dir, { given: "", passphrase: "", ...settings }, expected);
const HEX = "00112233445566778899aabbccddeeff".repeat(2);

describe("a key beside the data", () => {
  test("is made at the first start for its owner's eyes only, and found again", () => {
    const { key, source } = find();
    expect([source, key.length]).toEqual(["file", 32]);
    const path = join(dir, "keys", "master.key");
    expect([statSync(path).mode & 0o777, statSync(join(dir, "keys")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(find({}, masterKeyId(key)).key).toEqual(key);
  });

  test("that is another one or gone is not replaced: the message says what to do", () => {
    expect(() => find({}, "0123456789abcdef")).toThrow("Restore the file from your backup");
    expect(existsSync(join(dir, "keys", "master.key"))).toBe(false);
  });

  test("that is damaged is refused", () => {
    find();
    writeFileSync(join(dir, "keys", "master.key"), "half a ke");
    expect(() => find({}, "0123456789abcdef")).toThrow("32 bytes");
  });
});

describe("a key from outside", () => {
  test("is read as hex or base64 and never written to the data folder", () => {
    const key = find({ given: ` ${HEX}\n` }).key;
    expect(find({ given: Buffer.from(HEX, "hex").toString("base64") }).key).toEqual(key);
    expect(existsSync(join(dir, "keys", "master.key"))).toBe(false);
  });

  test.each(["", "xyz", HEX.slice(2), `${HEX}00`])("must be 32 bytes: %p is not", (text) => {
    expect(() => parseKey(text)).toThrow(UserError);
  });

  test("that is not the one of this folder is called wrong, and not repeated", () => {
    expect(() => find({ given: HEX }, "0123456789abcdef")).toThrow("Wrong master key");
    expect(() => find({ given: HEX }, "0123456789abcdef")).not.toThrow(HEX);
  });
});

test("a passphrase makes the same key beside other work, which it does not hold up", async () => {
  const salt = newSalt();
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const key = await deriveAside("caf\u00e9 corbeau", salt);
  clearInterval(timer);
  expect(key).toEqual(derive("cafe\u0301 corbeau", salt));
  expect(turns).toBeGreaterThan(10);
});

describe("a passphrase", () => {
  test("makes the same key at every start, whichever way its letters are composed", () => {
    const { key, source } = find({ passphrase: "caf\u00e9 corbeau" });
    expect(source).toBe("passphrase");
    expect(find({ passphrase: "cafe\u0301 corbeau" }, masterKeyId(key)).key).toEqual(key);
  });

  test("is not in the data folder, nor is the key", () => {
    const { key } = find({ passphrase: "correct horse" });
    const stored = readFileSync(join(dir, "keys", "passphrase.json"), "utf8");
    expect(stored).not.toContain("horse");
    expect(stored).not.toContain(Buffer.from(key).toString("hex"));
    expect(JSON.parse(stored)).toMatchObject({ kdf: "scrypt", N: 65_536, r: 8, p: 1 });
  });

  test("makes another key in another folder", () => {
    const { key } = find({ passphrase: "correct horse" });
    rmSync(join(dir, "keys"), { recursive: true });
    expect(find({ passphrase: "correct horse" }).key).not.toEqual(key);
  });

  test("reports a wrong, a missing and an unneeded one separately", () => {
    const id = masterKeyId(find({ passphrase: "correct horse" }).key);
    expect(() => find({ passphrase: "wrong horse" }, id)).toThrow("Wrong passphrase");
    expect(() => find({}, id)).toThrow("protected by a passphrase");
    rmSync(join(dir, "keys"), { recursive: true });
    const fileId = masterKeyId(find().key);
    expect(() => find({ passphrase: "correct horse" }, fileId)).toThrow("not protected by a passphrase");
    // The attempt leaves nothing that would confuse the next start.
    expect(find({}, fileId).source).toBe("file");
    expect(existsSync(join(dir, "keys", "passphrase.json"))).toBe(false);
  });

  test("whose salt is damaged says that the salt is", () => {
    const id = masterKeyId(find({ passphrase: "correct horse" }).key);
    const salt = "00".repeat(16);
    // Cut off, and parameters that would take hours.
    const damaged = [
      '{"kdf":"scr',
      JSON.stringify({ N: 2, r: 8, p: 100_000, salt }),
      JSON.stringify({ N: 2 ** 20, r: 8, p: 1, salt }),
    ];
    for (const text of damaged) {
      writeFileSync(join(dir, "keys", "passphrase.json"), text);
      expect(() => find({ passphrase: "correct horse" }, id)).toThrow("passphrase.json is damaged");
    }
  });
});
