import type { MailScope } from "../queries/scope.ts";
import type { Labels } from "../store/labels.ts";
import type { Filter, FolderFilter } from "./filters.ts";

/** SQL with its parameters. Message rows are `m`, thread rows `t`. */
export interface Sql {
  text: string;
  params: (string | number)[];
}

/** The facts that the conditions on rows depend on. */
export interface FilterParts {
  scope: MailScope;
  labels: Pick<Labels, "find">;
  /** Returns the numbers of the user's messages that have one of these Message-ID headers. */
  withMessageId: (user_id: string, headers: readonly string[]) => number[];
}

/** Returns a condition for messages with these numbers. */
export function numbersSql(numbers: readonly number[]): Sql {
  return { text: "m.n IN (SELECT value FROM json_each(?))", params: [JSON.stringify(numbers)] };
}

/** Returns a filter as a condition on the row of a message. A label that does not exist matches no message. */
export function filterSql(filter: Filter, { scope, labels, withMessageId }: FilterParts): Sql {
  const { user_id } = scope;
  switch (filter.field) {
    case "in":
      return folderSql(filter.folder, user_id);
    case "is":
      return flagSql(filter.flag);
    case "attachment":
      return { text: "m.has_attachment = 1", params: [] };
    case "label": {
      const id = labels.find(user_id, filter.name);
      if (id === null) return { text: "0", params: [] };
      return {
        text: "m.id IN (SELECT message_id FROM message_labels WHERE label_id = ?)",
        params: [id],
      };
    }
    case "before":
      return { text: "m.internal_date < ?", params: [filter.at] };
    case "after":
      return { text: "m.internal_date >= ?", params: [filter.at] };
    case "size":
      return sizeSql(filter);
    case "category":
      return { text: "m.category = ?", params: [filter.category] };
    case "message_id":
      // The header as it was sent: mostly in angle brackets, sometimes without.
      return numbersSql(withMessageId(user_id, [`<${filter.id}>`, filter.id]));
  }
}

function flagSql(flag: (Filter & { field: "is" })["flag"]): Sql {
  switch (flag) {
    case "starred":
      return { text: "m.starred = 1", params: [] };
    case "important":
      return { text: "m.important = 1", params: [] };
    default:
      return { text: `m.unread = ${Number(flag === "unread")}`, params: [] };
  }
}

function sizeSql({ atLeast, atMost }: Filter & { field: "size" }): Sql {
  const bounds = [
    ...(atLeast === undefined ? [] : [{ text: "m.size >= ?", bytes: atLeast }]),
    ...(atMost === undefined ? [] : [{ text: "m.size <= ?", bytes: atMost }]),
  ];
  return {
    text: `(${bounds.map(({ text }) => text).join(" AND ") || "1"})`,
    params: bounds.map(({ bytes }) => bytes),
  };
}

/** Returns the condition for a folder: by the state of the conversation, but by message for sent mail and drafts. */
function folderSql(folder: FolderFilter, user_id: string): Sql {
  switch (folder) {
    case "anywhere":
      return { text: "1", params: [] };
    case "drafts":
      return { text: "m.is_draft = 1", params: [] };
    case "sent":
      // Threads with sent mail are few and have an index. Only for these, the folders of each message are looked up.
      return {
        text: `(m.thread_id IN (SELECT id FROM threads WHERE user_id = ? AND has_sent = 1)
                AND EXISTS (SELECT 1 FROM locations l JOIN folders f ON f.id = l.folder_id
                            WHERE l.message_id = m.id AND f.role = 'sent'))`,
        params: [user_id],
      };
    default:
      return { text: "t.state = ?", params: [folder] };
  }
}
