import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSigner } from "../../../test/support/release-fixture.ts";
import { type PublicKey, parsePublicKey, verifySignature } from "./minisign.ts";

const signer = createSigner();
const key = parsePublicKey(signer.publicKey)!;
const message = Buffer.from("0123  postroom-linux-x64\n");

describe("a public key", () => {
  test("is read with and without its comment", () => {
    const withComment = `untrusted comment: minisign public key\n${signer.publicKey}\n`;
    expect(parsePublicKey(withComment)).toEqual(key);
    expect(key.key).toHaveLength(32);
  });

  test("of another kind or length is refused", () => {
    const bytes = Buffer.from(signer.publicKey, "base64");
    for (const text of [
      "",
      "RW",
      "x y",
      bytes.subarray(1).toString("base64"),
      `${signer.publicKey}\n${signer.publicKey}`,
    ]) {
      expect(parsePublicKey(text)).toBeNull();
    }
    bytes[0] = 0;
    expect(parsePublicKey(bytes.toString("base64"))).toBeNull();
  });
});

describe.each([false, true])("a signature (legacy: %p)", (legacy) => {
  const signature = signer.sign(message, { legacy, comment: "version 0.2.0" });

  test("is accepted, and its trusted comment returned", () => {
    expect(verifySignature(key, signature, message)).toBe("version 0.2.0");
    expect(verifySignature(key, signature.replaceAll("\n", "\r\n"), message)).toBe("version 0.2.0");
  });

  test("is refused for another message, comment or key", () => {
    expect(() => verifySignature(key, signature, Buffer.from("other"))).toThrow("signature of the release is wrong");
    const other = signature.replace("0.2.0", "0.3.0");
    expect(() => verifySignature(key, other, message)).toThrow("signature of the release is wrong");
    const foreign = parsePublicKey(createSigner().publicKey)!;
    expect(() => verifySignature(foreign, signature, message)).toThrow(`The expected key is ${foreign.id}.`);
    expect(() => verifySignature({ ...foreign, id: key.id }, signature, message)).toThrow("is wrong");
  });

  test("with any flipped bit or missing line is refused", () => {
    const lines = signature.split("\n");
    for (const line of [1, 3]) {
      const bytes = Buffer.from(lines[line]!, "base64");
      for (let at = 0; at < bytes.length; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1;
        const changed = lines.with(line, flipped.toString("base64")).join("\n");
        expect(() => verifySignature(key, changed, message)).toThrow();
      }
    }
    for (let count = 0; count < 4; count++) {
      expect(() => verifySignature(key, lines.slice(0, count).join("\n"), message)).toThrow(
        "not a signature of minisign",
      );
    }
  });
});

const MINISIGN = Bun.which("minisign");
if (!MINISIGN) console.info("skipped: signatures of minisign itself (it is not installed)");

test.skipIf(!MINISIGN).each(["-S", "-Sl"])("accepts what minisign %s signs", (flags) => {
  const folder = mkdtempSync(join(tmpdir(), "postroom-minisign-"));
  const file = (name: string) => join(folder, name);
  try {
    writeFileSync(file("SHA256SUMS"), message);
    const run = (...args: string[]) => Bun.spawnSync([MINISIGN!, ...args], { timeout: 20_000 }).exitCode;
    expect(run("-G", "-W", "-p", file("key.pub"), "-s", file("key"))).toBe(0);
    expect(run(flags, "-s", file("key"), "-m", file("SHA256SUMS"), "-t", "version 0.2.0")).toBe(0);
    const publicKey: PublicKey | null = parsePublicKey(readFileSync(file("key.pub"), "utf8"));
    // The comment of the key names its id, without leading zeros.
    expect(readFileSync(file("key.pub"), "utf8")).toContain(publicKey!.id.replace(/^0+/, ""));
    expect(verifySignature(publicKey!, readFileSync(file("SHA256SUMS.minisig"), "utf8"), message)).toBe(
      "version 0.2.0",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
