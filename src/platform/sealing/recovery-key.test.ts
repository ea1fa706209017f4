import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { masterKeyId, newMasterKey } from "./master-key.ts";
import { type RecoveryContext, recoveryRecipient } from "./recovery-file.ts";
import { adoptRecoveryKey, newRecoveryKey, parseRecoveryKey, recoverMasterKey, stageRecovery } from "./recovery-key.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-recovery-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Returns a folder with a master key and a register in memory. */
function place(master: Uint8Array): RecoveryContext {
  const grants = {
    noteFile: (name: string, contents: string | null) => void noted.set(name, contents),
    holdsFile: (name: string, contents: string | null) => (noted.get(name) ?? null) === contents,
  };
  return { config: { data_dir: dir }, keyring: { master }, grants };
}
const noted = new Map<string, string | null>();
beforeEach(() => noted.clear());

const file = () => join(dir, "keys", "recovery.json");

test("a recovery key opens its folder, even with spaces and in lower case", async () => {
  const master = newMasterKey();
  const { secret, recipient } = await newRecoveryKey();
  expect(secret).toMatch(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/);
  await adoptRecoveryKey(place(master), recipient);
  expect(recoveryRecipient(place(master))).toBe(recipient);
  const typed = ` ${secret.toLowerCase().replace(/(.{10})/g, "$1 ")}\n`;
  expect(await recoverMasterKey(dir, typed, masterKeyId(master))).toEqual(master);
});

test("neither the recovery key nor the master key is readable in the folder, and the file is private", async () => {
  const master = newMasterKey();
  const { secret, recipient } = await newRecoveryKey();
  await adoptRecoveryKey(place(master), recipient);
  const text = readFileSync(file(), "utf8");
  for (const hidden of [secret, Buffer.from(master).toString("hex"), Buffer.from(master).toString("base64")]) {
    expect(text).not.toContain(hidden);
  }
  expect(statSync(file()).mode & 0o077).toBe(0);
});

test("a typing error, text that is not a key and a replaced key have different messages", async () => {
  const master = newMasterKey();
  const first = await newRecoveryKey();
  await adoptRecoveryKey(place(master), first.recipient);
  const wrong = first.secret.slice(0, -1) + (first.secret.endsWith("Q") ? "P" : "Q");
  expect(() => parseRecoveryKey(wrong)).toThrow("Check it for a typing error");
  expect(() => parseRecoveryKey("my passphrase")).toThrow("This is not a valid recovery key");
  const second = await newRecoveryKey();
  await adoptRecoveryKey(place(master), second.recipient);
  await expect(recoverMasterKey(dir, first.secret, null)).rejects.toThrow("has been replaced by a newer one");
});

test("a recovery key opens the folder during and after a rotation", async () => {
  const [old, next] = [newMasterKey(), newMasterKey()];
  const { secret, recipient } = await newRecoveryKey();
  await adoptRecoveryKey(place(old), recipient);
  const staged = await stageRecovery(place(old), next);
  for (const key of [old, next]) expect(await recoverMasterKey(dir, secret, masterKeyId(key))).toEqual(key);
  staged.promote();
  expect(await recoverMasterKey(dir, secret, masterKeyId(next))).toEqual(next);
  await expect(recoverMasterKey(dir, secret, masterKeyId(old))).rejects.toThrow(
    "does not contain the current master key",
  );
});

test("a rotation creates no recovery key, and a damaged file is reported", async () => {
  const master = newMasterKey();
  (await stageRecovery(place(master), newMasterKey())).promote();
  expect(recoveryRecipient(place(master))).toBeNull();
  const { secret, recipient } = await newRecoveryKey();
  await expect(recoverMasterKey(dir, secret, null)).rejects.toThrow("has no recovery key");
  await adoptRecoveryKey(place(newMasterKey()), recipient);
  writeFileSync(file(), "{");
  expect(() => recoveryRecipient(place(master))).toThrow("keys/recovery.json is damaged");
});
