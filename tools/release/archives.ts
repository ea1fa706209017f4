import { createHash } from "node:crypto";
import { type Header, pack } from "tar-stream";

/**
 * Archives whose bytes depend only on their content: the order is that of the list, all files belong to root unless
 * an entry says otherwise, and the one time is that of the commit.
 */

/** A file, folder or link of an archive. */
export interface Entry {
  /** Path without a slash at the beginning or the end. */
  name: string;
  /** Permissions. Default: 0755 for folders, 0644 for files. */
  mode?: number;
  /** Owner and group. Default: root. */
  uid?: number;
  /** Content of a file. */
  bytes?: Uint8Array | string;
  /** Target of a symbolic link. An entry with neither content nor target is a folder. */
  link?: string;
}

/** The largest output of libdeflate at this level is 1 % smaller at the next one, which takes twice as long. */
const GZIP_LEVEL = 6;

/** Compresses bytes. Unlike zlib, libdeflate gives the same output on every processor. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return Bun.gzipSync(bytes as Uint8Array<ArrayBuffer>, { library: "libdeflate", level: GZIP_LEVEL });
}

/**
 * Returns a tar archive.
 * @param time seconds since 1970, the time of every entry
 */
export async function tar(entries: readonly Entry[], time: number): Promise<Buffer> {
  const archive = pack();
  const chunks: Uint8Array[] = [];
  const read = (async () => {
    for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  })();
  for (const { name, mode, uid = 0, bytes, link } of entries) {
    const type: Header["type"] = link !== undefined ? "symlink" : bytes !== undefined ? "file" : "directory";
    const header = {
      name: name + (type === "directory" ? "/" : ""),
      type,
      mode: mode ?? (type === "directory" ? 0o755 : type === "file" ? 0o644 : 0o777),
      uid,
      gid: uid,
      mtime: new Date(time * 1000),
      ...(link !== undefined && { linkname: link }),
    };
    await new Promise<void>((resolve, reject) => {
      archive.entry(header, Buffer.from(bytes ?? ""), (error) => (error ? reject(error) : resolve()));
    });
  }
  archive.finalize();
  await read;
  return Buffer.concat(chunks);
}

/** Returns the entries of all folders above the given entries, each before its first content. */
export function withFolders(entries: readonly Entry[]): Entry[] {
  const known = new Set<string>();
  const all: Entry[] = [];
  for (const entry of entries) {
    const parts = entry.name.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const name = parts.slice(0, depth).join("/");
      if (!known.has(name)) all.push({ name });
      known.add(name);
    }
    if (!known.has(entry.name)) all.push(entry);
    known.add(entry.name);
  }
  return all;
}

/** Returns an ar archive in the common format, as in Debian packages (deb(5)). Names have at most 16 characters. */
export function ar(files: readonly { name: string; bytes: Uint8Array }[], time: number): Buffer {
  const parts: Uint8Array[] = [Buffer.from("!<arch>\n")];
  for (const { name, bytes } of files) {
    const fields = [
      name.padEnd(16),
      String(time).padEnd(12),
      "0".padEnd(6),
      "0".padEnd(6),
      "100644".padEnd(8),
      String(bytes.length).padEnd(10),
    ];
    parts.push(Buffer.from(`${fields.join("")}\`\n`), bytes);
    if (bytes.length % 2 === 1) parts.push(Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}

/** Returns the SHA-256 in hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
