import { useEffect, useState } from "preact/hooks";
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
}

/** Loads a list page by page. Starts again when `key` or the sandbox switch changes. */
export function usePagedList<T>(key: string, ask: (cursor: string | undefined) => Promise<PageOf<T>>): PagedList<T> {
  const fullKey = `${sandbox.value ? "sandbox " : ""}${key}`;
  const [state, setState] = useState<{ key: string; rows: T[] | null; cursor?: string }>({ key: fullKey, rows: null });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function read(before: T[], cursor: string | undefined, wanted: () => boolean) {
    setBusy(true);
    try {
      const page = await ask(cursor);
      if (!wanted()) return;
      const next = page.has_more ? (page.next_cursor ?? undefined) : undefined;
      setState({ key: fullKey, rows: [...before, ...page.data], cursor: next });
      setError(null);
    } catch (fault) {
      if (wanted()) setError(fault);
    } finally {
      setBusy(false);
    }
  }

  useEffect(() => {
    let here = true;
    void read([], undefined, () => here);
    return () => {
      here = false;
    };
  }, [fullKey]);

  const rows = state.key === fullKey ? state.rows : null;
  return {
    rows,
    more: rows !== null && state.cursor !== undefined,
    busy,
    error,
    next: () => read(rows ?? [], state.cursor, () => true),
    reload: () => read([], undefined, () => true),
  };
}
