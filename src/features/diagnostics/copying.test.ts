import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyingStateAt } from "../../../test/support/copying-state.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { writeDrill } from "../../backup/continuous/drill-result.ts";
import { type CopyingState, writeCopyingState } from "../../backup/continuous/state.ts";
import { copyingFindings } from "./copying.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
  mkdirSync(join(scratch.data_dir, "run"), { recursive: true });
});
afterEach(() => scratch.close());

const PLACE = "s3://bucket/home";
/** As src/backup/target.ts makes it. */
const ID = `${PLACE} at s3.us-east-1.amazonaws.com`;
const MINUTE_MS = 60_000;

function findings(changes: Partial<CopyingState> | null, config = {}) {
  const { clock, data_dir } = scratch;
  const platform = scratch.another({ "backup.to": PLACE, ...config });
  if (changes) {
    writeCopyingState(data_dir, copyingStateAt(clock.now(), changes));
  }
  return copyingFindings(platform).map(({ result, detail }) => `${result}: ${detail}`);
}
const ago = (ms: number) => scratch.clock.now() - ms;

test("without a place or with the copy turned off, there is no finding", () => {
  expect(findings(null, { "backup.to": "" })).toEqual([]);
  expect(findings({}, { "backup.continuous": false })).toEqual([]);
});

test("nothing copied yet is advice, also when the state is of another place", () => {
  expect(findings(null)).toEqual([
    expect.stringMatching(/^advice: Nothing has been copied to s3:\/\/bucket\/home yet/),
  ]);
  expect(findings({ placeId: "/mnt/nas" })).toEqual([expect.stringMatching(/^advice: Nothing has been copied/)]);
});

test("a copy that has everything passes", () => {
  expect(findings({})).toEqual(["ok: All changes are in s3://bucket/home."]);
  expect(findings({ pending_since: ago(7_000) })).toEqual([
    "ok: All changes but those of 7 s are in s3://bucket/home.",
  ]);
});

test("a short delay is advice, and 15 minutes are a fault with the reason", () => {
  const failing = { failing_since: ago(MINUTE_MS), failures: 3, error: "s3://bucket/home cannot be reached." };
  expect(findings({ ...failing, pending_since: ago(5 * MINUTE_MS) })).toEqual([
    "advice: Copying to s3://bucket/home fails at the moment. s3://bucket/home cannot be reached.",
  ]);
  expect(findings({ ...failing, pending_since: ago(16 * MINUTE_MS) })).toEqual([
    "FAULT: Changes of 16 minutes are not in s3://bucket/home. s3://bucket/home cannot be reached.",
  ]);
});

test("the first copy of a large mailbox is no fault, however long it takes", () => {
  const first = { last: null, base: null, base_progress: { done: 40, total: 100 }, pending_since: ago(90 * MINUTE_MS) };
  expect(findings(first)).toEqual([
    "advice: Changes of 90 minutes are not in s3://bucket/home. A complete copy is being sent: 40%.",
  ]);
});

test("a server that reports nothing is advice", () => {
  expect(findings({ at: ago(10 * MINUTE_MS) })).toEqual([
    expect.stringMatching(/^advice: No server has copied changes to s3:\/\/bucket\/home since/),
  ]);
});

test("a machine that took over, and a lease that is not held, are faults that say what to do", () => {
  const holder = { name: "nuc", since: Date.parse("2026-03-02T08:00:00Z") };
  expect(findings({ lease: "taken_over", holder })).toEqual([
    "FAULT: nuc has been the primary since 2026-03-02T08:00:00.000Z, so this server does not act. To use this machine instead, turn the other one off and run 'postroom promote'. To make this machine a standby, move its data folder away and run 'postroom standby --from s3://bucket/home'.",
  ]);
  expect(findings({ lease: "waiting", lease_error: "The store cannot be reached." })).toEqual([
    "FAULT: This server does not act, because it does not hold the lease in s3://bucket/home. The store cannot be reached.",
  ]);
});

test("the last test restore is shown, and a failed one is a fault", () => {
  const { data_dir, clock } = scratch;
  const drill = { place: ID, at: clock.now(), ms: 252_000, state_at: clock.now(), restored: true };
  writeDrill(data_dir, { ...drill, ok: true, error: null });
  expect(findings({})[1]).toBe("ok: Restored and verified at 2026-03-02T09:00:00.000Z, in 252 s.");
  writeDrill(data_dir, { ...drill, ok: true, error: null, restored: false });
  expect(findings({})[1]).toContain("too little space to restore");
  writeDrill(data_dir, { ...drill, ok: false, error: "An object is missing.", state_at: null });
  expect(findings({})[1]).toBe("FAULT: The test restore of 2026-03-02T09:00:00.000Z failed: An object is missing.");
});
