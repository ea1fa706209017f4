import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type {
  CalendarItem,
  CommitmentItem,
  NeedsReply,
  UndatedCommitment,
} from "../../../../src/features/brief/model.ts";
import { Badge } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { capitalized } from "../finding-line.tsx";
import { dayAt, dayInWords, timezone } from "./days.ts";
import { EventDialog } from "./event-dialog.tsx";

/** Someone who waits for a reply, and the words that ask for it. @param now today, YYYY-MM-DD */
export function ReplyLine({ item, now }: { item: NeedsReply; now: string }) {
  const { thread_id, subject, from, vip, asked_at, due, quote } = item;
  return (
    <Line threadId={thread_id} title={subject || "(no subject)"} quote={quote} due={due} now={now} vip={vip}>
      {nameOf(from)} asked <Ago at={asked_at} />
    </Line>
  );
}

/** A promise of the person or of someone else. @param now today, YYYY-MM-DD */
export function PromiseLine({ item, now }: { item: CommitmentItem | UndatedCommitment; now: string }) {
  const { thread_id, by, with: other, said_at, due, quote } = item;
  const title = by === "me" ? `You promised ${nameOf(other)}` : `${nameOf(other)} promised you`;
  return (
    <Line threadId={thread_id} title={title} quote={quote} due={due} now={now}>
      Promised <Ago at={said_at} />
    </Line>
  );
}

interface LineProps {
  threadId: string;
  title: string;
  quote: string;
  due: string | null;
  now: string;
  vip?: boolean;
  children: ComponentChildren;
}

function Line({ threadId, title, quote, due, now, vip, children }: LineProps) {
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          <a href={`#/read/${encodeURIComponent(threadId)}`}>
            <bdi>{title}</bdi>
          </a>{" "}
          {vip && <Badge tone="info">VIP</Badge>} {due !== null && <DueBadge due={due} now={now} />}
        </p>
        <p class="hint">
          {children}
          {due !== null && `, ${due < now ? "was due" : "due"} ${dayInWords(due, now)}`}
        </p>
        <blockquote class="quote">
          <bdi>{quote}</bdi>
        </blockquote>
      </div>
    </li>
  );
}

function DueBadge({ due, now }: { due: string; now: string }) {
  if (due < now) return <Badge tone="bad">Overdue</Badge>;
  return due === now ? <Badge tone="warn">Due today</Badge> : null;
}

/**
 * An event of the calendar. It opens the thread with the invitation, or else its details. One that starts at midnight
 * counts as all-day. @param now today, YYYY-MM-DD
 */
export function CalendarLine({ item, now }: { item: CalendarItem; now: string }) {
  const { title, start, event_id, thread_id } = item;
  const [open, setOpen] = useState(false);
  const at = Date.parse(start);
  const format = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: timezone() });
  const time = format.format(at);
  return (
    <li class="row">
      <p class="row-main">
        {thread_id ? (
          <a class="row-title" href={`#/read/${encodeURIComponent(thread_id)}`}>
            <bdi>{title}</bdi>
          </a>
        ) : event_id ? (
          <button type="button" class="as-link" onClick={() => setOpen(true)}>
            <bdi>{title}</bdi>
          </button>
        ) : (
          <bdi class="row-title">{title}</bdi>
        )}{" "}
        <time class="hint numbers" dateTime={start}>
          {capitalized(dayInWords(dayAt(at), now))}
          {time === "00:00" ? "" : ` at ${time}`}
        </time>
      </p>
      {open && <EventDialog item={item} onClose={() => setOpen(false)} />}
    </li>
  );
}

function nameOf({ name, email }: { name: string; email: string }): string {
  return name || email;
}
