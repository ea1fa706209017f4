import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { deriveKey, deriveKeyAsync, findMasterKey, masterKeyId, newSalt, parseKey } from "./master-key.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-master-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const find = (settings: { given?: string; passphrase?: string } = {}, expected: string | null = null) =>
  findMasterKey(dir, { given: "", passphrase: "", ...settings }, expected);
const HEX = "00112233445566778899aabbccddeeff".repeat(2);

describe("a key beside the data", () => {
  test("is created at the first start, readable only by its owner, and found again", () => {
    const { key, source } = find();
    expect([source, key.length]).toEqual(["file", 32]);
    const path = join(dir, "keys", "master.key");
    expect([statSync(path).mode & 0o777, statSync(join(dir, "keys")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(find({}, masterKeyId(key)).key).toEqual(key);
  });

  test("that is wrong or missing is not replaced, and the message says what to do", () => {
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

  test("that belongs to another folder is refused, and the message does not contain it", () => {
    expect(() => find({ given: HEX }, "0123456789abcdef")).toThrow("Wrong master key");
    expect(() => find({ given: HEX }, "0123456789abcdef")).not.toThrow(HEX);
  });
});

test("the asynchronous derivation results in the same key and does not block the event loop", async () => {
  const salt = newSalt();
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const key = await deriveKeyAsync("caf\u00e9 corbeau", salt);
  clearInterval(timer);
  expect(key).toEqual(deriveKey("cafe\u0301 corbeau", salt));
  expect(turns).toBeGreaterThan(10);
});

describe("a passphrase", () => {
  test("results in the same key at every start, regardless of Unicode normalization", () => {
    const { key, source } = find({ passphrase: "caf\u00e9 corbeau" });
    expect(source).toBe("passphrase");
    expect(find({ passphrase: "cafe\u0301 corbeau" }, masterKeyId(key)).key).toEqual(key);
  });

  test("is not stored in the data folder, nor is the key", () => {
    const { key } = find({ passphrase: "correct horse" });
    const stored = readFileSync(join(dir, "keys", "passphrase.json"), "utf8");
    expect(stored).not.toContain("horse");
    expect(stored).not.toContain(Buffer.from(key).toString("hex"));
    expect(JSON.parse(stored)).toMatchObject({ kdf: "scrypt", N: 65_536, r: 8, p: 1 });
  });

  test("results in another key in another folder", () => {
    const { key } = find({ passphrase: "correct horse" });
    rmSync(join(dir, "keys"), { recursive: true });
    expect(find({ passphrase: "correct horse" }).key).not.toEqual(key);
  });

  test("has separate messages if it is wrong, missing or not needed", () => {
    const id = masterKeyId(find({ passphrase: "correct horse" }).key);
    expect(() => find({ passphrase: "wrong horse" }, id)).toThrow("Wrong passphrase");
    expect(() => find({}, id)).toThrow("protected by a passphrase");
    rmSync(join(dir, "keys"), { recursive: true });
    const fileId = masterKeyId(find().key);
    expect(() => find({ passphrase: "correct horse" }, fileId)).toThrow("not protected by a passphrase");
    // The attempt leaves no file that would affect the next start.
    expect(find({}, fileId).source).toBe("file");
    expect(existsSync(join(dir, "keys", "passphrase.json"))).toBe(false);
  });

  test("with a damaged salt is refused with a message about the salt", () => {
    const id = masterKeyId(find({ passphrase: "correct horse" }).key);
    const salt = "00".repeat(16);
    // A truncated file, and parameters that would take hours.
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
