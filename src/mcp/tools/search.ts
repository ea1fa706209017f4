import { Type } from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import { fittingPage } from "../budget.ts";
import { tool } from "../tool.ts";
import { accountId, cursor, exact, limit } from "./fields.ts";

/** The parts of a result of POST /search that are shown. */
interface SearchResult {
  thread_id: string;
  message_id: string;
  subject: string;
  from: { name: string; email: string };
  date: string;
  /** HTML: matching words between <mark> and </mark>, everything else escaped. */
  snippet: string;
}

export const search = tool({
  name: "search",
  title: "Search mail",
  description:
    "Find mail by words and meaning. Operators: from: to: subject: has:attachment in: is:unread label: OR -word. Read results with fetch.",
  scope: "search:read",
  kind: "read",
  input: exact({
    query: Type.String({ minLength: 1, maxLength: 1_000 }),
    mode: Type.Optional(OneOf(["hybrid", "keyword", "semantic"])),
    after: Type.Optional(Timestamp()),
    before: Type.Optional(Timestamp()),
    ...accountId,
    limit,
    cursor,
  }),
  output: Type.Object({
    results: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), url: Type.String() })),
    next_cursor: cursor,
  }),
  run: async ({ query, after, before, ...body }, { call, mail, pageUrl }) => {
    const period = [after && `after:${after}`, before && `before:${before}`].filter((part) => part !== undefined);
    const read = async (limit: number) =>
      (await call("search", { body: { ...body, limit, query: [query, ...period].join(" ") } })) as {
        data: SearchResult[];
        next_cursor?: string;
        partial: boolean;
        corrections: { from: string; to: string }[];
      };
    const show = ({ thread_id, message_id, subject, from, date, snippet }: SearchResult) => ({
      id: thread_id,
      title: mail.line(subject),
      url: pageUrl(thread_id),
      message_id,
      from: mail.line(from.name === "" ? from.email : `${from.name} <${from.email}>`),
      date,
      snippet: mail.line(plain(snippet)),
    });
    const { shown, page: found } = await fittingPage(body.limit, read, show);
    return {
      results: shown,
      next_cursor: found.next_cursor,
      ...(found.partial && { note: "Some mail is not indexed yet, so results can be missing." }),
      ...(found.corrections.length > 0 && {
        searched_instead: found.corrections.map(({ from, to }) => mail.line(`${to} (not ${from})`)),
      }),
    };
  },
});

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };

/** Returns the text of an HTML snippet. */
function plain(snippet: string): string {
  return snippet.replace(/<\/?mark>/g, "").replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity]!);
}
