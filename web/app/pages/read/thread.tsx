import { useEffect, useRef, useState } from "preact/hooks";
import type { Thread, ThreadItem, ThreadMessage } from "../../../../src/features/threads/model.ts";
import { v1 } from "../../api/client.ts";
import type { PagedList, PageOf } from "../../api/paging.ts";
import { Button } from "../../parts/button.tsx";
import { Await, Badge, Notice, Page } from "../../parts/layout.tsx";
import { When } from "../../parts/time.tsx";
import { type Loaded, useLoad } from "../../state/load.ts";
import { navigate } from "../../state/route.ts";
import { sandbox } from "../../state/sandbox.ts";
import { archive, markRead, onThreadChange, toggleStar, trash } from "./actions.ts";
import { focusSearch } from "./filter-bar.tsx";
import { type Filters, readHash, stateLabel } from "./filters.ts";
import { Gone, isGone } from "./gone.tsx";
import { MessageCard } from "./message.tsx";
import { ShortcutHelp, useShortcuts } from "./shortcuts.tsx";
import { ThreadActions } from "./thread-actions.tsx";
import { ThreadDrafts } from "./thread-drafts.tsx";
import type { Place } from "./thread-list.tsx";

export interface OpenThread {
  thread: Thread;
  messages: ThreadMessage[];
}

interface ThreadProps {
  id: string;
  filters: Filters;
  list: PagedList<ThreadItem>;
  place: Place;
}

/** A thread with its messages, oldest first. */
export function ThreadPage({ id, filters, list, place }: ThreadProps) {
  const opened = useLoad(`thread ${id}`, () => load(id));
  useChanges(opened);
  useSandboxSwitch(filters);
  const thread = opened.data?.thread;
  useEffect(() => {
    if (thread) void markRead(thread);
  }, [thread?.id]);
  const index = list.rows?.findIndex((row) => row.id === id) ?? -1;
  useEffect(() => {
    if (index >= 0) Object.assign(place, { id, index });
  }, [index]);
  const back = readHash(filters);
  const leave = () => navigate(back);
  const step = (by: 1 | -1) => {
    const next = list.rows?.[index + by];
    if (index < 0) return;
    if (next) navigate(readHash(filters, next.id));
    else if (by === 1 && list.more) void list.next();
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    u: leave,
    e: () => thread && void archive(thread).then((done) => done && leave()),
    "#": () => thread && void trash(thread).then((done) => done && leave()),
    s: () => thread && void toggleStar(thread),
    "/": () => {
      leave();
      // The list appears with the next frames.
      requestAnimationFrame(() => requestAnimationFrame(focusSearch));
    },
  });
  return (
    <Page
      title={thread ? thread.subject || "(no subject)" : "Thread"}
      back={{ href: back, label: filters.q ? "Search results" : stateLabel(filters.state) }}
      actions={<ShortcutHelp />}
    >
      {isGone(opened.error) ? (
        <Gone title="This thread does not exist" href={back}>
          It was deleted, or it is not in the mailboxes that this page shows.
        </Gone>
      ) : (
        <Await of={opened} lines={8}>
          {({ thread, messages }) => (
            <>
              <ThreadActions thread={thread} messages={messages} leave={leave} />
              <Facts thread={thread} />
              <Messages key={thread.id} messages={messages} />
              <ThreadDrafts threadId={thread.id} />
            </>
          )}
        </Await>
      )}
    </Page>
  );
}

async function load(id: string): Promise<OpenThread> {
  const path = `/threads/${encodeURIComponent(id)}`;
  const [thread, messages] = await Promise.all([v1<Thread>("GET", path), loadMessages(path)]);
  return { thread, messages };
}

const MESSAGES_AT_ONCE = 100;

async function loadMessages(path: string): Promise<ThreadMessage[]> {
  const messages: ThreadMessage[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const query = { limit: MESSAGES_AT_ONCE, cursor };
    const page: PageOf<ThreadMessage> = await v1("GET", `${path}/messages`, { query });
    messages.push(...page.data);
    cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined;
  }
  return messages;
}

/** Shows changes of the thread without a request, those that were undone included. */
function useChanges(opened: Loaded<OpenThread>): void {
  const latest = useRef(opened);
  latest.current = opened;
  useEffect(
    () =>
      onThreadChange((id, changed) => {
        const { data, set } = latest.current;
        if (data?.thread.id === id) set({ ...data, thread: { ...data.thread, ...changed } });
      }),
    [],
  );
}

/** The sandbox has other threads, so its switch leads back to the list. */
function useSandboxSwitch(filters: Filters): void {
  const shown = useRef(sandbox.value);
  useEffect(() => {
    if (shown.current !== sandbox.value) navigate(readHash({ ...filters, account: "", label: "" }));
  }, [sandbox.value]);
}

function Facts({ thread: { state, labels, starred, snooze_until } }: { thread: Thread }) {
  return (
    <>
      <p class="chips thread-facts">
        <Badge>{stateLabel(state)}</Badge>
        {starred && <Badge tone="warn">Starred</Badge>}
        {labels.map((label) => (
          <Badge key={label} tone="info">
            {label}
          </Badge>
        ))}
      </p>
      {state === "snoozed" && snooze_until && (
        <Notice tone="quiet">
          <p>
            Snoozed until <When at={snooze_until} />.
          </p>
        </Notice>
      )}
    </>
  );
}

/** A frame for each message at once would slow down the page, so at most this many are open at first. */
const MAX_OPEN = 10;
/** Fewer closed messages are not worth a button. */
const LEAST_FOLDED = 3;

/** The newest message and unread ones are open, the others closed. Of a long thread, the middle is folded. */
function Messages({ messages }: { messages: readonly ThreadMessage[] }) {
  const openAtFirst = useRef<Set<string> | null>(null);
  openAtFirst.current ??= new Set(
    messages
      .filter(({ unread, draft }, i) => i === messages.length - 1 || (unread && !draft))
      .slice(-MAX_OPEN)
      .map(({ id }) => id),
  );
  const opened = openAtFirst.current;
  const [all, setAll] = useState(false);
  // From the second message to the last closed one before an open one, which keeps its neighbor.
  const firstOpen = messages.findIndex(({ id }, i) => i > 0 && opened.has(id));
  const folded = all ? 0 : Math.max(0, firstOpen - 2);
  const list = useRef<HTMLOListElement>(null);
  const unfold = () => {
    setAll(true);
    // The button disappears, so the focus moves to the first message that takes its place.
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>(".message-head > button")[1]?.focus());
  };
  return (
    <ol class="messages" aria-label="Messages" ref={list}>
      {messages.map((message, i) => {
        if (folded < LEAST_FOLDED || i === 0 || i > folded) {
          return (
            <MessageCard key={message.id} message={message} first={i === 0} openAtFirst={opened.has(message.id)} />
          );
        }
        return i === 1 ? (
          <li key="folded" class="messages-folded">
            <Button small kind="quiet" onClick={unfold}>
              Show {folded} earlier messages
            </Button>
          </li>
        ) : null;
      })}
    </ol>
  );
}
