import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFolder, freeBytes, requireFolder } from "./folder.ts";

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "postroom-folder-"));
  data = join(root, "data");
  mkdirSync(data);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NO_FSTAB = "/nonexistent/fstab";
const at = (...names: string[]) => join(root, ...names);
const check = (path: string, fstab = NO_FSTAB) => checkFolder(data, path, fstab);

describe("a folder for backups", () => {
  test("is created if only its last part is missing, and the test file is removed", () => {
    expect(check(`${at("backups")}/`).path).toBe(at("backups"));
    expect(readdirSync(at("backups"))).toEqual([]);
    expect(freeBytes(at("backups"))).toBeGreaterThan(0);
    requireFolder(check(at("backups")));
  });

  test.each<[string, () => string, RegExp]>([
    ["a relative path", () => "backups", /begins with a slash/],
    ["a path with a line break", () => `${at("a")}\nb`, /not the path of a folder/],
    ["a folder that does not exist", () => at("usb", "backups"), /does not exist.*connect the drive/],
    ["the data folder", () => data, /in the data folder/],
    ["a folder in the data folder", () => join(data, "backups"), /in the data folder/],
    ["a path that leads to it", () => `${at("x")}/../data/backups`, /in the data folder/],
    ["a file", () => at("file"), /is a file/],
    ["a path below a file", () => at("file", "backups"), /is a file|below a file/],
  ])("is refused: %s", (_, path, reason) => {
    writeFileSync(at("file"), "");
    expect(() => check(path())).toThrow(reason);
    expect(existsSync(join(data, "backups"))).toBe(false);
  });

  test("is refused if a link leads into the data folder", () => {
    symlinkSync(data, at("link"));
    expect(() => check(at("link", "backups"))).toThrow(/in the data folder/);
  });

  test("is refused if Postroom may not write to it", () => {
    mkdirSync(at("locked"));
    chmodSync(at("locked"), 0o500);
    // Permissions do not stop root, but in this part of the system no one can create folders.
    const locked = process.getuid?.() === 0 ? "/sys/backups" : at("locked");
    expect(() => check(locked)).toThrow(/not permitted to write|read-only/);
  });

  test("is refused, with the name of the drive, if the system lists a drive for it that is not mounted", () => {
    mkdirSync(at("my usb"));
    const fstab = at("fstab");
    writeFileSync(
      fstab,
      `# drives\nUUID=1 / ext4 defaults 0 1\nUUID=2 ${at("my usb").replace(" ", "\\040")} ext4 nofail 0 2\n`,
    );
    expect(() => check(at("my usb", "backups"), fstab)).toThrow(`The drive of ${at("my usb")} is not mounted`);
    expect(readdirSync(at("my usb"))).toEqual([]);
    expect(check(at("elsewhere"), fstab).path).toBe(at("elsewhere"));
  });

  test("that was on a drive is refused while the drive is not mounted, and when it is missing", () => {
    mkdirSync(at("usb", "backups"), { recursive: true });
    const chosen = { path: at("usb", "backups"), mount: at("usb") };
    expect(() => requireFolder(chosen)).toThrow(`The drive of ${at("usb")} is not mounted`);
    expect(() => requireFolder({ path: at("gone"), mount: null })).toThrow(/does not exist/);
  });

  test.skipIf(!existsSync("/dev/shm"))("on another drive remembers where the drive is mounted", () => {
    const path = join("/dev/shm", `postroom-${process.pid}`);
    try {
      const chosen = check(path);
      expect(chosen.mount === null || path.startsWith(chosen.mount)).toBe(true);
      requireFolder(chosen);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
