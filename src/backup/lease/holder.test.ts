import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFiles, isDataPath, LEASE_FILE } from "../data-files.ts";
import { type LeaseBody, newId } from "./body.ts";
import { type Holder, hasEnded, isOwn, readHolder, withTaken } from "./holder.ts";

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "postroom-holder-"));
  data = join(root, "data");
  cpSync(mkdtempSync(join(root, "empty-")), data, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const bodyOf = ({ id, session, boot }: Holder): LeaseBody => {
  const about = { token: 1, nonce: newId(), name: "cellar", mode: "standby" as const, released: false };
  return { format: 1, holder: id, session, boot, ...about, takenAt: 0, writtenAt: 0, log: null };
};

test("each process of a folder has its own session, and they are the same holder", () => {
  const [first, second] = [readHolder(data), readHolder(data)];
  expect(second.id).toBe(first.id);
  expect(second.session).not.toBe(first.session);
  expect([isOwn(second, bodyOf(first)), hasEnded(second, bodyOf(first))]).toEqual([true, true]);
});

test("a copy of a folder is another holder, and recognizes what the original wrote before", () => {
  const first = readHolder(data);
  first.remember(withTaken(first.memory, first.session, 4));
  const copy = join(root, "copy");
  cpSync(data, copy, { recursive: true });
  const moved = readHolder(copy);
  expect(moved.id).not.toBe(first.id);
  expect([isOwn(moved, bodyOf(first)), hasEnded(moved, bodyOf(first)), moved.memory.token]).toEqual([true, false, 4]);
  const later = readHolder(data);
  expect(isOwn(moved, bodyOf(later))).toBe(false);
});

test("a restored folder, which has no memory, is another holder", () => {
  const first = readHolder(data);
  first.remember(withTaken(first.memory, first.session, 4));
  rmSync(join(data, LEASE_FILE));
  const restored = readHolder(data);
  expect([restored.id === first.id, isOwn(restored, bodyOf(first)), restored.memory.token]).toEqual([false, false, 0]);
});

test("a process that ran before a restart of the machine has not certainly ended", () => {
  const first = readHolder(data);
  const body = bodyOf({ ...first, boot: newId() });
  expect([isOwn(readHolder(data), body), hasEnded(readHolder(data), body)]).toEqual([true, false]);
  expect(hasEnded({ ...first, boot: null }, { ...body, boot: null })).toBe(false);
});

test("the memory is private, is not part of a backup, and is replaced if it is damaged", () => {
  const { id } = readHolder(data);
  const path = join(data, LEASE_FILE);
  expect(statSync(path).mode & 0o077).toBe(0);
  expect([[...dataFiles(data, [])], isDataPath(LEASE_FILE)]).toEqual([[], false]);
  expect(readFileSync(path, "utf8")).not.toContain(id);
  writeFileSync(path, "{");
  const next = readHolder(data);
  expect(next.memory.token).toBe(0);
  expect(readHolder(data).id).toBe(next.id);
});

test("the memory keeps the newest sessions and the highest token", () => {
  let { memory } = readHolder(data);
  const sessions = Array.from({ length: 12 }, newId);
  for (const [i, session] of sessions.entries()) memory = withTaken(memory, session, i);
  memory = withTaken(memory, sessions[11]!, 3);
  expect(memory.sessions).toEqual(sessions.slice(-8));
  expect(memory.token).toBe(11);
});
