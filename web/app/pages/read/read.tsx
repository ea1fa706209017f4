import { useEffect, useRef } from "preact/hooks";
import type { ThreadItem } from "../../../../src/features/threads/model.ts";
import { v1 } from "../../api/client.ts";
import { type PagedList, type PageOf, usePagedList } from "../../api/paging.ts";
import { currentRoute } from "../../state/route.ts";
import { onThreadChange } from "./actions.ts";
import { type Filters, filtersOf, queryOf, readHash } from "./filters.ts";
import { applied, PAGE_SIZE } from "./rows.ts";
import { ThreadPage } from "./thread.tsx";
import { type Place, ThreadListPage } from "./thread-list.tsx";

/** The mail: the list of threads, or one thread of it. The list stays loaded while a thread is open. */
export function Read({ id }: { id?: string }) {
  const filters = filtersOf(currentRoute.value.query);
  const list = useThreadList(filters);
  const place = useRef<Place>({ id: null, index: 0 });
  if (id) return <ThreadPage key={id} id={id} filters={filters} list={list} place={place.current} />;
  return <ThreadListPage filters={filters} list={list} place={place.current} />;
}

function useThreadList(filters: Filters): PagedList<ThreadItem> {
  const list = usePagedList(readHash(filters), (cursor) =>
    v1<PageOf<ThreadItem>>("GET", "/threads", { query: { ...queryOf(filters), limit: PAGE_SIZE, cursor } }),
  );
  const latest = useRef({ list, filters });
  latest.current = { list, filters };
  const removed = useRef(new Map<string, ThreadItem>());
  useEffect(
    () =>
      onThreadChange((id, changed) => {
        const { list, filters } = latest.current;
        list.change((rows) => applied(rows, id, changed, filters, removed.current));
      }),
    [],
  );
  return list;
}
