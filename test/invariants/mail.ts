import { type Fixture, rows } from "./finding.ts";
import { stateOf } from "./thread-state.ts";

interface ListedThread {
  id: string;
  user_id: string;
  account_id: string;
  state: string;
  last_at: number;
  top_message_id: string;
  message_count: number;
  unread: number;
  starred: number;
  important: number;
  has_attachment: number;
  has_sent: number;
  category: string;
  snooze_until: number | null;
  given_state: string | null;
}

interface MemberRow {
  id: string;
  thread_id: string;
  user_id: string;
  account_id: string;
  internal_date: number;
  unread: number;
  starred: number;
  important: number;
  has_attachment: number;
  is_draft: number;
  category: string;
  roles: string | null;
  pending: string | null;
}

/**
 * Checks threads against their messages, with recomputed counts, and labels of threads against those of their messages.
 * @returns how many
 */
export function checkThreads({ platform, miss }: Fixture): number {
  const members = Map.groupBy(
    rows<MemberRow>(
      platform,
      `SELECT m.id, m.thread_id, m.user_id, m.account_id, m.internal_date, m.unread, m.starred, m.important,
         m.has_attachment, m.is_draft, m.category,
         (SELECT group_concat(f.role) FROM locations l JOIN folders f ON f.id = l.folder_id WHERE l.message_id = m.id) AS roles,
         (SELECT value FROM pending_changes p WHERE p.message_id = m.id AND p.field = 'folder') AS pending
       FROM messages m ORDER BY m.internal_date, m.id`,
    ),
    ({ thread_id }) => thread_id,
  );
  const threads = rows<ListedThread>(platform, "SELECT * FROM threads");
  for (const thread of threads) {
    const of = members.get(thread.id) ?? [];
    members.delete(thread.id);
    if (of.length === 0) miss("thread counts", `${thread.id} has no message`);
    else for (const difference of differences(thread, of)) miss("thread counts", `${thread.id}: ${difference}`);
  }
  for (const [id, of] of members) miss("orphan rows", `${of.length} messages belong to ${id}, which does not exist`);
  const wrongLabels = rows<{ id: string }>(
    platform,
    `SELECT DISTINCT id FROM (
       SELECT id, label_id FROM (SELECT m.thread_id AS id, l.label_id, m.account_id FROM message_labels l
           JOIN messages m ON m.id = l.message_id
         EXCEPT SELECT thread_id, label_id, account_id FROM thread_labels)
       UNION ALL SELECT id, label_id FROM (SELECT thread_id AS id, label_id, account_id FROM thread_labels
         EXCEPT SELECT m.thread_id, l.label_id, m.account_id FROM message_labels l JOIN messages m ON m.id = l.message_id))`,
  );
  for (const { id } of wrongLabels) miss("labels", `${id} has labels that differ from those of its messages`);
  return threads.length;
}

function differences(thread: ListedThread, members: readonly MemberRow[]): string[] {
  const shown = members.filter(({ is_draft }) => is_draft === 0);
  const top = (shown.length > 0 ? shown : members).at(-1)!;
  const isSent = ({ roles }: MemberRow) => roles?.split(",").includes("sent") ?? false;
  const any = (test: (member: MemberRow) => boolean) => (members.some(test) ? 1 : 0);
  const implied = stateOf(members.map(locationsOf));
  // Without received mail a thread keeps the state that it was given.
  const received = implied === "sent" ? null : implied;
  const counted: Partial<ListedThread> = {
    user_id: top.user_id,
    account_id: top.account_id,
    // No message of it has a location at the moment: it keeps its state.
    state: received ?? thread.given_state ?? implied ?? thread.state,
    last_at: top.internal_date,
    top_message_id: top.id,
    message_count: members.length,
    unread: any(({ unread }) => unread === 1),
    starred: any(({ starred }) => starred === 1),
    important: any(({ important }) => important === 1),
    has_attachment: any(({ has_attachment }) => has_attachment === 1),
    has_sent: any(isSent),
    category: (shown.filter((member) => !isSent(member)).at(-1) ?? top).category,
  };
  const found = Object.entries(counted)
    .filter(([column, value]) => thread[column as keyof ListedThread] !== value)
    .map(([column, value]) => `${column} is ${thread[column as keyof ListedThread]}, recomputed ${value}`);
  if (received !== null && thread.given_state !== null) found.push("it has received mail and a set state");
  if (thread.state !== "snoozed" && thread.snooze_until !== null)
    found.push("it has a wake-up time but is not snoozed");
  if (members.some(({ account_id }) => account_id !== thread.account_id))
    found.push("it has mail from several accounts");
  return found;
}

