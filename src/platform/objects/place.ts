import { isIP } from "node:net";
import { isAbsolute, normalize } from "node:path";

/** A folder on a server with SSH. */
export interface SftpPlace {
  kind: "sftp";
  user: string;
  /** An IPv6 address without brackets. */
  host: string;
  port: number;
  /** Absolute, or relative to the home folder of the user; "." is the home folder. */
  path: string;
}

/** A place for objects: a bucket with a prefix ("" for none), the absolute path of a folder, or a folder over SSH. */
export type StorePlace = { kind: "s3"; bucket: string; prefix: string } | { kind: "folder"; path: string } | SftpPlace;

/** Bucket names of Amazon S3, and the longer ones of other stores. */
const S3_PLACE = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,62})(?:\/([A-Za-z0-9._/-]*))?$/;
const SFTP_PLACE = /^sftp:\/\/([^\s@/:]+)@(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(\d{1,5}))?(\/.*)$/i;
const SSH_PORT = 22;

/** Parses "s3://bucket/prefix", "sftp://user@host:port/path" or an absolute path; null for anything else. */
export function parsePlace(text: string): StorePlace | null {
  if (isAbsolute(text)) return { kind: "folder", path: normalize(text).replace(/(?<=.)\/+$/, "") };
  if (text.startsWith("sftp://")) return parseSftp(text);
  const [, bucket, path = ""] = S3_PLACE.exec(text) ?? [];
  const prefix = path.replace(/\/+$/, "");
  if (bucket === undefined || prefix.split("/").some((part, i) => (part === "" && i > 0) || /^\.{1,2}$/.test(part)))
    return null;
  return prefix.startsWith("/") ? null : { kind: "s3", bucket, prefix };
}

/** Returns the text that `parsePlace` reads as this place. */
export function sftpText({ user, host, port, path }: SftpPlace): string {
  const at = isIP(host) === 6 ? `[${host}]` : host;
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const full = path === "." ? "/~" : path === "/" ? "/" : path.startsWith("/") ? encoded : `/~/${encoded}`;
  return `sftp://${encodeURIComponent(user)}@${at}${port === SSH_PORT ? "" : `:${port}`}${full}`;
}

/** `/~/` at the beginning of the path is the home folder, as in curl. Names may be percent-encoded. */
function parseSftp(text: string): SftpPlace | null {
  const [, user, bracketed, digits, path] = SFTP_PLACE.exec(text) ?? [];
  if (user === undefined || bracketed === undefined || path === undefined) return null;
  const host = bracketed.replace(/^\[|\]$/g, "").toLowerCase();
  const port = digits === undefined ? SSH_PORT : Number(digits);
  if ((bracketed.startsWith("[") && isIP(host) !== 6) || port < 1 || port > 65_535) return null;
  const parts = decoded(path.replace(/\/+$/, "").slice(1));
  const name = decoded(user)?.[0];
  if (name === undefined || parts === null) return null;
  if (parts.length === 1 && parts[0] === "") return { kind: "sftp", user: name, host, port, path: "/" };
  if (parts.some((part) => part === "" || part === "." || part === "..")) return null;
  const [first, ...rest] = parts;
  const folder = first === "~" ? rest.join("/") || "." : `/${parts.join("/")}`;
  return { kind: "sftp", user: name, host, port, path: folder };
}

/** Returns the parts between slashes; null if one cannot be a name. */
function decoded(text: string): string[] | null {
  try {
    const parts = text.split("/").map(decodeURIComponent);
    return parts.some((part) => /[/\p{Cc}]/u.test(part)) ? null : parts;
  } catch {
    return null;
  }
}
