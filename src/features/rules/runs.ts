import { isDeepStrictEqual } from "node:util";
import type { RuledMessages } from "../../mailbox/queries/rules.ts";
import type { JobHandler } from "../../platform/jobs/runner.ts";
import type { Platform } from "../../platform/platform.ts";
import type { RuleEngine } from "./engine.ts";
import type { RulePreviewer } from "./preview.ts";
import type { Rule, RuleStore } from "./store.ts";
import type { RuleBody, RuleRunRow } from "./tables.ts";

/** Kind of the job that applies a rule to existing mail; payload { rule_id }, one per rule. */
export const APPLY_JOB = "rule-apply";

/** Progress of applying a rule to existing mail. */
export type RuleRun = Omit<StoredRun, "rule_id" | "since" | "next_n" | "body">;

type StoredRun = Omit<RuleRunRow, "user_id">;
type RunBody = Pick<RuleBody, "conditions" | "actions">;

/** Messages checked in one transaction; a small batch lets other writers in. */
const BATCH = 50;
/** Batches that one job processes before it queues the next one, so that stopping never takes long. */
const SLICE_BATCHES = 40;

interface Parts {
  platform: Platform;
  store: RuleStore;
  messages: RuledMessages;
  previewer: RulePreviewer;
  engine: RuleEngine;
}

/** Applies rules to existing mail, in batches that are saved with their progress. */
export class RuleRuns {
  constructor(private readonly parts: Parts) {}

  /**
   * Begins a run, unless the same rule is already running. A run continues with the rule as it was at its beginning. If
   * the rule was edited since, a new run replaces the old one. Call it in a transaction.
   */
  begin(rule: Rule, since: number): RuleRun {
    const { db, clock } = this.parts.platform;
    const current = this.#row(rule.id);
    if (current?.state === "running" && sameBody(this.#applied(rule, current), rule)) return current;
    const { total, from_n } = this.parts.messages.extent({ ...rule, since });
    db.sql
      .query(
        `INSERT OR REPLACE INTO rule_runs (rule_id, user_id, state, since, next_n, done, total, matched, changed, started_at, body)
         VALUES (?, ?, 'running', ?, ?, 0, ?, 0, 0, ?, ?)`,
      )
      .run(rule.id, rule.user_id, since, from_n, total, clock.now(), this.#seal(rule));
    this.#enqueue(rule);
    return this.of(rule.id)!;
  }

  of(rule_id: string): RuleRun | null {
    return this.#row(rule_id);
  }

  /** Returns the ids of a user's rules whose run is in progress. */
  running(user_id: string): ReadonlySet<string> {
    const rows = this.parts.platform.db.sql
      .query<Pick<RuleRunRow, "rule_id">, [string]>(
        "SELECT rule_id FROM rule_runs WHERE user_id = ? AND state = 'running'",
      )
      .all(user_id);
    return new Set(rows.map(({ rule_id }) => rule_id));
  }

  /** Stops the run of a rule, if there is one. Changes that it has made are kept. */
  stop(rule_id: string): void {
    const { db, clock } = this.parts.platform;
    db.sql
      .query("UPDATE rule_runs SET state = 'stopped', finished_at = ? WHERE rule_id = ? AND state = 'running'")
      .run(clock.now(), rule_id);
  }

  /** The job's handler, for the mail worker. */
  readonly handler: JobHandler = {
    concurrency: 1,
    run: async ({ payload, user_id }) => {
      const { rule_id } = payload as { rule_id: string };
      for (let i = 0; i < SLICE_BATCHES; i++) {
        const more = this.parts.platform.db.write(() => this.#step(user_id!, rule_id));
        if (!more) return { outcome: "done" };
        await new Promise((resolve) => setImmediate(resolve));
      }
      const rule = this.parts.store.get(user_id!, rule_id);
      if (rule) this.#enqueue(rule);
      return { outcome: "done" };
    },
  };

  /** Processes one batch. @returns whether there may be more */
  #step(user_id: string, rule_id: string): boolean {
    const { platform, store, messages, previewer, engine } = this.parts;
    const stored = store.get(user_id, rule_id);
    const run = this.#row(rule_id);
    // The rule was deleted or paused, or the run was finished by a job that was lost after its last batch.
    if (!stored || run?.state !== "running") return false;
    const rule = this.#applied(stored, run);
    const batch = messages.batch({ ...rule, since: run.since }, run.next_n, BATCH);
    const findings = previewer.findings(rule, batch);
    const changing = findings.filter(({ effects }) => effects.length > 0);
    for (const { message, effects } of changing) engine.carryOut(rule, message, effects);
    const isLast = batch.length < BATCH;
    platform.db.sql
      .query(
        `UPDATE rule_runs SET next_n = ?, done = done + ?, matched = matched + ?, changed = changed + ?,
           state = ?, finished_at = ? WHERE rule_id = ?`,
      )
      .run(
        (batch.at(-1)?.n ?? 0) - 1,
        batch.length,
        findings.length,
        changing.length,
        isLast ? "done" : "running",
        isLast ? platform.clock.now() : null,
        rule_id,
      );
    return !isLast;
  }

  /** Returns the rule as it was when a run began. */
  #applied(rule: Rule, { body }: StoredRun): Rule {
    if (body === null) return rule;
    const sealer = this.parts.platform.keyring.forUser(rule.user_id);
    return { ...rule, ...sealer.openJson(`rule_runs.body:${rule.id}`, body) };
  }

  #seal({ id, user_id, conditions, actions }: Rule) {
    const body: RunBody = { conditions, actions };
    return this.parts.platform.keyring.forUser(user_id).sealJson(`rule_runs.body:${id}`, body);
  }

  #enqueue({ id, user_id }: Rule): void {
    this.parts.platform.jobs.enqueue({ kind: APPLY_JOB, dedupe_key: id, user_id, payload: { rule_id: id } });
  }

  #row(rule_id: string): StoredRun | null {
    return this.parts.platform.db.sql
      .query<StoredRun, [string]>(
        `SELECT rule_id, state, since, next_n, done, total, matched, changed, started_at, finished_at, body
         FROM rule_runs WHERE rule_id = ?`,
      )
      .get(rule_id);
  }
}

function sameBody(a: RunBody, b: RunBody): boolean {
  return isDeepStrictEqual([a.conditions, a.actions], [b.conditions, b.actions]);
}
