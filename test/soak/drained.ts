import type { Folder } from "../faults/served.ts";
import { eventually } from "../support/eventually.ts";

const DRAIN_MS = 180_000;

/** Waits until everything that was started has ended. @returns what has not */
export async function drained(folder: Folder, delivered: number): Promise<string[]> {
  const { sql } = folder.platform.db;
  const left = sql.query<{ mails: number; sends: number; deliveries: number; folders: number }, []>(
    `SELECT (SELECT count(*) FROM events WHERE type = 'message.received') AS mails,
       (SELECT count(*) FROM sends s WHERE status IN ('scheduled', 'sending') OR draft_id IS NOT NULL OR copy = 'wanted'
          OR (copy = 'placed' AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.message_id = s.message_id))) AS sends,
       (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
         + (SELECT count(*) FROM webhook_endpoints e JOIN events v ON v.user_id = e.user_id AND v.position > e.position
            WHERE v.type IN (SELECT value FROM json_each(e.events))) AS deliveries,
       (SELECT count(*) FROM folders f JOIN accounts a ON a.id = f.account_id
        WHERE a.provider <> 'sandbox' AND f.replaced_by IS NULL AND f.view_of IS NULL AND f.checked_at IS NOT NULL
          AND f.server_count <> (SELECT count(*) FROM locations l WHERE l.folder_id = f.id)) AS folders`,
  );
  try {
    await eventually(() => {
      const { mails, sends, deliveries, folders } = left.get()!;
      if (mails !== delivered) throw new Error(`${mails} of ${delivered} mails were announced`);
      if (sends > 0) throw new Error(`${sends} sends are in progress`);
      if (deliveries > 0) throw new Error(`${deliveries} deliveries wait`);
      // A copy in Sent is uploaded first, and counted when the folder is synced again.
      if (folders > 0) throw new Error(`${folders} folders were not compared with the server since their last change`);
      return true;
    }, DRAIN_MS);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
