import { readFileSync, statSync, writeFileSync } from "node:fs";
import { between, pick } from "./campaign.ts";

/** Damages a file. @returns a description of the damage */
export function damage(path: string, random: () => number): string {
  const size = statSync(path).size;
  const bytes = readFileSync(path);
  const kind = pick(random, ["flip", "flip", "cut", "grow", "empty", "noise"]);
  if (kind === "flip" && size > 0) {
    const at = between(random, 0, size);
    bytes[at] = bytes[at]! ^ (1 << between(random, 0, 8));
    writeFileSync(path, bytes);
    return `a flipped bit at ${at} of ${size}`;
  }
  if (kind === "cut" && size > 1) {
    const left = between(random, 1, size);
    writeFileSync(path, bytes.subarray(0, left));
    return `a cut at ${left} of ${size}`;
  }
  if (kind === "grow") {
    const more = Buffer.alloc(between(random, 1, 70_000), 7);
    writeFileSync(path, Buffer.concat([bytes, more]));
    return `${more.length} bytes more than ${size}`;
  }
  if (kind === "empty") {
    writeFileSync(path, "");
    return "nothing in it";
  }
  writeFileSync(
    path,
    Buffer.from(Array.from({ length: Math.max(1, Math.min(size, 50_000)) }, () => between(random, 0, 256))),
  );
  return "noise in its place";
}
