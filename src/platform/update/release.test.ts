import { describe, expect, test } from "bun:test";
import { createSigner } from "../../../test/support/release-fixture.ts";
import { parsePublicKey } from "./minisign.ts";
import { compareVersions, readRelease, targetOf } from "./release.ts";

const signer = createSigner();
const key = parsePublicKey(signer.publicKey)!;
const A = "a".repeat(64);
const B = "b".repeat(64);

/** Reads a signed list. */
function read(list: string, target = "linux-x64") {
  const sums = Buffer.from(list);
  return readRelease(sums, signer.sign(sums), key, target);
}

describe("a release", () => {
  test("has the version in the name of its changelog, and the executable for this machine", () => {
    const list = `${A}  CHANGELOG-0.3.0.md\n${A}  postroom-linux-x64-baseline\n${B} *postroom-linux-x64\n`;
    expect(read(list)).toMatchObject({ version: "0.3.0", file: "postroom-linux-x64", sha256: B });
    expect(read(list, "linux-x64-baseline").sha256).toBe(A);
  });

  test("without a version, with two or with an invalid one is refused", () => {
    for (const names of [[], ["CHANGELOG-0.3.0.md", "CHANGELOG-0.4.0.md"], ["CHANGELOG-new.md"]]) {
      const list = [...names, "postroom-linux-x64"].map((name) => `${A}  ${name}\n`).join("");
      expect(() => read(list)).toThrow("does not name its version");
    }
  });

  test("without an executable for this machine is refused", () => {
    expect(() => read(`${A}  CHANGELOG-0.3.0.md\n${A}  postroom-linux-arm64\n`)).toThrow(
      "no executable for this machine (postroom-linux-x64)",
    );
  });
});

test("versions are compared as numbers, and previews come before their release", () => {
  const ordered = ["0.1.9", "0.1.10", "0.2.0-alpha", "0.2.0-alpha.1", "0.2.0-rc.2", "0.2.0-rc.10", "0.2.0", "1.0.0"];
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
  }
});

test("the executable depends on the system, the processor and AVX2", () => {
  const avx2 = () => "flags : sse4_2 avx2 bmi\n";
  expect(targetOf({ platform: "linux", arch: "x64" }, avx2)).toBe("linux-x64");
  expect(targetOf({ platform: "linux", arch: "x64" }, () => "flags : sse4_2\n")).toBe("linux-x64-baseline");
  expect(targetOf({ platform: "darwin", arch: "arm64" }, avx2)).toBe("darwin-arm64");
  expect(() => targetOf({ platform: "darwin", arch: "x64" }, avx2)).toThrow("no executable for darwin-x64");
});
