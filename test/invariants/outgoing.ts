import { FIND_JOB, SETTLE_JOB, STORE_JOB } from "../../src/outbound/sends/dispatch.ts";
import { DISPATCH_JOB } from "../../src/outbound/sends/store.ts";
import { checkDeliveries } from "./deliveries.ts";
import { type Fixture, rows, sealerOf } from "./finding.ts";

/** Jobs that end a send. */
const ENDING = [DISPATCH_JOB, SETTLE_JOB, STORE_JOB, FIND_JOB].map((kind) => `'${kind}'`).join(", ");

/** Checks sends, events, deliveries and jobs. @returns how many sends and events */
export function checkOutgoing(fixture: Fixture): { sends: number; events: number } {
  checkSends(fixture);
  checkSendEvents(fixture);
  checkDeliveries(fixture);
  checkJobs(fixture);
  const [counts] = rows<{ sends: number; events: number }>(
    fixture.platform,
    "SELECT (SELECT count(*) FROM sends) AS sends, (SELECT count(*) FROM events) AS events",
  );
  return counts!;
}

/** Checks that a send has ended, or that a job will end it, and that its fields are consistent. */
function checkSends({ platform, settled, miss }: Fixture): void {
  const report = (query: string, words: string) => {
    for (const { id } of rows<{ id: string }>(platform, query)) miss("sends", `${id} ${words}`);
  };
  const open = "SELECT id FROM sends WHERE status IN ('scheduled', 'sending')";
  if (settled) report(open, "has not ended");
  else
    report(
      `${open} AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.state IN ('pending', 'running') AND j.kind IN (${ENDING})
         AND (j.dedupe_key = sends.id OR (j.dedupe_key IS NULL AND j.user_id = sends.user_id)))`,
      "has not ended, and no job will end it",
    );
  report(
    "SELECT id FROM sends WHERE status NOT IN ('scheduled', 'sending') AND finished_at IS NULL",
    "has ended without an end time",
  );
  report("SELECT id FROM sends WHERE status = 'failed' AND outcome IS NULL", "has failed without a reason");
  report("SELECT id FROM sends WHERE status = 'sent' AND handed_over_at IS NULL", "was sent but never submitted");
  report(
    `SELECT id FROM sends s WHERE status = 'sent' AND draft_id IS NOT NULL
       AND ${settled ? 1 : "NOT EXISTS (SELECT 1 FROM drafts d WHERE d.id = s.draft_id)"}`,
    "was sent but is not stored",
  );
  report("SELECT id FROM sends s WHERE status = 'undone' AND handed_over_at IS NOT NULL", "was canceled but submitted");
  for (const { id } of rows<{ id: string }>(
    platform,
    `SELECT d.id FROM drafts d LEFT JOIN sends s ON s.id = d.send_id
     WHERE d.send_id IS NOT NULL AND (s.id IS NULL OR s.status IN ('failed', 'undone'))`,
  )) {
    miss("sends", `${id} is locked by a send that has ended or does not exist`);
  }
}

/** Checks that each ended send has one event, and no other send has one. */
function checkSendEvents({ platform, miss }: Fixture): void {
  const announced = new Map<string, string[]>();
  const log = rows<{ id: string; user_id: string; type: string; payload: Uint8Array; created_at: number }>(
    platform,
    "SELECT id, user_id, type, payload, created_at FROM events WHERE type IN ('send.completed', 'send.failed')",
  );
  for (const { id, user_id, type, payload } of log) {
    try {
      const opened = sealerOf(platform, user_id)?.openJson<{ send_id: string }>(`events.payload:${id}`, payload);
      if (opened) announced.set(opened.send_id, [...(announced.get(opened.send_id) ?? []), type]);
    } catch {
      // Counted with the sealed values.
    }
  }
  const oldest = rows<{ at: number | null }>(platform, "SELECT min(created_at) AS at FROM events")[0]!.at ?? 0;
  const sends = rows<{ id: string; status: string; finished_at: number; stored: number }>(
    platform,
    "SELECT id, status, finished_at, draft_id IS NULL AS stored FROM sends WHERE status IN ('sent', 'failed')",
  );
  for (const { id, status, finished_at, stored } of sends) {
    const expected = status === "sent" ? "send.completed" : "send.failed";
    const got = announced.get(id) ?? [];
    announced.delete(id);
    if (got.length === 0 && (finished_at <= oldest || (status === "sent" && stored === 0))) continue;
    if (got.join() !== expected) miss("events", `${id} is ${status}, and the log has ${got.join(", ") || "nothing"}`);
  }
  const known = new Set(rows<{ id: string }>(platform, "SELECT id FROM sends").map(({ id }) => id));
  for (const [id, types] of announced)
    if (known.has(id)) miss("events", `${id} has not ended, and the log has ${types}`);
}

function checkJobs({ platform, settled, miss }: Fixture): void {
  const report = (query: string, words: string) => {
    for (const { id } of rows<{ id: string }>(platform, query)) miss("jobs", `${id} ${words}`);
  };
  report(
    "SELECT id FROM jobs WHERE (state IN ('done', 'failed')) <> (finished_at IS NOT NULL)",
    "has contradictory end fields",
  );
  report("SELECT id FROM jobs WHERE state NOT IN ('pending', 'running', 'done', 'failed')", "has an unknown state");
  if (!settled) return;
  // Embedding runs in batches: work that the end of the program interrupted resumes at the next start.
  report(
    "SELECT id || ' (' || kind || ')' AS id FROM jobs WHERE state = 'running' AND kind <> 'embed-mail'",
    "is still running",
  );
}
