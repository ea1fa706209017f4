import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOVECOT } from "../support/dovecot.ts";
import { serveMaildir, storeMaildirs } from "./stored-maildir.ts";

test.skipIf(!DOVECOT)(
  "stored mailboxes share their files, are served with their dates, and are written once",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "postroom-stored-"));
    const said: string[] = [];
    const store = () => storeMaildirs(folder, [10, 30], (line) => said.push(line));
    try {
      store();
      const first = () =>
        join(folder, "maildir-10/alice/cur", readdirSync(join(folder, "maildir-10/alice/cur")).sort()[0]!);
      expect(statSync(first()).nlink).toBe(2);
      for (const messages of [10, 30, 10]) {
        const dovecot = await serveMaildir(folder, messages);
        try {
          const client = await dovecot.connect("alice");
          await client.mailboxOpen("INBOX", { readOnly: true });
          const all = await client.fetchAll("1:*", { internalDate: true, size: true, envelope: true });
          expect(all).toHaveLength(messages);
          expect(new Set(all.map(({ envelope }) => envelope?.messageId)).size).toBe(messages);
          expect(new Date(all[1]!.internalDate!).toISOString()).toBe("2006-06-01T00:10:00.000Z");
        } finally {
          await dovecot.stop();
        }
      }
      store();
      expect(said).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
