import { useEffect, useRef, useState } from "preact/hooks";
import { sandbox } from "../state/sandbox.ts";

export interface PageOf<T> {
  data: T[];
  has_more: boolean;
  next_cursor?: string | null;
}

export interface PagedList<T> {
  rows: T[] | null;
  more: boolean;
  busy: boolean;
  error: unknown;
  next(): Promise<void>;
  reload(): Promise<void>;
  /** Changes the loaded rows without a request. */
  change(edit: (rows: T[]) => T[]): void;
}

/** Loads a list page by page. Starts again when `key` or the sandbox switch changes. */
export function usePagedList<T>(key: string, ask: (cursor: string | undefined) => Promise<PageOf<T>>): PagedList<T> {
  const fullKey = `${sandbox.value ? "sandbox " : ""}${key}`;
  const [state, setState] = useState<{ key: string; rows: T[] | null; cursor?: string }>({ key: fullKey, rows: null });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const latestKey = useRef(fullKey);
  latestKey.current = fullKey;
  const changes = useRef(0);

  /** @param cursor where to continue; undefined to replace all rows */
  async function read(cursor: string | undefined) {
    const changesBefore = changes.current;
    setBusy(true);
    try {
      const page = await ask(cursor);
      // The list is another one, or the rows were changed after the server had read them.
      if (latestKey.current !== fullKey || (cursor === undefined && changes.current !== changesBefore)) return;
      const next = page.has_more ? (page.next_cursor ?? undefined) : undefined;
      setState((before) => {
        const kept = cursor !== undefined && before.key === fullKey ? (before.rows ?? []) : [];
        return { key: fullKey, rows: [...kept, ...page.data], cursor: next };
      });
      setError(null);
    } catch (fault) {
      if (latestKey.current === fullKey) setError(fault);
    } finally {
      setBusy(false);
    }
  }

  useEffect(() => {
    setError(null);
    void read(undefined);
  }, [fullKey]);

  const rows = state.key === fullKey ? state.rows : null;
  return {
    rows,
    more: rows !== null && state.cursor !== undefined,
    busy,
    error,
    next: () => read(state.cursor),
    reload: () => read(undefined),
    change(edit) {
      changes.current++;
      setState((before) =>
        before.key === fullKey && before.rows !== null ? { ...before, rows: edit(before.rows) } : before,
      );
    },
  };
}
