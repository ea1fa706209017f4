import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { RUNTIME_VERSION, TARGETS, targetNamed } from "./targets.ts";

test.each([
  ["linux-x64", "linux-x64"],
  ["linux-x64-baseline", "linux-x64"],
  ["linux-arm64", "linux-arm64"],
  ["darwin-arm64", "darwin-arm64"],
  ["bun-linux-x64", "linux-x64"],
  ["bun-linux-x64-baseline", "linux-x64"],
  ["bun-linux-arm64", "linux-arm64"],
])("%s includes the files of %s", (name, platform) => {
  expect(TARGETS[targetNamed(name)].platform).toBe(platform as "linux-x64");
});

test.each(["linux-x64-musl", "bun-windows-x64", "darwin-x64", "toString", ""])("%p is refused", (name) => {
  expect(() => targetNamed(name)).toThrow(
    "the native libraries exist for linux-x64, linux-x64-baseline, linux-arm64, darwin-arm64",
  );
});

test("the pinned executables of Bun have the version of package.json", () => {
  expect(manifest.packageManager).toBe(`bun@${RUNTIME_VERSION}`);
});
