import { readFileSync } from "node:fs";
import { UserError } from "../../kernel/errors.ts";
import { type PublicKey, verifySignature } from "./minisign.ts";

/** The signed list of the files of a release. */
export const SUMS = "SHA256SUMS";
export const SIGNATURE = "SHA256SUMS.minisig";

/** A release whose list of checksums has a valid signature. */
export interface Release {
  version: string;
  /** The executable for this machine: its file in the folder of the release, and its SHA-256 in hex. */
  file: string;
  sha256: string;
  /** What the signer states about the release. */
  trustedComment: string;
}

/** The parts of `process` that determine the executable. */
export type Machine = Pick<NodeJS.Process, "platform" | "arch">;

const TARGETS = ["linux-x64", "linux-x64-baseline", "linux-arm64", "darwin-arm64"];
const LINE = /^([0-9a-f]{64}) [ *](\S+)$/;
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/;
/** The changelog names the version of the release in its file name. */
const CHANGELOG = /^CHANGELOG-(.+)\.md$/;

/** Reads a release. The version is in a signed file name, so no one can present an old release as a newer one. @throws UserError */
export function readRelease(sums: Uint8Array, signature: string, key: PublicKey, target: string): Release {
  const trustedComment = verifySignature(key, signature, sums);
  const files = new Map<string, string>();
  for (const line of Buffer.from(sums).toString().split("\n")) {
    const [, sha256, name] = LINE.exec(line.trim()) ?? [];
    if (sha256 && name) files.set(name, sha256);
  }
  const versions = [...files.keys()].flatMap((name) => CHANGELOG.exec(name)?.[1] ?? []);
  const [version] = versions;
  if (!version || versions.length > 1 || !VERSION.test(version)) {
    throw new UserError(`The release does not name its version: ${SUMS} must list one file CHANGELOG-VERSION.md.`);
  }
  const file = `postroom-${target}`;
  const sha256 = files.get(file);
  if (!sha256) throw new UserError(`Version ${version} has no executable for this machine (${file}).`);
  return { version, file, sha256, trustedComment };
}

/** Returns the name of the executable for this machine. @throws UserError if there is none */
export function targetOf({ platform, arch }: Machine, cpuinfo: () => string = readCpuinfo): string {
  const target = `${platform}-${arch}`;
  if (!TARGETS.includes(target)) throw new UserError(`Postroom has no executable for ${target}.`);
  if (target !== "linux-x64" || /\bavx2\b/.test(cpuinfo())) return target;
  return "linux-x64-baseline";
}

function readCpuinfo(): string {
  return readFileSync("/proc/cpuinfo", "utf8");
}

/** Compares two versions (semver.org §11). @returns a negative number if `a` is older, 0 if they are the same */
export function compareVersions(a: string, b: string): number {
  const [coreA, preA] = split(a);
  const [coreB, preB] = split(b);
  for (let i = 0; i < 3; i++) {
    const difference = (coreA[i] ?? 0) - (coreB[i] ?? 0);
    if (difference !== 0) return difference;
  }
  // A version before a release, such as 1.0.0-rc.1, is older than the release.
  if (preA.length === 0 || preB.length === 0) return preB.length - preA.length;
  for (let i = 0; i < Math.max(preA.length, preB.length); i++) {
    const difference = compareIdentifiers(preA[i], preB[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function split(version: string): [core: number[], pre: string[]] {
  const [, core = "", pre] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return [core.split(".").map(Number), pre === undefined ? [] : pre.split(".")];
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numberA && numberB) return Number(a) - Number(b);
  if (numberA !== numberB) return numberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
