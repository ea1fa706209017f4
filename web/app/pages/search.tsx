import { useState } from "preact/hooks";
import type { Mode, SearchReply, SearchResult } from "../../../src/features/search/model.ts";
import { v1 } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextField } from "../parts/field.tsx";
import { Badge, Card, Empty, FaultNotice, More, Notice, Page, Skeleton } from "../parts/layout.tsx";
import { Marked } from "../parts/marked.tsx";
import { count, counted } from "../parts/numbers.ts";
import { Ago } from "../parts/time.tsx";
import { sandbox } from "../state/sandbox.ts";
import { MessageDialog } from "./message-dialog.tsx";

const MODES: readonly { value: Mode; title: string }[] = [
  { value: "hybrid", title: "Words and meaning" },
  { value: "keyword", title: "Words" },
  { value: "semantic", title: "Meaning" },
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

/** The search box of the API, to be tried. */
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
  // What was found in the other mail is gone from sight when the switch is thrown.
  const current = asked?.sandbox === sandbox.value ? reply : null;
  return (
    <Page title="Search" lead="The same search that programs use. Words, phrases, operators, or just what you mean.">
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
              legend="By"
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
            <Empty icon="search" title="Try one of these">
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

/** What was searched for instead of words that no message has, and the way back. */
function SpellingNotice({ query, corrections, onExact }: SpellingNoticeProps) {
  const spelling = new Map(corrections.map(({ from, to }) => [from, to]));
  const written = (spell: (word: string, to: string) => string) =>
    query.replace(/[\p{L}\p{M}]+/gu, (word) => {
      const to = spelling.get(folded(word));
      return to === undefined ? word : spell(word, to);
    });
  return (
    <Notice tone="info">
      <p>
        Showing results for <strong>{written((_, to) => to)}</strong>.{" "}
        <button type="button" class="as-link" onClick={() => onExact(written((word) => `"${word}"`))}>
          Search for {query} instead
        </button>
      </p>
    </Notice>
  );
}

/** As the API compares words: without case and accents. */
const folded = (word: string) => word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function Found({ reply, onOpen }: { reply: SearchReply; onOpen(result: SearchResult): void }) {
  return (
    <>
      {reply.partial && (
        <Notice tone="info">
          {reply.waiting_full_text > 0 && (
            <p>
              The text of {counted(reply.waiting_full_text, "message")} is not indexed yet. Until then, results can be
              missing.
            </p>
          )}
          {reply.waiting > 0 && (
            <p>
              Not all mail has been read for its meaning yet: {count(reply.indexed)} of{" "}
              {counted(reply.indexed + reply.waiting, "message")}.
            </p>
          )}
          {reply.waiting_full_text + reply.waiting === 0 && <p>Only words were searched: the model did not answer.</p>}
        </Notice>
      )}
      <Card>
        {reply.data.length === 0 ? (
          <Empty icon="search" title="Nothing was found">
            <p>Fewer words, or “Meaning”, may find more. Trash and spam are searched with in:trash and in:spam.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {reply.data.map((result) => (
              <li key={result.message_id} class="row result">
                <div class="row-main">
                  <p class="row-title">
                    <button type="button" class="as-link" onClick={() => onOpen(result)}>
                      {result.subject || "(no subject)"}
                    </button>
                    {result.other_matches > 0 && <Badge>{counted(result.other_matches, "more", "more")}</Badge>}
                  </p>
                  <p class="hint">
                    {result.from.name || result.from.email}
                    {" · "}
                    <Ago at={result.date} />
                    {" · found by "}
                    {result.matched_by.map((by) => (by === "keyword" ? "words" : "meaning")).join(" and ")}
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
