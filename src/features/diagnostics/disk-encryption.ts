/**
 * Detects whether the data folder is on an encrypted device, without privileges and without running another program.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { advice, type Finding, ok } from "./finding.ts";

/** `plain`: no encryption is visible. A self-encrypting drive, or a folder encrypted by fscrypt, also appears plain. */
export type DiskEncryption = "encrypted" | "plain" | "unknown";

/** Kernel information about block devices (Linux, sysfs), by name: `dm-0`, `sda1`. */
export interface BlockDevices {
  /**
   * Returns the name of a device.
   * @param device `major:minor`, or a path under /dev
   * @returns null if it is not a block device
   */
  find(device: string): string | null;
  /** The UUID of a device-mapper device, such as `CRYPT-LUKS2-…` or `LVM-…`; null for others. */
  mapperUuid(name: string): string | null;
  /** The devices that it is built on: physical volumes, members of an array, the disk of a partition. */
  below(name: string): string[];
}

/** File systems that encrypt their content. */
const ENCRYPTING = new Set(["ecryptfs", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.securefs"]);
/** File systems whose disk is unknown: layers, networks and those that may encrypt data themselves. */
const OPAQUE = /^(zfs|bcachefs|overlay|aufs|nfs\d?|cifs|smb3|9p|virtiofs|ceph|tmpfs|ramfs|fuse(\..*)?|fuseblk)$/;
const DEEPEST = 16;

/**
 * Determines the encryption of a path from the list of mounts and the tree of devices.
 * @param path absolute, without symbolic links
 * @param mountinfo as /proc/self/mountinfo, see proc_pid_mountinfo(5)
 */
export function encryptionOf(path: string, mountinfo: string, devices: BlockDevices): DiskEncryption {
  const mount = mountOf(path, mountinfo);
  if (mount === null) return "unknown";
  if (ENCRYPTING.has(mount.type)) return "encrypted";
  if (OPAQUE.test(mount.type)) return "unknown";
  // btrfs gives its mounts numbers that belong to no device; their source names one.
  const name = devices.find(mount.device) ?? (mount.source.startsWith("/dev/") ? devices.find(mount.source) : null);
  return name === null ? "unknown" : encryptionOfDevice(name, devices, 0);
}

function encryptionOfDevice(name: string, devices: BlockDevices, depth: number): DiskEncryption {
  if (depth > DEEPEST) return "unknown";
  if (devices.mapperUuid(name)?.startsWith("CRYPT-")) return "encrypted";
  // A loop device is backed by a file, whose location is unknown.
  if (/^(loop|nbd|rbd|zd)\d/.test(name)) return "unknown";
  const found = devices.below(name).map((lower) => encryptionOfDevice(lower, devices, depth + 1));
  if (found.length === 0) return "plain";
  // One unencrypted member of an array is enough to read part of the data.
  return found.find((each) => each === "plain") ?? found.find((each) => each === "unknown") ?? "encrypted";
}

/**
 * Returns the mount that contains a path: the longest mount point, and of equal ones the last, which covers the others.
 */
function mountOf(path: string, mountinfo: string): { device: string; type: string; source: string } | null {
  let best: { point: string; device: string; type: string; source: string } | null = null;
  for (const line of mountinfo.split("\n")) {
    const [before, after] = line.split(" - ");
    const [, , device, , escaped] = before!.split(" ");
    const [type, source] = (after ?? "").split(" ");
    if (device === undefined || escaped === undefined || !type || source === undefined) continue;
    const point = unescaped(escaped);
    const isIn = path === point || path.startsWith(point === "/" ? "/" : `${point}/`);
    if (isIn && point.length >= (best?.point.length ?? 0)) best = { point, device, type, source: unescaped(source) };
  }
  return best;
}

/** mountinfo writes blanks and backslashes in octal. */
const unescaped = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Reads /sys, which every user may read. */
const linuxDevices: BlockDevices = {
  find(device) {
    const path = device.startsWith("/dev/")
      ? join("/sys/class/block", basename(realpathSync(device)))
      : join("/sys/dev/block", device);
    return existsSync(path) ? basename(realpathSync(path)) : null;
  },
  mapperUuid(name) {
    const path = join("/sys/class/block", name, "dm/uuid");
    return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
  },
  below(name) {
    const path = realpathSync(join("/sys/class/block", name));
    if (existsSync(join(path, "partition"))) return [basename(dirname(path))];
    const slaves = join(path, "slaves");
    return existsSync(slaves) ? readdirSync(slaves) : [];
  },
};

function detectEncryption(data_dir: string): DiskEncryption {
  if (process.platform !== "linux") return "unknown";
  try {
    return encryptionOf(realpathSync(data_dir), readFileSync("/proc/self/mountinfo", "utf8"), linuxDevices);
  } catch {
    // A sandbox may hide /sys.
    return "unknown";
  }
}

/**
 * Advises disk encryption. The advice is stronger while an index of an earlier version, in the database or in a copy of
 * it, reveals words. Otherwise it covers what can still be seen without a key (docs/security.md).
 * @param seen.keyOnDisk whether the master key is in the data folder, where it opens everything
 */
export function encryptionFinding(
  data_dir: string,
  seen: { database: boolean; copies: readonly string[]; keyOnDisk: boolean },
  encryption = detectEncryption(data_dir),
): Finding {
  const check = "disk encryption";
  if (encryption === "encrypted") return ok(check, "The data folder is on an encrypted device.");
  const where = seen.database
    ? "the search index of an earlier version, which is being replaced,"
    : "a database copy from before an upgrade";
  if (seen.database || seen.copies.length > 0) {
    const why = `${where} reveals most words of your mail to anyone with the disk (docs/security.md)`;
    return encryption === "plain"
      ? advice(check, `None found, and ${why}. Move the data folder to an encrypted disk, for example with LUKS.`)
      : advice(
          check,
          `Encryption cannot be detected here, and ${why}. Make sure that the data folder is on an encrypted disk.`,
        );
  }
  if (seen.keyOnDisk) {
    return encryption === "plain"
      ? advice(
          check,
          "None found, and the master key is stored with the data: anyone with the disk can read all mail. Move the data folder to an encrypted disk, or the key elsewhere.",
        )
      : ok(
          check,
          "Encryption cannot be detected here. Without it, anyone with the disk can read all mail, because the master key is stored with the data.",
        );
  }
  const rest = "which messages share a sender, a subject or an address (docs/security.md)";
  return encryption === "plain"
    ? advice(
        check,
        `None found. No words of your mail can be read without the key, but anyone with the disk can see ${rest}. An encrypted disk hides this as well.`,
      )
    : ok(check, `Encryption cannot be detected here. An encrypted disk also hides ${rest}.`);
}
