import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSigningKey, signature } from "./minisign.ts";

const MINISIGN = Bun.which("minisign");
if (!MINISIGN) console.info("skipped: signatures are not verified with minisign, which is not installed");

const folder = mkdtempSync(join(tmpdir(), "postroom-minisign-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs minisign. @param input answers to its questions */
function minisign(args: string[], input = "") {
  const { exitCode, stdout, stderr } = Bun.spawnSync([MINISIGN!, ...args], {
    cwd: folder,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  return { code: exitCode, output: stdout.toString() + stderr.toString() };
}

describe.skipIf(!MINISIGN)("with keys that minisign created", () => {
  const COMMENTS = { untrusted: "Postroom 1.2.3", trusted: "timestamp:1800000000\tfile:list\tversion:1.2.3" };

  test("minisign accepts a signature, shows its trusted comment, and refuses changed files and comments", () => {
    expect(minisign(["-G", "-W", "-f", "-p", "plain.pub", "-s", "plain.key"]).code).toBe(0);
    const key = readSigningKey(readFileSync(join(folder, "plain.key"), "utf8"), undefined);
    expect(readFileSync(join(folder, "plain.pub"), "utf8")).toContain(`\n${key.publicKey}\n`);
    const text = "abc  file\n";
    const signed = signature(key, Buffer.from(text), COMMENTS);
    const verify = (content: string, minisig: string) => {
      writeFileSync(join(folder, "list"), content);
      writeFileSync(join(folder, "list.minisig"), minisig);
      return minisign(["-V", "-H", "-m", "list", "-P", key.publicKey]);
    };
    const good = verify(text, signed);
    expect(good).toMatchObject({ code: 0 });
    expect(good.output).toContain(COMMENTS.trusted);
    expect(verify("abd  file\n", signed).code).not.toBe(0);
    expect(verify(text, signed.replace("version:1.2.3", "version:9.9.9")).code).not.toBe(0);
    // The same key and message always give the same signature.
    expect(signature(key, Buffer.from(text), COMMENTS)).toBe(signed);
    // The second line of the file is enough, as in a variable of the environment.
    const [, line] = readFileSync(join(folder, "plain.key"), "utf8").split("\n");
    expect(readSigningKey(line!, undefined).publicKey).toBe(key.publicKey);
  });

  test("an encrypted key needs its password", () => {
    const made = minisign(["-G", "-f", "-p", "locked.pub", "-s", "locked.key"], "correct horse\ncorrect horse\n");
    expect(made).toMatchObject({ code: 0 });
    const text = readFileSync(join(folder, "locked.key"), "utf8");
    expect(() => readSigningKey(text, undefined)).toThrow("set POSTROOM_RELEASE_KEY_PASSWORD");
    expect(() => readSigningKey(text, "wrong")).toThrow("the password of the signing key is wrong");
    const key = readSigningKey(text, "correct horse");
    expect(readFileSync(join(folder, "locked.pub"), "utf8")).toContain(`\n${key.publicKey}\n`);
  }, 120_000);

  test("a damaged key is refused", () => {
    expect(minisign(["-G", "-W", "-f", "-p", "other.pub", "-s", "other.key"]).code).toBe(0);
    const [comment, line] = readFileSync(join(folder, "other.key"), "utf8").split("\n");
    const bytes = Buffer.from(line!, "base64");
    bytes[80]! ^= 1;
    expect(() => readSigningKey(`${comment}\n${bytes.toString("base64")}\n`, undefined)).toThrow(
      "the signing key is damaged",
    );
  });
});

test.each([
  ["an empty file", ""],
  ["a text", "secret"],
  ["a public key", `RWQ${"A".repeat(53)}`],
])("%s is not a key", (_, text) => {
  expect(() => readSigningKey(text, undefined)).toThrow("not a secret key of minisign");
});
