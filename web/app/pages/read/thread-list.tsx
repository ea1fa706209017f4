import { useEffect, useRef } from "preact/hooks";
import type { ThreadItem } from "../../../../src/features/threads/model.ts";
import type { PagedList } from "../../api/paging.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Card, Empty, FaultNotice, More, Page, Skeleton } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { navigate } from "../../state/route.ts";
import { searchHash } from "../search.tsx";
import { archive, toggleStar, trash } from "./actions.ts";
import { FilterBar, focusSearch, isQueryFault } from "./filter-bar.tsx";
import { type Filters, filterCount, readHash, stateLabel } from "./filters.ts";
import { PAGE_SIZE } from "./rows.ts";
import { ShortcutHelp, useShortcuts } from "./shortcuts.tsx";
import { rowLink, ThreadRow } from "./thread-row.tsx";

/** Where the reader is in the list: the thread that has the focus or was opened last. */
export interface Place {
  id: string | null;
  index: number;
}

interface ListProps {
  filters: Filters;
  list: PagedList<ThreadItem>;
  place: Place;
}

const POLL_MS = 30_000;

/** The list of threads. */
export function ThreadListPage({ filters, list, place }: ListProps) {
  useRefresh(list);
  useReturn(list, place);
  const { rows } = list;
  const focused = () => rows?.find(({ id }) => rowLink(id)?.closest("li")?.contains(document.activeElement)) ?? null;
  const focusRow = (row: ThreadItem | undefined) => row && rowLink(row.id)?.focus();
  const step = (by: 1 | -1) => {
    if (!rows) return;
    const row = focused();
    const index = row ? rows.indexOf(row) + by : place.id === null ? 0 : place.index;
    if (index >= rows.length && list.more) void list.next();
    focusRow(rows[Math.max(0, Math.min(index, rows.length - 1))]);
  };
  /** Moves the focus to the neighbor first, because the row is about to disappear. */
  const removing = async (row: ThreadItem, act: (row: ThreadItem) => Promise<boolean>) => {
    const index = rows!.indexOf(row);
    focusRow(rows![index + 1] ?? rows![index - 1]);
    if (!(await act(row))) focusRow(row);
    else if (rows!.length === 1) focusHeading();
  };
  const onFocused = (act: (row: ThreadItem) => void) => () => {
    const row = focused();
    if (row) act(row);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    o: onFocused((row) => navigate(readHash(filters, row.id))),
    e: onFocused((row) => void removing(row, archive)),
    "#": onFocused((row) => void removing(row, trash)),
    s: onFocused((row) => void toggleStar(row)),
    "/": focusSearch,
  });
  return (
    <Page title="Read" actions={<ShortcutHelp />}>
      <FilterBar filters={filters} rows={rows ?? []} fault={list.error} />
      <Card>
        <p class="visually-hidden" role="status">
          {rows === null ? "" : `${stateLabel(filters.state)}: ${counted(rows.length, "thread")}`}
          {list.more && ", more below"}
        </p>
        {!isQueryFault(list.error) && <FaultNotice error={list.error} retry={list.reload} />}
        {rows === null ? (
          !list.error && <Skeleton lines={12} />
        ) : rows.length === 0 ? (
          <EmptyList filters={filters} />
        ) : (
          <ul class="threads">
            {rows.map((row, index) => (
              <ThreadRow
                key={row.id}
                row={row}
                filters={filters}
                onFocus={() => Object.assign(place, { id: row.id, index })}
                onRemove={(act) => void removing(row, act)}
              />
            ))}
          </ul>
        )}
        <More more={list.more} busy={list.busy} onMore={list.next} />
      </Card>
    </Page>
  );
}

function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}

/** Loads the list again now and then, while only its first page is loaded. */
function useRefresh(list: PagedList<ThreadItem>): void {
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => {
    const timer = setInterval(() => {
      const { rows, busy, reload } = latest.current;
      const firstPage = rows !== null && rows.length <= PAGE_SIZE;
      if (firstPage && !busy && document.visibilityState === "visible") void reload();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
}

/** After a thread was closed, the focus returns to its row, or to the row that took its place. */
function useReturn({ rows }: PagedList<ThreadItem>, place: Place): void {
  useEffect(() => {
    if (place.id === null || !rows || rows.length === 0) return;
    const row = rows.find(({ id }) => id === place.id) ?? rows[Math.min(place.index, rows.length - 1)]!;
    const link = rowLink(row.id);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "center" });
  }, []);
}

function EmptyList({ filters }: { filters: Filters }) {
  const where = stateLabel(filters.state);
  const all = readHash({ ...filters, account: "", tab: "", label: "", unread: false });
  if (filters.q) {
    return (
      <Empty icon="search" title={`No results in ${where}`}>
        <p>Try fewer words, or search the other folders as well.</p>
        <ButtonLink icon="search" href={searchHash(filters.q)}>
          Search all folders
        </ButtonLink>
      </Empty>
    );
  }
  if (filterCount(filters) > 0) {
    return (
      <Empty icon="inbox" title={`No matching threads in ${where}`}>
        <p>Other threads in {where} do not match the filters.</p>
        <Button onClick={() => navigate(all)}>Clear filters</Button>
      </Empty>
    );
  }
  return (
    <Empty icon="inbox" title={EMPTY[filters.state][0]}>
      <p>{EMPTY[filters.state][1]}</p>
      {filters.state === "inbox" && <ButtonLink href="#/mailboxes">Open Mailboxes</ButtonLink>}
    </Empty>
  );
}

const EMPTY: Record<Filters["state"], [title: string, text: string]> = {
  inbox: [
    "Your inbox is empty",
    "New mail appears here. If you expect mail, check on the Mailboxes page that your mailboxes are connected.",
  ],
  snoozed: ["Nothing is snoozed", "Threads that you snooze are here until they return to the inbox."],
  archived: ["Nothing is archived", "Threads that you archive are here. Press e to archive a thread."],
  sent: ["No sent mail", "Threads with a message that you sent are here."],
  spam: ["No spam", "Threads that your mail provider or you mark as spam are here."],
  trash: ["The trash is empty", "Threads that you move to the trash are here. Your mail provider deletes them later."],
};
