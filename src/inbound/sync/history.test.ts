import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DOVECOT, type Dovecot, startDovecot } from "../../../test/support/dovecot.ts";
import { mailText } from "../../../test/support/mail-text.ts";
import { firstBatchSize, type Walk, walkHistory } from "./history.ts";

const MESSAGES = 40;
const MEGABYTE = 1024 * 1024;
const LIMITS = { full_source_bytes: MEGABYTE, text_part_bytes: MEGABYTE, text_read_bytes: MEGABYTE };

describe.skipIf(!DOVECOT)("a walk through history", () => {
  let dovecot: Dovecot;
  beforeAll(async () => {
    dovecot = await startDovecot();
    const messages = Array.from({ length: MESSAGES }, (_, n) => ({ raw: mailText({ id: `note-${n}` }) }));
    dovecot.loadMaildir("alice", "INBOX", messages);
  });
  afterAll(() => dovecot?.stop());

  /** @param width of a window in UIDs; @param batch_bytes a byte makes each message a batch */
  async function walk(width: number, batch_bytes: number, isEnded: () => boolean): Promise<Walk> {
    const client = await dovecot.connect("alice");
    await client.mailboxOpen("INBOX", { readOnly: true });
    const wanted: Walk["wanted"] = async (listed) => listed;
    const batchSize = { ...firstBatchSize(), width };
    const rest = { limits: LIMITS, batchSize, wanted, isEnded, mayFetchTogether: false };
    return { client, below: MESSAGES + 1, batch_bytes, ...rest };
  }

  test("yields every message, newest first, and reaches the first", async () => {
    const uids: number[] = [];
    let last = Number.NaN;
    for await (const { downloaded, reaches } of walkHistory(await walk(15, 1, () => false))) {
      uids.push(...downloaded.map(({ listed }) => listed.uid));
      last = reaches;
    }
    expect(uids).toEqual(Array.from({ length: MESSAGES }, (_, n) => MESSAGES - n));
    expect(last).toBe(1);
  });

  test.each([
    ["in the middle of a window", 500, 1],
    ["between two windows", 10, MEGABYTE],
  ])("fetches nothing more once it is ended, %s", async (_, width, batch_bytes) => {
    let isEnded = false;
    const given = await walk(width, batch_bytes, () => isEnded);
    const batches = walkHistory(given);
    expect((await batches.next()).value?.downloaded.length).toBeGreaterThan(0);
    const { sent } = given.client.stats();
    isEnded = true;
    expect((await batches.next()).done).toBe(true);
    expect(given.client.stats().sent).toBe(sent);
  });
});
