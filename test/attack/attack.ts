import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import {
  alignBytes,
  alignTokens,
  type Codebook,
  cut,
  LONGEST_TOKEN,
  latin,
  matchCounts,
  SHORTEST_TOKEN,
} from "./alignment.ts";
import { type Disk, readDisk, type Sequence, type Value } from "./folder.ts";
import { wordsOf } from "./mails.ts";
import type { StoredMail } from "./old-index.ts";

/** A word that the attacker claims is in a message; null: in some message. */
export interface Claim {
  word: string;
  /** messages.n or messages.id. */
  message: string | null;
  where: string;
}

/** What the attacker has: two mails that they sent, and the ids of these in the database. */
export interface Chosen {
  mails: readonly StoredMail[];
  /** Words of the second mail by how often they occur. */
  counted: readonly string[];
}

/** A token with this many copies is worth counting. */
const MIN_REPEATS = 12;
const SEPARATORS = /[\s\0,;|/]+/;
/** Words in a row of a chosen mail, too many for a coincidence. */
const PHRASE_WORDS = 3;
/** Where compressed bytes may begin: at once, or behind a version, a length, a nonce. */
const HEADER_BYTES = [0, 1, 2, 4, 8, 12, 13, 16];
const SHORTEST_PACKED = 64;
/** Decompressors, and the bytes that their input must begin with. */
const UNPACK: { unpack(bytes: Buffer): Buffer; begins(bytes: Buffer): boolean }[] = [
  { unpack: gunzipSync, begins: (bytes) => bytes.readUInt16BE(0) === 0x1f8b },
  { unpack: inflateSync, begins: (bytes) => (bytes[0]! & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0 },
  { unpack: zstdDecompressSync, begins: (bytes) => bytes.readUInt32LE(0) === 0xfd2fb528 },
  // Neither format has a fixed beginning.
  { unpack: inflateRawSync, begins: () => true },
  { unpack: brotliDecompressSync, begins: () => true },
];
/** Databases are also read table by table, where the neighbors of a token are. */
const DATABASE = /\.db(-wal|-shm)?$/;

/**
 * Tries to read mail from a copy of a data folder without any key, with the help of two mails that the attacker sent.
 * Reads every table and file. Verifies what it learns from a place with the attacker's own mail before using it.
 */
export function attack(folder: string, chosen: Chosen): Claim[] {
  const disk = readDisk(folder);
  const words = wordsOf(chosen.mails[0]!.text);
  return [
    ...fromSequences(disk.sequences, words, chosen),
    ...fromSequences(separated(disk), words, chosen),
    ...fromBytes(disk.values, words, chosen),
    ...fromText(disk.values, words),
  ];
}

/** Returns separator-delimited tokens, in texts and in bytes. */
function separated({ values }: Disk): Sequence[] {
  return values.flatMap(({ where, names, bytes }) => {
    const tokens = Buffer.from(bytes)
      .toString("latin1")
      .split(SEPARATORS)
      .filter(({ length }) => length >= SHORTEST_TOKEN && length <= LONGEST_TOKEN);
    if (tokens.length < 2) return [];
    return names.length === 0 ? [{ where, name: "", tokens }] : names.map((name) => ({ where, name, tokens }));
  });
}

/** Learns by position and pattern in the first mail, and by count in the second; then reads all others. */
function fromSequences(sequences: readonly Sequence[], words: readonly string[], { counted }: Chosen): Claim[] {
  const codebooks = sequences.flatMap(({ tokens }) => [
    ...some(alignTokens(tokens, words)),
    ...some(matchCounts(tokens, counted)),
  ]);
  const merged: Codebook = new Map(codebooks.flatMap((codebook) => [...codebook]));
  if (merged.size === 0) return [];
  return sequences.flatMap(({ where, name, tokens }) =>
    [...new Set(tokens)].flatMap((token) => {
      const word = merged.get(token);
      return word === undefined ? [] : [{ word, message: name || null, where }];
    }),
  );
}

/** Does the same for tokens of any fixed width, which may begin at any byte. */
function fromBytes(values: readonly Value[], words: readonly string[], { counted }: Chosen): Claim[] {
  const learned = new Map<number, Codebook>();
  const learn = (width: number, found: Codebook | null) => {
    for (const [token, word] of found ?? []) learned.set(width, (learned.get(width) ?? new Map()).set(token, word));
  };
  for (const { where, bytes } of values) {
    const often = !DATABASE.test(where) && repeatsOften(bytes);
    for (let width = SHORTEST_TOKEN; width <= LONGEST_TOKEN; width++) {
      learn(width, alignBytes(bytes, width, words));
      for (let from = 0; often && from < width; from++) learn(width, matchCounts(cut(bytes, width, from), counted));
    }
  }
  return [...learned].flatMap(([width, codebook]) =>
    values.flatMap(({ where, names, bytes }) => {
      const found = new Set<string>();
      for (let at = 0; at + width <= bytes.length; at++) {
        const word = codebook.get(latin(bytes, at, width));
        if (word !== undefined) found.add(word);
      }
      return claims(where, names, found);
    }),
  );
}

/** Returns whether some four bytes, not all alike, occur often: otherwise no token can. */
function repeatsOften(bytes: Uint8Array): boolean {
  const counts = new Map<number, number>();
  for (let at = 0; at + 4 <= bytes.length; at++) {
    if (bytes[at] === bytes[at + 1] && bytes[at] === bytes[at + 2] && bytes[at] === bytes[at + 3]) continue;
    const four = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    const count = (counts.get(four) ?? 0) + 1;
    if (count >= MIN_REPEATS) return true;
    counts.set(four, count);
  }
  return false;
}

/** Finds words in clear, as UTF-16 and compressed, in places where the chosen mail can be read. */
function fromText(values: readonly Value[], words: readonly string[]): Claim[] {
  const phrases = Array.from({ length: Math.floor(words.length / PHRASE_WORDS) }, (_, i) =>
    words.slice(i * PHRASE_WORDS, (i + 1) * PHRASE_WORDS).join(" "),
  );
  const readings = values.flatMap(({ where, names, bytes }) =>
    readingsOf(bytes).map(({ how, text }) => ({ where, how, names, found: wordsOf(text) })),
  );
  const open = new Set<string>();
  for (const { where, how, found } of readings) {
    const text = found.join(" ");
    if (found.length > PHRASE_WORDS && phrases.some((phrase) => text.includes(phrase))) open.add(`${how} ${where}`);
  }
  return readings.flatMap(({ where, how, names, found }) =>
    open.has(`${how} ${where}`) ? claims(where, names, new Set(found)) : [],
  );
}

function readingsOf(bytes: Uint8Array): { how: string; text: string }[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const readings = [
    { how: "text", text: buffer.toString("latin1") },
    { how: "utf-16", text: buffer.toString("utf16le") },
  ];
  for (const from of HEADER_BYTES) {
    const packed = buffer.subarray(from);
    if (packed.length < SHORTEST_PACKED) break;
    for (const { unpack, begins } of UNPACK) {
      if (!begins(packed)) continue;
      try {
        readings.push({ how: "packed", text: unpack(packed).toString("latin1") });
      } catch {
        // Not compressed this way.
      }
    }
  }
  return readings;
}

function claims(where: string, names: readonly string[], words: ReadonlySet<string>): Claim[] {
  const messages = names.length === 0 ? [null] : names;
  return [...words].flatMap((word) => messages.map((message) => ({ word, message, where })));
}

const some = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/** Which of the claims are true. */
export interface Recovered {
  /** Pairs of a word and a message that has it. */
  pairs: number;
  /** All existing pairs. */
  of: number;
  /** Where they were learned. */
  where: string[];
}

/** Counts the correct claims. A claim about some message is correct when any message has the word, and counts once. */
export function recovered(claimed: readonly Claim[], victims: readonly StoredMail[]): Recovered {
  const byName = new Map<string, { n: number; words: Set<string> }>();
  const anywhere = new Set<string>();
  let of = 0;
  for (const { n, id, subject, text } of victims) {
    const words = new Set(wordsOf(`${subject} ${text}`));
    of += words.size;
    for (const word of words) anywhere.add(word);
    for (const name of [String(n), id]) byName.set(name, { n, words });
  }
  const pairs = new Set<string>();
  const where = new Set<string>();
  for (const { word, message, where: place } of claimed) {
    const victim = message === null ? null : byName.get(message);
    if (victim === undefined || !(victim?.words ?? anywhere).has(word)) continue;
    pairs.add(`${victim?.n ?? "any"} ${word}`);
    where.add(place);
  }
  return { pairs: pairs.size, of, where: [...where] };
}
