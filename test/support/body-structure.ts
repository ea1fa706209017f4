import type { MessageStructureObject } from "imapflow";
import { parseBodystructure } from "imapflow/lib/tools.js";
import { fieldText } from "../../src/wire/mime/raw-headers.ts";
import { readTree, type SourcePart } from "../../src/wire/mime/tree.ts";

/** imapflow's token for a string of an IMAP answer. */
interface Token {
  value: string;
}
type Entry = Token | null | Entry[];

const token = (value: string): Token => ({ value });

/** A message in parts, as an IMAP server returns it. */
export interface ServedMessage {
  header: Uint8Array;
  structure: MessageStructureObject;
  /** Body bytes in their transfer encoding, by part number. */
  parts: Map<string, Uint8Array>;
}

/**
 * Returns what a server reports about `raw`: the BODYSTRUCTURE with parameters exactly as the message has them (RFC
 * 9051 §7.5.2), read by imapflow's own code, and the bytes of every leaf part.
 */
export function serve(raw: Uint8Array): ServedMessage {
  const root = readTree(raw);
  const parts = new Map<string, Uint8Array>();
  const collect = (part: SourcePart) => {
    if (part.children.length === 0) parts.set(part.part ?? "1", raw.subarray(part.start, part.end));
    for (const child of part.children) collect(child);
  };
  collect(root);
  return { header: raw.subarray(0, root.start), structure: parseBodystructure(entryOf(root) as never), parts };
}

function entryOf(part: SourcePart): Entry {
  const field = (name: string) => {
    const found = part.fields.find((candidate) => candidate.name === name);
    return found ? fieldText(found) : "";
  };
  const disposition = field("content-disposition");
  const dispositionEntry = disposition === "" ? null : [token(part.disposition), paramsOf(disposition)];
  const [type, subtype] = part.mime.split("/") as [string, string];
  if (part.children.length > 0) {
    return [
      ...part.children.map(entryOf),
      token(subtype),
      paramsOf(field("content-type")),
      dispositionEntry,
      null,
      null,
    ];
  }
  const id = field("content-id");
  const leaf: Entry[] = [
    token(type),
    token(subtype),
    paramsOf(field("content-type")),
    id === "" ? null : token(id),
    null,
    token(part.encoding || "7bit"),
    token(String(part.end - part.start)),
  ];
  const inner: Entry[] = part.mime === "message/rfc822" ? [null, [token("text"), token("plain")], token("1")] : [];
  const lines: Entry[] = type === "text" ? [token("1")] : [];
  return [...leaf, ...inner, ...lines, null, dispositionEntry, null, null];
}

/** Returns parameters undecoded, as servers pass them on. */
function paramsOf(value: string): Entry {
  const list: Entry[] = [];
  for (const [, name, quoted, plain] of value.matchAll(/;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g)) {
    list.push(token(name!), token(quoted?.replace(/\\(["\\])/g, "$1") ?? plain!.trim()));
  }
  return list.length === 0 ? null : list;
}
