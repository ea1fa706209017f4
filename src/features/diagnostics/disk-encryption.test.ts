import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { type BlockDevices, encryptionFinding, encryptionOf } from "./disk-encryption.ts";

/** A machine: devices by name, with their numbers and what each is built on. */
function machine(
  tree: Record<string, { number?: string; dev?: string; uuid?: string; below?: string[] }>,
): BlockDevices {
  const entries = Object.entries(tree);
  return {
    find: (device) => entries.find(([, { number, dev }]) => number === device || dev === device)?.[0] ?? null,
    mapperUuid: (name) => tree[name]?.uuid ?? null,
    below: (name) => tree[name]?.below ?? [],
  };
}
const mount = (device: string, point: string, type: string, source: string) =>
  `36 35 ${device} / ${point} rw,noatime master:1 - ${type} ${source} rw,errors=continue`;
const ROOT = mount("8:2", "/", "ext4", "/dev/sda2");
const PLAIN = { sda2: { number: "8:2", below: ["sda"] }, sda: { number: "8:0" } };
const CRYPT = { uuid: "CRYPT-LUKS2-0123-home", below: ["sdb1"] };

describe("the device of the data folder", () => {
  const cases: [what: string, expected: string, path: string, mounts: string[], tree: Parameters<typeof machine>[0]][] =
    [
      ["a partition", "plain", "/srv/postroom", [ROOT], PLAIN],
      [
        "LUKS under the root",
        "encrypted",
        "/data",
        [mount("253:0", "/", "ext4", "/dev/mapper/root")],
        {
          "dm-0": { number: "253:0", ...CRYPT },
        },
      ],
      [
        "LVM on LUKS",
        "encrypted",
        "/data",
        [mount("253:1", "/", "xfs", "/dev/mapper/vg-root")],
        {
          "dm-1": { number: "253:1", uuid: "LVM-abc", below: ["dm-0"] },
          "dm-0": CRYPT,
        },
      ],
      [
        "LVM on a bare disk",
        "plain",
        "/data",
        [mount("253:1", "/", "xfs", "/dev/mapper/vg-root")],
        {
          "dm-1": { number: "253:1", uuid: "LVM-CRYPT-abc", below: ["sda2"] },
          ...PLAIN,
        },
      ],
      [
        "an array with one member that is not encrypted",
        "plain",
        "/data",
        [mount("9:0", "/data", "ext4", "/dev/md0")],
        {
          md0: { number: "9:0", below: ["dm-0", "sda2"] },
          "dm-0": CRYPT,
          ...PLAIN,
        },
      ],
      [
        "an array of encrypted members",
        "encrypted",
        "/data",
        [mount("9:0", "/data", "ext4", "/dev/md0")],
        {
          md0: { number: "9:0", below: ["dm-0", "dm-1"] },
          "dm-0": CRYPT,
          "dm-1": CRYPT,
        },
      ],
      [
        "the mount nearest to the folder, with a blank in its name",
        "encrypted",
        "/mnt/my disk/data",
        [
          ROOT,
          mount("253:0", "/mnt/my\\040disk", "ext4", "/dev/mapper/usb"),
          mount("0:40", "/mnt/my", "tmpfs", "tmpfs"),
        ],
        { ...PLAIN, "dm-0": { number: "253:0", ...CRYPT } },
      ],
      [
        "a mount that covers another at the same mount point",
        "plain",
        "/data",
        [mount("253:0", "/data", "ext4", "/dev/mapper/a"), mount("8:2", "/data", "ext4", "/dev/sda2")],
        { ...PLAIN, "dm-0": { number: "253:0", ...CRYPT } },
      ],
      [
        "btrfs, whose mount number belongs to no device",
        "encrypted",
        "/data",
        [mount("0:27", "/", "btrfs", "/dev/mapper/root")],
        {
          "dm-0": { dev: "/dev/mapper/root", ...CRYPT },
        },
      ],
      [
        "an encrypting file system",
        "encrypted",
        "/home/ada/data",
        [ROOT, mount("0:50", "/home/ada", "ecryptfs", "/home/.ecryptfs/ada/.Private")],
        PLAIN,
      ],
      ["gocryptfs", "encrypted", "/vault/data", [ROOT, mount("0:51", "/vault", "fuse.gocryptfs", "/secret")], PLAIN],
      [
        "ZFS, which may or may not encrypt",
        "unknown",
        "/tank/data",
        [ROOT, mount("0:60", "/tank", "zfs", "tank")],
        PLAIN,
      ],
      ["a container's layers", "unknown", "/data", [mount("0:70", "/", "overlay", "overlay")], {}],
      ["a share of another machine", "unknown", "/data", [ROOT, mount("0:71", "/data", "nfs4", "nas:/mail")], PLAIN],
      [
        "a loop device",
        "unknown",
        "/data",
        [mount("7:0", "/data", "ext4", "/dev/loop0")],
        { loop0: { number: "7:0" } },
      ],
      [
        "a device that contains itself",
        "unknown",
        "/data",
        [mount("9:0", "/", "ext4", "/dev/md0")],
        {
          md0: { number: "9:0", below: ["md0"] },
        },
      ],
      ["a list of mounts without information", "unknown", "/data", ["", "junk - junk", "1 2 3"], {}],
    ];
  for (const [what, expected, path, mounts, tree] of cases) {
    test(`${what}: ${expected}`, () => {
      expect(encryptionOf(path, mounts.join("\n"), machine(tree))).toBe(expected as "plain");
    });
  }
});

const NONE = { database: false, copies: [], keyOnDisk: false };
const OLD = [
  { database: true, copies: [], keyOnDisk: false },
  { database: false, copies: ["upgrades/copy.db"], keyOnDisk: true },
];

test("while an index reveals words, anything but an encrypted device is advice that says what to do", () => {
  for (const old of OLD) {
    expect(encryptionFinding("/data", old, "encrypted").result).toBe("ok");
    for (const state of ["plain", "unknown"] as const) {
      const { check, result, detail } = encryptionFinding("/data", old, state);
      expect([check, result]).toEqual(["disk encryption", "advice"]);
      expect(detail).toMatch(/ reveals .*encrypted disk/);
    }
  }
});

test("without such an index, a plain device is advice about other visible data and does not mention revealed words", () => {
  const found = (["encrypted", "plain", "unknown"] as const).map((state) => encryptionFinding("/data", NONE, state));
  expect(found.map(({ result }) => result)).toEqual(["ok", "advice", "ok"]);
  for (const { detail } of found) expect(detail).not.toContain("reveals");
  expect(found[1]?.detail).toContain("share a sender");
  // The real machine that runs the test.
  expect(["ok", "advice"]).toContain(encryptionFinding(tmpdir(), NONE).result);
});

test("with the master key on the same disk, no finding calls the mail unreadable", () => {
  const here = { ...NONE, keyOnDisk: true };
  const found = (["encrypted", "plain", "unknown"] as const).map((state) => encryptionFinding("/data", here, state));
  expect(found.map(({ result }) => result)).toEqual(["ok", "advice", "ok"]);
  for (const { detail } of found.slice(1)) expect(detail).toContain("can read all mail");
});
