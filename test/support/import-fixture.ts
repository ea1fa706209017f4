import { expect } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { uploadParts } from "../../src/app/import.ts";
import { uploadRunParts } from "../../src/app/import-run.ts";
import { importAppRoutes } from "../../src/features/import/app-routes.ts";
import { IMPORT_JOB } from "../../src/features/import/service.ts";
import { runUpload } from "../../src/inbound/import/run-upload.ts";
import { type FromImportWorker, type ImportWorker, UploadRunner } from "../../src/inbound/import/upload-runner.ts";
import { UserError } from "../../src/kernel/errors.ts";
import { ImportStore } from "../../src/mailbox/imports/store.ts";
import { CHUNK_BYTES, UploadFiles } from "../../src/mailbox/imports/upload-files.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { type Answer, type Browser, createHarness, type Harness } from "./http-harness.ts";
import { zipFile } from "./zip-file.ts";

const letter = (id: string, body = "hello") =>
  `From: bob@example.net\nTo: ada@example.org\nSubject: ${id}\nMessage-ID: <${id}@x.example>\n\n${body}\n`;
const mbox = (...messages: string[]) =>
  Buffer.from(messages.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text}\n`).join(""));

/** A Takeout archive whose messages have the label Travel. */
export function takeout(count: number): Buffer {
  const labeled = Array.from({ length: count }, (_, i) => `X-Gmail-Labels: Inbox,Travel\n${letter(`m${i}`)}`);
  return zipFile([{ name: "Takeout/Mail/All mail.mbox", content: mbox(...labeled) }]);
}

/** An mbox of 110 messages and about 10 MiB, in three parts. */
export function large(): Buffer {
  return mbox(...Array.from({ length: 110 }, (_, i) => letter(`big${i}`, `${i} ${"x".repeat(95_000)}`)));
}

/** The routes of uploads, and imports that run on this thread. */
export interface ImportFixture {
  h: Harness;
  mailbox: Mailbox;
  browser: Browser;
  /** Bytes that the disk reports as free. */
  disk: { free: number };
  files: UploadFiles;
  begin(bytes: Uint8Array, more?: object, by?: Browser): Promise<Answer>;
  /** Uploads the part at an offset. */
  put(id: string, offset: number, bytes: Uint8Array, by?: Browser): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: as in the harness
  get(id: string): Promise<any>;
  /** Uploads a whole file. @returns the id of the import */
  upload(bytes: Uint8Array, more?: object): Promise<string>;
  /**
   * Runs the waiting imports as a new server process does. @param watch is called at each save of the progress
   */
  work(watch?: (runner: UploadRunner) => void): Promise<void>;
  uploadsOnDisk(): string[];
  /** Number of messages of a mailbox. */
  stored(account_id: string): number;
  /** Actions of the audit log, newest first. */
  actions(): string[];
}

export function createImportFixture(): ImportFixture {
  const disk = { free: 100e9 };
  class TestDisk extends UploadFiles {
    override freeBytes(): number {
      return disk.free;
    }
  }
  let mailbox: Mailbox | undefined;
  const h = createHarness({
    appRoutes: (platform) => {
      mailbox = createMailbox(platform);
      return importAppRoutes({ ...uploadParts(platform, mailbox), files: new TestDisk(platform) });
    },
  });
  const { platform } = h;
  const files = new TestDisk(platform);
  const browser = h.session();
  const begin: ImportFixture["begin"] = (bytes, more = {}, by = browser) => {
    const about = { file_name: "mail.zip", file_modified_at: 1_700_000_000_000, bytes: bytes.length };
    return by.call("POST", "/imports", { body: { ...about, mailbox: "old mail", ...more } });
  };
  const put: ImportFixture["put"] = (id, offset, bytes, by = browser) =>
    by.call("PUT", `/imports/${id}/data?offset=${offset}`, {
      body: Uint8Array.from(bytes.subarray(offset, offset + CHUNK_BYTES)),
      headers: { "Content-Type": "application/octet-stream" },
    });

  function workerOn(watch: () => void): ImportWorker {
    const stop = new AbortController();
    const listeners: ((event: { data: FromImportWorker }) => void)[] = [];
    const freeBytes = () => {
      watch();
      return disk.free;
    };
    const run = async (id: string): Promise<FromImportWorker> => {
      try {
        const parts = { ...uploadRunParts(platform), files: Object.assign(new TestDisk(platform), { freeBytes }) };
        return { type: await runUpload(parts, id, stop.signal) };
      } catch (error) {
        return { type: "failed", sentence: error instanceof UserError ? error.message : null };
      }
    };
    const tell = (data: FromImportWorker) => {
      for (const listener of listeners) listener({ data });
    };
    return {
      postMessage: (message) => void (message.type === "stop" ? stop.abort() : run(message.id).then(tell)),
      addEventListener: (type: string, listener: never) => void (type === "message" && listeners.push(listener)),
      terminate() {},
    } as ImportWorker;
  }

  return {
    h,
    mailbox: mailbox!,
    browser,
    disk,
    files,
    begin,
    put,
    get: async (id) => (await browser.call("GET", `/imports/${id}`)).json,
    async upload(bytes, more) {
      const { status, json } = await begin(bytes, more);
      expect(status).toBe(201);
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) expect((await put(json.id, at, bytes)).status).toBe(200);
      return json.id as string;
    },
    async work(watch = () => {}) {
      const runner: UploadRunner = new UploadRunner({
        platform,
        sources: { data_dir: platform.config.data_dir, env: {} },
        imports: new ImportStore(platform),
        files,
        startWorker: () => workerOn(() => watch(runner)),
      });
      for (let job = platform.jobs.claim(IMPORT_JOB); job; job = platform.jobs.claim(IMPORT_JOB)) {
        const outcome = await runner.handler.run(job);
        platform.jobs.finish(job, outcome);
        if (outcome.outcome === "retry") return;
      }
    },
    uploadsOnDisk() {
      const root = join(platform.config.data_dir, "cache", "uploads");
      return existsSync(root) ? readdirSync(root) : [];
    },
    stored: (account_id) =>
      platform.db.sql
        .query<{ c: number }, [string]>("SELECT count(*) AS c FROM messages WHERE account_id = ?")
        .get(account_id)!.c,
    actions: () => platform.audit.list(h.user.id, { limit: 20 }).map(({ action }) => action),
  };
}
