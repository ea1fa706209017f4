import { createHash } from "node:crypto";
import { ar, type Entry, gzip, tar, withFolders } from "./archives.ts";

export type DebianArchitecture = "amd64" | "arm64";

export interface DebianInput {
  /** Version of the release, such as "1.0.0-rc.1". */
  version: string;
  architecture: DebianArchitecture;
  /** Seconds since 1970, the time of every file. */
  time: number;
  executable: Uint8Array;
  /** deploy/systemd/postroom.service, in which the program is in /usr/local/bin. */
  unit: string;
  copyright: string;
  changelog: string;
}

/** In a package, the unit is in the system's folder and the user is created by sysusers. */
export function packagedUnit(unit: string): string {
  const body = unit.slice(unit.indexOf("[Unit]"));
  if (body.split("/usr/local/bin/postroom").length !== 3) {
    throw new Error(
      "deploy/systemd/postroom.service must name /usr/local/bin/postroom in ExecStart and ExecPaths only",
    );
  }
  const head = [
    "# Change settings with: systemctl edit postroom",
    "# Commands run as the same user: sudo -u postroom postroom account list --data /var/lib/postroom",
    "",
  ];
  return `${head.join("\n")}\n${body.replaceAll("/usr/local/bin/postroom", "/usr/bin/postroom")}`;
}

const SYSUSERS = `# The user of postroom.service
u postroom - "Postroom" /var/lib/postroom /usr/sbin/nologin
`;

/** What debhelper writes for a package with a user and a service, without debhelper. */
const SCRIPTS = {
  postinst: `#!/bin/sh
set -e
case "$1" in
  configure | abort-upgrade | abort-deconfigure | abort-remove) ;;
  *) exit 0 ;;
esac
systemd-sysusers postroom.conf
deb-systemd-helper unmask postroom.service >/dev/null || true
if deb-systemd-helper --quiet was-enabled postroom.service; then
  deb-systemd-helper enable postroom.service >/dev/null || true
else
  deb-systemd-helper update-state postroom.service >/dev/null || true
fi
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  if [ -n "$2" ]; then action=restart; else action=start; fi
  deb-systemd-invoke "$action" postroom.service >/dev/null || true
fi
if [ -z "$2" ]; then
  echo 'Postroom: the address for the first sign-in is in the log: journalctl -u postroom'
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop postroom.service >/dev/null || true
fi
`,
  // Mail and keys are never deleted by a package manager.
  postrm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = purge ]; then
  deb-systemd-helper purge postroom.service >/dev/null || true
  if [ -d /var/lib/postroom ]; then
    echo 'Postroom: your mail and keys are kept in /var/lib/postroom. Delete the folder if you no longer need them.'
  fi
fi
`,
};

/** Returns a version in Debian's order, in which "1.0.0~rc.1" is older than "1.0.0". */
export function debianVersion(version: string): string {
  return version.replace("-", "~");
}

/** Returns the name of the package's file. */
export function debianName(version: string, architecture: DebianArchitecture): string {
  return `postroom_${version}_${architecture}.deb`;
}

/** Returns a Debian package (deb(5), format 2.0) with the executable, the systemd unit and the service's user. */
export async function debianPackage(input: DebianInput): Promise<Buffer> {
  const { version, architecture, time, executable, unit, copyright, changelog } = input;
  const files: Entry[] = [
    { name: "usr/bin/postroom", mode: 0o755, bytes: executable },
    { name: "usr/lib/systemd/system/postroom.service", bytes: packagedUnit(unit) },
    { name: "usr/lib/sysusers.d/postroom.conf", bytes: SYSUSERS },
    { name: "usr/share/doc/postroom/changelog.gz", bytes: gzip(Buffer.from(changelog)) },
    { name: "usr/share/doc/postroom/copyright", bytes: copyright },
  ];
  const sizes = files.map(({ bytes }) => Math.ceil(Buffer.byteLength(bytes!) / 1024));
  const control = [
    "Package: postroom",
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    "Maintainer: The Postroom authors <maintainers@postroom.example>",
    `Installed-Size: ${sizes.reduce((sum, size) => sum + size, 0)}`,
    // 2.34 and GCC 11 are the oldest that the runtime and the native libraries start with (docs/decisions/0001).
    "Depends: init-system-helpers (>= 1.54), libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11), systemd | systemd-sysusers",
    "Section: mail",
    "Priority: optional",
    "Description: REST API, search and automation for all your mailboxes",
    " Postroom keeps an encrypted, synced copy of your mail. It has one REST API over",
    " all your mailboxes, search, drafts, sending with undo, signed webhooks, and tools",
    " for AI assistants.",
    " .",
    " The service runs as the user postroom and listens on 127.0.0.1, port 8025.",
    "",
  ].join("\n");
  const md5 = (bytes: Uint8Array | string) => createHash("md5").update(bytes).digest("hex");
  const sums = files.map(({ name, bytes }) => `${md5(bytes!)}  ${name}\n`).join("");
  const scripts = Object.entries(SCRIPTS).map(([name, bytes]) => ({ name, bytes, mode: 0o755 }));
  const root: Entry = { name: "." };
  const rooted = async (entries: Entry[]) => gzip(await tar([root, ...withFolders(entries)].map(dotted), time));
  return ar(
    [
      { name: "debian-binary", bytes: Buffer.from("2.0\n") },
      {
        name: "control.tar.gz",
        bytes: await rooted([{ name: "control", bytes: control }, { name: "md5sums", bytes: sums }, ...scripts]),
      },
      { name: "data.tar.gz", bytes: await rooted(files) },
    ],
    time,
  );
}

const dotted = (entry: Entry): Entry => (entry.name === "." ? entry : { ...entry, name: `./${entry.name}` });
