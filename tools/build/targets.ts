import { readFileSync } from "node:fs";

/** The systems for which an executable can be built: those for which both native libraries are published. */
export type Platform = "linux-x64" | "linux-arm64" | "darwin-arm64";

export type TargetName = "linux-x64" | "linux-x64-baseline" | "linux-arm64" | "darwin-arm64";

export interface Target {
  /** The platform whose native files are included. */
  platform: Platform;
  /** Bun's name of the target. */
  bun: `bun-${string}`;
  /** The npm package with Bun's executable for the target, and the SHA-256 of that executable. */
  runtime: { package: string; sha256: string };
}

/** The version of Bun of the executables below. A test compares it with that in `package.json`. */
export const RUNTIME_VERSION = "1.4.5";

/** Since 1.4, Bun has one executable for every x64 processor, which both x64 targets use. */
const X64_SHA256 = "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083";

export const TARGETS: Record<TargetName, Target> = {
  "linux-x64": {
    platform: "linux-x64",
    bun: "bun-linux-x64",
    runtime: { package: "@oven/bun-linux-x64", sha256: X64_SHA256 },
  },
  "linux-x64-baseline": {
    platform: "linux-x64",
    bun: "bun-linux-x64-baseline",
    runtime: { package: "@oven/bun-linux-x64-baseline", sha256: X64_SHA256 },
  },
  "linux-arm64": {
    platform: "linux-arm64",
    bun: "bun-linux-arm64",
    runtime: {
      package: "@oven/bun-linux-aarch64",
      sha256: "04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923",
    },
  },
  "darwin-arm64": {
    platform: "darwin-arm64",
    bun: "bun-darwin-arm64",
    runtime: {
      package: "@oven/bun-darwin-aarch64",
      sha256: "e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f",
    },
  },
};

/**
 * Returns the target with this name, or with Bun's name, such as `bun-linux-arm64`.
 * @throws Error that names all targets
 */
export function targetNamed(name: string): TargetName {
  const short = name.replace(/^bun-/, "");
  if (Object.hasOwn(TARGETS, short)) return short as TargetName;
  throw new Error(
    `cannot build for ${name || "nothing"}: the native libraries exist for ${Object.keys(TARGETS).join(", ")}`,
  );
}

/** Returns the target of the building machine. Without AVX2, as on many small servers, that is the baseline build. */
export function hostTarget(): TargetName {
  const target = targetNamed(`${process.platform}-${process.arch}`);
  if (target !== "linux-x64") return target;
  return /\bavx2\b/.test(readFileSync("/proc/cpuinfo", "utf8")) ? target : "linux-x64-baseline";
}
