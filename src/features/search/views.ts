import { isoTime } from "../../kernel/clock.ts";
import { escapeHtml, type Highlights, highlightsOf, snippetFor } from "../../mailbox/search/snippet.ts";
import { openTexts, type SearchedText } from "../../mailbox/search/texts.ts";
import type { Platform } from "../../platform/platform.ts";
import type { SearchResult } from "./model.ts";
import type { Ranking } from "./service.ts";

/** Returns a range of rows of a ranking, decrypted. Leaves out rows whose message has been deleted. */
export function viewResults(
  platform: Platform,
  user_id: string,
  { rows, query, terms }: Ranking,
  from: number,
  to: number,
): SearchResult[] {
  const page = new Map(rows.slice(from, to).map((row) => [row.n, row]));
  const highlights = highlightsOf(query, terms);
  return openTexts(platform, user_id, [...page.keys()]).map((text) => viewResult(page.get(text.n)!, text, highlights));
}

/** Returns a row as the API shows it. @param text the message of the row, decrypted */
function viewResult(row: Ranking["rows"][number], text: SearchedText, highlights: Highlights): SearchResult {
  const { score, words, near, other_matches } = row;
  const { id, thread_id, account_id, date, head } = text;
  const matched_by: SearchResult["matched_by"] = [];
  if (words !== null) matched_by.push("keyword");
  if (near) matched_by.push("semantic");
  return {
    thread_id,
    message_id: id,
    account_id,
    subject: head.subject,
    from: head.from,
    date: isoTime(date),
    snippet: snippetFor(text.text, highlights) ?? escapeHtml(head.snippet),
    score: Math.round(score * 1e6) / 1e6,
    matched_by,
    other_matches,
  };
}
