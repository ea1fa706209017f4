import { useEffect, useState } from "preact/hooks";
import type { Mode, SearchReply, SearchResult } from "../../../src/features/search/model.ts";
import { v1 } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextField } from "../parts/field.tsx";
import { Badge, Card, Empty, FaultNotice, More, Notice, Page, Skeleton } from "../parts/layout.tsx";
import { Marked } from "../parts/marked.tsx";
import { count, counted } from "../parts/numbers.ts";
import { Ago } from "../parts/time.tsx";
import { currentRoute } from "../state/route.ts";
import { sandbox } from "../state/sandbox.ts";
import { MessageDialog } from "./message-dialog.tsx";

const MODES: readonly { value: Mode; title: string }[] = [
  { value: "hybrid", title: "Hybrid" },
  { value: "keyword", title: "Keyword" },
  { value: "semantic", title: "Semantic" },
];

const EXAMPLES = [
  "invoice newer_than:90d",
  "from:ada has:attachment",
  '"final version" -draft',
  "move our appointment",
];

interface Asked {
  query: string;
  mode: Mode;
  sandbox: boolean;
}

/** Returns the address of this page with a query, which it then runs. */
export function searchHash(query: string): string {
  return `#/search?q=${encodeURIComponent(query)}`;
}

/** The API's search. */
export function Search() {
  const [query, setQuery] = useState("");
  const [mode, setMode] = useState<Mode>("hybrid");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [reply, setReply] = useState<SearchReply | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [opened, setOpened] = useState<SearchResult | null>(null);

  async function ask(next: Asked, cursor?: string) {
    setBusy(true);
    setFault(null);
    if (!cursor) {
      setAsked(next);
      setReply(null);
    }
    try {
      const body = { query: next.query, mode: next.mode, limit: 10, ...(cursor ? { cursor } : {}) };
      const answer = await v1<SearchReply>("POST", "/search", { body });
      setReply(cursor && reply ? { ...answer, data: [...reply.data, ...answer.data] } : answer);
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  const start = (text: string, how: Mode) => {
    setQuery(text);
    setMode(how);
    if (text.trim()) void ask({ query: text.trim(), mode: how, sandbox: sandbox.value });
  };
  const given = currentRoute.value.query.get("q") ?? "";
  useEffect(() => {
    if (given) start(given, mode);
  }, [given]);
  // Results of the real mailboxes must not stay visible in the sandbox, and vice versa.
  const current = asked?.sandbox === sandbox.value ? reply : null;
  return (
    <Page
      title="Search"
      lead="Searches all folders except trash and spam. Enter words or operators, or describe what you are looking for."
    >
      <Card>
        <search>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              start(query, mode);
            }}
          >
            <div class="with-button">
              <TextField label="Search your mail" type="search" autocomplete="off" value={query} onInput={setQuery} />
              <Button type="submit" kind="primary" icon="search" busy={busy}>
                Search
              </Button>
            </div>
            <Choice
              legend="Search mode"
              name="mode"
              inline
              value={mode}
              options={MODES}
              onChange={(value) => (asked ? start(query, value) : setMode(value))}
            />
          </form>
        </search>
      </Card>
      <div aria-live="polite" class="stack">
        <FaultNotice error={fault} />
        {busy && !current && (
          <Card>
            <Skeleton lines={6} />
          </Card>
        )}
        {current && asked && current.corrections.length > 0 && (
          <SpellingNotice
            query={asked.query}
            corrections={current.corrections}
            onExact={(exact) => start(exact, asked.mode)}
          />
        )}
        {current && <Found reply={current} onOpen={setOpened} />}
        {current && <More more={current.has_more} busy={busy} onMore={() => void ask(asked!, current.next_cursor)} />}
        {!asked && (
          <Card>
            <Empty icon="search" title="Try an example">
              <div class="chips">
                {EXAMPLES.map((example) => (
                  <Button key={example} small onClick={() => start(example, mode)}>
                    {example}
                  </Button>
                ))}
              </div>
            </Empty>
          </Card>
        )}
      </div>
      {opened && <MessageDialog id={opened.message_id} onClose={() => setOpened(null)} />}
    </Page>
  );
}

interface SpellingNoticeProps {
  query: string;
  corrections: SearchReply["corrections"];
  onExact(query: string): void;
}

/** Shows corrected spellings of words that no message contains, with a link to the original query. */
function SpellingNotice({ query, corrections, onExact }: SpellingNoticeProps) {
  const spelling = new Map(corrections.map(({ from, to }) => [from, to]));
  const respelled = (spell: (word: string, to: string) => string) =>
    query.replace(/[\p{L}\p{M}]+/gu, (word) => {
      const to = spelling.get(folded(word));
      return to === undefined ? word : spell(word, to);
    });
  return (
    <Notice tone="info">
      <p>
        Showing results for <strong>{respelled((_, to) => to)}</strong>.{" "}
        <button type="button" class="as-link" onClick={() => onExact(respelled((word) => `"${word}"`))}>
          Search for {query} instead
        </button>
      </p>
    </Notice>
  );
}

/** Folds case and accents, as the API does when it compares words. */
const folded = (word: string) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function Found({ reply, onOpen }: { reply: SearchReply; onOpen(result: SearchResult): void }) {
  return (
    <>
      {reply.partial && (
        <Notice tone="info">
          {reply.waiting_full_text > 0 && (
            <p>
              The text of {counted(reply.waiting_full_text, "message")} is not indexed yet, so results can be missing.
            </p>
          )}
          {reply.waiting > 0 && (
            <p>
              Semantic indexing is in progress: {count(reply.indexed)} of{" "}
              {counted(reply.indexed + reply.waiting, "message")}.
            </p>
          )}
          {reply.waiting_full_text + reply.waiting === 0 && (
            <p>Only keyword search was used, because the semantic model did not respond.</p>
          )}
        </Notice>
      )}
      <Card>
        {reply.data.length === 0 ? (
          <Empty icon="search" title="No results">
            <p>Try fewer words or semantic search. To search trash or spam, add in:trash or in:spam.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {reply.data.map((result) => (
              <li key={result.message_id} class="row result">
                <div class="row-main">
                  <p class="row-title">
                    <button type="button" class="as-link" onClick={() => onOpen(result)}>
                      {result.subject || "(no subject)"}
                    </button>{" "}
                    {result.other_matches > 0 && (
                      <Badge>{counted(result.other_matches, "more match", "more matches")}</Badge>
                    )}
                  </p>
                  <p class="hint">
                    {result.from.name || result.from.email}
                    {" · "}
                    <Ago at={result.date} />
                    {` · ${result.matched_by.join(" and ")} match`}
                  </p>
                  <p class="snippet">
                    <Marked snippet={result.snippet} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}