/** A message on its way to the server counts as already in its target folder. */
function locationsOf({ roles, pending }: MemberRow): ReadonlySet<string> {
  return new Set(pending ? [pending] : (roles?.split(",") ?? []));
}

/** Checks messages, their bodies and locations, folders and accounts. @returns how many messages */
export function checkMessages({ platform, settled, miss }: Fixture): number {
  const count = rows<{ c: number }>(platform, "SELECT count(*) AS c FROM messages")[0]!.c;
  const report = (rule: string, query: string, words: (row: { id: string; at?: string }) => string) => {
    for (const row of rows<{ id: string; at?: string }>(platform, query)) miss(rule, words(row));
  };
  report(
    "orphan rows",
    "SELECT m.id FROM messages m LEFT JOIN bodies b ON b.n = m.n WHERE b.n IS NULL",
    ({ id }) => `${id} has no body`,
  );
  report(
    "orphan rows",
    "SELECT m.id FROM messages m JOIN accounts a ON a.id = m.account_id WHERE a.user_id <> m.user_id",
    ({ id }) => `${id} belongs to another user than its account`,
  );
  report(
    "message locations",
    `SELECT l.folder_id || ':' || l.uid AS id FROM locations l LEFT JOIN messages m ON m.id = l.message_id
     LEFT JOIN folders f ON f.id = l.folder_id WHERE m.id IS NULL OR f.account_id <> m.account_id`,
    ({ id }) => `${id} is the location of a message that does not exist or is in another account`,
  );
  report(
    "message locations",
    `SELECT l.message_id AS id, l.folder_id AS at FROM locations l JOIN folders f ON f.id = l.folder_id
     WHERE f.view_of IS NULL GROUP BY l.folder_id, l.message_id HAVING count(*) > 1`,
    ({ id, at }) => `${id} is twice in ${at}`,
  );
  report(
    "message locations",
    `SELECT m.id FROM messages m JOIN accounts a ON a.id = m.account_id
     WHERE a.on_server_delete = 'follow' AND m.missing_pass IS NULL
       AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.message_id = m.id)`,
    ({ id }) => `${id} has no location and is not marked as missing`,
  );
  report(
    "folders",
    `SELECT id FROM folders f WHERE (view_of IS NOT NULL AND NOT EXISTS (SELECT 1 FROM folders o WHERE o.id = f.view_of))
       OR (replaced_by IS NOT NULL AND replaced_by <> 'here' AND NOT EXISTS (SELECT 1 FROM folders o WHERE o.id = f.replaced_by))`,
    ({ id }) => `${id} refers to a folder that does not exist`,
  );
  report(
    "folders",
    `SELECT f.id, count(l.uid) || ' of ' || f.server_count AS at FROM folders f LEFT JOIN locations l ON l.folder_id = f.id
     JOIN accounts a ON a.id = f.account_id
     WHERE f.replaced_by IS NULL AND f.view_of IS NULL AND a.provider <> 'sandbox' AND f.checked_at IS NOT NULL AND ${settled ? 1 : 0}
     GROUP BY f.id HAVING count(l.uid) <> f.server_count`,
    ({ id, at }) => `${id} holds ${at} messages that the server counts`,
  );
  report(
    "accounts",
    // Imported mail never becomes the primary mailbox automatically.
    `SELECT user_id AS id FROM accounts GROUP BY user_id
     HAVING sum(is_primary) > 1 OR (sum(is_primary) = 0 AND sum(provider <> 'imported') > 0)`,
    ({ id }) => `${id} does not have exactly one primary mailbox`,
  );
  return count;
}
