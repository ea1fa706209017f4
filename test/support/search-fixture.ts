import { expect } from "bun:test";
import { searchRoutes } from "../../src/features/search/routes.ts";
import { SearchService, type SemanticSearch } from "../../src/features/search/service.ts";
import { threadRoutes } from "../../src/features/threads/routes.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import type { SemanticAnswer, SemanticRequest } from "../../src/ml/semantic/messages.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import { createHarness, type Harness } from "./http-harness.ts";
import { indexMessage } from "./index-message.ts";
import { type SeededMailbox, type SeedMessage, seedMailbox } from "./seed-mail.ts";

/** A mailbox behind POST /search and GET /threads, with a model whose answers a test sets. */
export interface SearchFixture {
  h: Harness;
  mailbox: Mailbox;
  seeded: SeededMailbox;
  /** The model gives no answer until a test sets one. */
  semantic: SemanticSearch;
  /** Stores a message and its words, as for arriving mail. */
  deliver(message: SeedMessage, into?: SeededMailbox): { id: string; thread_id: string; n: number };
  /** Returns subjects that a search finds; full-text unless `more` says otherwise. */
  find(query: string, more?: object): Promise<string[]>;
  /** A model that gives each subject this similarity for every query; other subjects have no vector. */
  knowing(near: Record<string, number>): SemanticSearch;
}

export function createSearchFixture(config: Partial<ConfigValues> = {}): SearchFixture {
  let mailbox!: Mailbox;
  const h = createHarness({
    config,
    routes: (platform) => {
      mailbox = createMailbox(platform);
      const semantic: SemanticSearch = { search: (request) => fixture.semantic.search(request) };
      return [...searchRoutes(platform, new SearchService({ platform, mailbox, semantic })), ...threadRoutes(mailbox)];
    },
  });
  const { sql } = h.platform.db;
  const fixture: SearchFixture = {
    h,
    mailbox,
    seeded: seedMailbox(h.platform, h.user.id, { mailbox }),
    semantic: { search: () => Promise.reject(new Error("no model")) },
    deliver(message, into = fixture.seeded) {
      const text = message.text ?? "";
      const { message_id, thread_id } = into.deliver({ ...message, text });
      const { n } = sql.query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?").get(message_id)!;
      const { subject = "", from = BOB, to = [], cc = [], bcc = [], attachments = [] } = message;
      indexMessage(h.platform.db, mailbox, message_id, { subject, from, to, cc, bcc, attachments, text });
      return { id: message_id, thread_id, n };
    },
    async find(query, more = {}) {
      const { status, json } = await h.call("POST", "/search", { body: { query, mode: "keyword", ...more } });
      expect([status, json?.error?.message]).toEqual([200, undefined]);
      return json.data.map((row: { subject: string }) => row.subject);
    },
    knowing: (near) => ({
      search: async ({ candidates, within, limit }: SemanticRequest): Promise<SemanticAnswer> => {
        const rows = sql.query<{ n: number; id: string }, []>("SELECT n, id FROM messages").all();
        const scored = rows.flatMap(({ n, id }) => {
          const { head } = mailbox.messageQueries.get({ user_id: h.user.id, account_id: null }, id);
          const score = near[head.subject];
          return score === undefined ? [] : [{ n, score }];
        });
        const allowed = within && new Set(within);
        return {
          near: scored
            .filter(({ n }) => !allowed || allowed.has(n))
            .sort((a, b) => b.score - a.score)
            .slice(0, limit),
          candidates: scored.filter(({ n }) => candidates.includes(n)),
          indexed: scored.length,
          waiting: rows.length - scored.length,
        };
      },
    }),
  };
  return fixture;
}

const BOB = { name: "Bob", email: "bob@example.net" };
