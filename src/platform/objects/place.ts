import { isAbsolute, normalize } from "node:path";

/** A place for objects: a bucket with a prefix ("" for none), or the absolute path of a folder. */
export type StorePlace = { kind: "s3"; bucket: string; prefix: string } | { kind: "folder"; path: string };

/** Bucket names of Amazon S3, and the longer ones of other stores. */
const S3_PLACE = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,62})(?:\/([A-Za-z0-9._/-]*))?$/;

/** Parses "s3://bucket/prefix" or an absolute path; null for anything else. */
export function parsePlace(text: string): StorePlace | null {
  if (isAbsolute(text)) return { kind: "folder", path: normalize(text).replace(/(?<=.)\/+$/, "") };
  const [, bucket, path = ""] = S3_PLACE.exec(text) ?? [];
  const prefix = path.replace(/\/+$/, "");
  if (bucket === undefined || prefix.split("/").some((part, i) => (part === "" && i > 0) || /^\.{1,2}$/.test(part)))
    return null;
  return prefix.startsWith("/") ? null : { kind: "s3", bucket, prefix };
}
