import type { Static } from "@sinclair/typebox";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Brief, BriefGenerated } from "../../../../src/features/brief/model.ts";
import type { Usage } from "../../../../src/features/usage/model.ts";
import { v1 } from "../../api/client.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { NO_LIMIT, ProgressBar } from "../../parts/chart.tsx";
import { Await, Card, Empty, FaultNotice } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { Ago, LongDay } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { showToast } from "../../state/toasts.ts";
import { isGone } from "../read/gone.tsx";
import { CalendarLine, PromiseLine, ReplyLine } from "./brief-lines.tsx";
import { today } from "./days.ts";

const POLL_MS = 60_000;

/** The latest brief, item by item, and a button that generates a new one. */
export function BriefCard({ credits }: { credits: Usage["ai_credits"] | null }) {
  const latest = useLoad("latest brief", async () => ({ brief: await latestBrief() }), POLL_MS);
  const { generating, fault, generate } = useGenerate(() => latest.reload());
  const brief = latest.data?.brief ?? null;
  return (
    <Card
      title="Brief"
      text={brief && <BriefTime brief={brief} />}
      actions={
        <>
          <ButtonLink small kind="quiet" href="#/ai">
            Brief settings
          </ButtonLink>
          {brief && (
            <Button small icon="refresh" busy={generating} onClick={generate}>
              Generate now
            </Button>
          )}
        </>
      }
    >
      <div role="status" class={generating ? "stack" : "visually-hidden"}>
        {generating && (
          <>
            <p class="hint">Reading your mail of the last 30 days…</p>
            <ProgressBar label="Generating the brief" done={0} total={0} />
          </>
        )}
      </div>
      <FaultNotice error={fault} />
      <Await of={latest} lines={5}>
        {() =>
          brief ? (
            <Sections brief={brief} />
          ) : (
            <Empty icon="brief" title="No brief yet">
              <p>The brief lists who waits for your reply, what was promised, and what is planned for today.</p>
              <Button kind="primary" busy={generating} onClick={generate}>
                Generate now
              </Button>
            </Empty>
          )
        }
      </Await>
      {credits && !credits.byok && credits.limit < NO_LIMIT && (
        <p class="hint">
          A brief spends AI credits: {count(credits.used)} of {count(credits.limit)} are spent this month.
        </p>
      )}
    </Card>
  );
}

/** Returns the latest brief; null before the first one. */
async function latestBrief(): Promise<Brief | null> {
  try {
    return await v1<Brief>("GET", "/brief/latest");
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function useGenerate(onReady: () => Promise<void>) {
  const [generating, setGenerating] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const inSandbox = sandbox.value;
  const ready = useRef(onReady);
  ready.current = onReady;
  useEffect(() => setFault(null), [inSandbox]);
  async function generate() {
    setGenerating(true);
    setFault(null);
    try {
      await v1<Static<typeof BriefGenerated>>("POST", "/brief/generate", { body: {}, inSandbox });
      if (sandbox.value === inSandbox) await ready.current();
      showToast("Today's brief is ready.");
    } catch (error) {
      if (sandbox.value === inSandbox) setFault(error);
    } finally {
      setGenerating(false);
    }
  }
  return { generating, fault, generate };
}

function BriefTime({ brief: { date, generated_at } }: { brief: Brief }) {
  return (
    <>
      {date !== today() && (
        <>
          For <LongDay day={date} />,{" "}
        </>
      )}
      {date === today() ? "Generated" : "generated"} <Ago at={generated_at} />
    </>
  );
}

const ENGINES: Record<Brief["engine"], string> = {
  extractive: "Every item quotes your mail. Written by the built-in engine, without a language model.",
};

function Sections({ brief }: { brief: Brief }) {
  const { needs_reply, commitments, undated, calendar, engine } = brief;
  const now = today();
  const total = needs_reply.length + commitments.length + undated.length + calendar.length;
  return (
    <>
      {total === 0 && <p>No one waits for your reply, and nothing is promised or planned.</p>}
      <Section title="Waiting for your reply" items={needs_reply}>
        {(item) => <ReplyLine key={item.message_id} item={item} now={now} />}
      </Section>
      <Section title="Promises" items={commitments}>
        {(item) => <PromiseLine key={`${item.message_id} ${item.start}`} item={item} now={now} />}
      </Section>
      <Section title="Promises without a date" items={undated}>
        {(item) => <PromiseLine key={`${item.message_id} ${item.start}`} item={item} now={now} />}
      </Section>
      <Section title="Calendar" items={calendar}>
        {(item) => <CalendarLine key={`${item.event_id} ${item.start}`} item={item} now={now} />}
      </Section>
      <p class="hint">{ENGINES[engine]}</p>
    </>
  );
}

const SHOWN_AT_FIRST = 5;

interface SectionProps<T> {
  title: string;
  items: readonly T[];
  children: (item: T) => ComponentChildren;
}

/** The items of one kind; the first few until the reader asks for all. Renders nothing without items. */
function Section<T>({ title, items, children }: SectionProps<T>) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // The button that was pressed is gone. The focus moves to the first item that it revealed.
    if (all) list.current?.children[SHOWN_AT_FIRST]?.querySelector("a")?.focus();
  }, [all]);
  if (items.length === 0) return null;
  const more = items.length - SHOWN_AT_FIRST;
  return (
    <section class="brief-section">
      <h3>
        {title} <span class="hint numbers">{items.length}</span>
      </h3>
      <ul class="rows" ref={list}>
        {(all ? items : items.slice(0, SHOWN_AT_FIRST)).map(children)}
      </ul>
      {!all && more > 0 && (
        <p>
          <Button small onClick={() => setAll(true)}>
            Show {counted(more, "more item")}
          </Button>
        </p>
      )}
    </section>
  );
}
