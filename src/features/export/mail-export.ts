import { ContainerWriter } from "../../backup/container.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Mailbox } from "../../mailbox/mailbox.ts";
import { ExportQueries, type ExportRow } from "../../mailbox/queries/export.ts";
import type { Content, ContentSource } from "../../mailbox/store/content-source.ts";
import type { StoredMessage } from "../../mailbox/store/stored-message.ts";
import type { Platform } from "../../platform/platform.ts";
import { mboxEntry } from "../../wire/mbox/write.ts";
import { entryPath } from "./names.ts";
import { rebuildMessage } from "./rebuild.ts";

export type ExportFormat = "mbox" | "eml";

/** Progress of an export, counted as it runs. */
export interface ExportCounts {
  total: number;
  /** Messages exported exactly as the server or the sender wrote them. */
  whole: number;
  /** Messages rebuilt from the stored text, because the source was not available. */
  rebuilt: number;
}

export interface ExportParts {
  platform: Platform;
  mailbox: Pick<Mailbox, "folders" | "messageQueries">;
  /** Returns sources: from local storage or from the mail server. */
  content: Pick<ContentSource, "raw">;
}

interface Opened {
  row: ExportRow;
  message: StoredMessage & { labels: string[] };
  source: Content;
  rebuilt: boolean;
}

/** After this many consecutive sources that the server did not return, it is not asked for any more. */
const MAX_REFUSALS = 3;

/** Writes a mailbox as files that common mail programs can read, with one message in memory at a time. */
export class MailExport {
  readonly counts: ExportCounts;
  readonly #queries: ExportQueries;
  #refused = 0;
  #written: () => void = () => {};

  constructor(
    private readonly parts: ExportParts,
    private readonly account: Account,
  ) {
    this.#queries = new ExportQueries(parts.platform, parts.mailbox.folders);
    this.counts = { total: this.#queries.count(account.id), whole: 0, rebuilt: 0 };
  }

  /** Returns the export as a stream. @param written called after the last message, when `counts` is final */
  stream(format: ExportFormat, written: () => void = () => {}): ReadableStream<Uint8Array> {
    this.#written = written;
    return format === "mbox" ? this.#mbox() : this.#tar();
  }

  #mbox(): ReadableStream<Uint8Array> {
    const all = async function* (this: MailExport) {
      for await (const { row, message, source } of this.#messages()) {
        yield* mboxEntry({
          sender: message.head.from.email,
          received_at: row.internal_date,
          headers: statusHeaders(row, message.labels),
          source: source.read(),
        });
      }
    }.call(this);
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await all.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await all.return(undefined)),
      },
      { highWaterMark: 0 },
    );
  }

  /**
   * Writes a folder for each folder of the mailbox and a file for each message. Data that the files lack is in
   * messages.jsonl.
   */
  #tar(): ReadableStream<Uint8Array> {
    const container = new ContainerWriter(this.parts.platform.clock.now());
    const fill = async () => {
      const lines: string[] = [];
      for await (const { row, message, source, rebuilt } of this.#messages()) {
        const path = entryPath(row, message);
        await container.addStream(path, source.size, source.read());
        const { unread, starred, answered, draft } = row;
        const { labels } = message;
        lines.push(JSON.stringify({ path, id: row.id, unread, starred, answered, draft, labels, rebuilt }));
      }
      await container.add("messages.jsonl", Buffer.from(lines.map((line) => `${line}\n`).join("")));
      container.end();
    };
    fill().catch((error) => container.abort(error as Error));
    return container.stream();
  }

  async *#messages(): AsyncGenerator<Opened> {
    const { id: account_id, user_id } = this.account;
    const { messageQueries } = this.parts.mailbox;
    for (const row of this.#queries.rows(this.account)) {
      try {
        const message = messageQueries.get({ user_id, account_id }, row.id);
        const whole = await this.#source(row);
        if (whole) this.counts.whole++;
        else this.counts.rebuilt++;
        yield { row, message, source: whole ?? (await this.#rebuilt(message)), rebuilt: whole === null };
      } catch (error) {
        // Deleted since the list was made.
        if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
      }
    }
    this.#written();
  }

  async #source({ id: message_id, size }: ExportRow): Promise<Content | null> {
    const { id: account_id, user_id } = this.account;
    if (this.#refused >= MAX_REFUSALS) return null;
    try {
      const content = await this.parts.content.raw({ user_id, account_id, message_id, size });
      this.#refused = 0;
      return content;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "not_found") this.#refused++;
      return null;
    }
  }

  async #rebuilt(message: StoredMessage): Promise<Content> {
    const { id: account_id, user_id } = this.account;
    const { html } = this.parts.mailbox.messageQueries.html({ user_id, account_id }, message.id);
    const bytes = await rebuildMessage(message, html);
    return {
      size: bytes.length,
      read: (start = 0, end = bytes.length) => new Blob([bytes.slice(start, end)]).stream(),
    };
  }
}

/** Returns the traditional mbox headers for flags (from elm and Pine), and labels as Dovecot and mutt write them. */
function statusHeaders({ unread, starred, answered, draft }: ExportRow, labels: readonly string[]): string[] {
  const status = `Status: ${unread ? "O" : "RO"}`;
  const more = `${answered ? "A" : ""}${starred ? "F" : ""}${draft ? "T" : ""}`;
  const words = labels.map((label) => label.replace(/[\s\p{Cc}]+/gu, "_"));
  return [
    status,
    ...(more === "" ? [] : [`X-Status: ${more}`]),
    ...(words.length === 0 ? [] : [`X-Keywords: ${Buffer.from(words.join(" ")).toString()}`]),
  ];
}
