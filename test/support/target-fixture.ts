import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CopyService } from "../../src/backup/copies/service.ts";
import { TargetService } from "../../src/backup/target-service.ts";
import { backupAppRoutes } from "../../src/features/backup/app-routes.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import type { AuditRecord } from "../../src/platform/ledger/audit.ts";
import { type Answer, type Browser, createHarness, type Harness } from "./http-harness.ts";
import { BUCKET, type S3Server, startS3 } from "./s3-server.ts";

/** The routes of the place for copies, with a real S3 server. Each test has its own data folder and prefix. */
export interface TargetFixture {
  h: Harness;
  s3: S3Server;
  /** A folder beside the data folder. */
  outside: string;
  /** Number of the prefix. */
  number: number;
  /** How often the place was changed. */
  changes: number;
  /** Opens the data folder of the test again, with this configuration. */
  begin(config?: Partial<ConfigValues>): void;
  owner(): Browser;
  /** The form for the bucket of the server. */
  bucket(more?: object): Record<string, unknown>;
  save(body: object, by?: Browser): Promise<Answer>;
  audited(action: string): AuditRecord[];
  /** Tests a place. The clock runs, for the pauses between attempts. */
  tested(body: object): Promise<Answer & { field: string | undefined; message: string }>;
}

/** Registers the hooks of a test file. */
export function targetFixture(): TargetFixture {
  const t: TargetFixture = {
    h: undefined as never,
    s3: undefined as never,
    outside: "",
    number: 0,
    changes: 0,
    begin(config = {}) {
      t.number++;
      t.changes = 0;
      t.h = open(t, config);
      // Signatures have the time.
      t.h.clock.set(Date.now());
    },
    owner: () => t.h.session("owner@example.org", "owner"),
    bucket: (more = {}) => ({
      kind: "s3",
      bucket: BUCKET,
      prefix: `p${t.number}`,
      endpoint: t.s3.endpoint,
      region: "us-east-1",
      access_key_id: "S3RVER",
      secret_access_key: "S3RVER",
      path_style: true,
      ca: "",
      ...more,
    }),
    save: (body, by = t.owner()) => by.call("PUT", "/backup/target", { body }),
    audited: (action) => t.h.platform.audit.list(t.owner().user.id, { limit: 9, action }),
    async tested(body) {
      const timer = setInterval(() => t.h.clock.advance(200), 10);
      try {
        const answer = await t.owner().call("POST", "/backup/target/test", { body });
        return { ...answer, field: answer.json.error?.param, message: answer.json.error?.message };
      } finally {
        clearInterval(timer);
      }
    },
  };
  beforeAll(async () => {
    t.s3 = await startS3();
  });
  afterAll(() => t.s3.close());
  beforeEach(() => {
    t.outside = mkdtempSync(join(tmpdir(), "postroom-target-"));
    t.s3.disturb = () => null;
    t.s3.passed.length = 0;
    t.begin();
  });
  afterEach(() => {
    t.h.close();
    rmSync(t.outside, { recursive: true, force: true });
  });
  return t;
}

function open(t: TargetFixture, config: Partial<ConfigValues>): Harness {
  return createHarness({
    config,
    data_dir: join(t.outside, "data"),
    appRoutes(platform) {
      const targets = new TargetService(platform);
      targets.onChanged(() => t.changes++);
      const sources = { data_dir: platform.config.data_dir, env: {} };
      const startWorker = () => {
        throw new Error("nothing is sent in these tests");
      };
      const copies = new CopyService({ platform, sources, startWorker });
      const state = { running: null, next_at: null, runs: [] };
      const backups = { state: () => state, present: () => [], request: () => true, reschedule: () => {} };
      return backupAppRoutes({ platform, backups, copies, targets });
    },
  });
}
