import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sandbox } from "./sandbox.ts";

export interface Loaded<T> {
  /** The last successful response, kept while a newer one loads. */
  data: T | null;
  error: unknown;
  reload(): Promise<void>;
  /** Replaces the data without a request. */
  set(data: T): void;
}

/**
 * Loads data on mount, when `key` or the sandbox switch changes, and every `pollMs` while the page is visible.
 * A response to an outdated request is dropped.
 */
export function useLoad<T>(key: string, ask: () => Promise<T>, pollMs?: number | ((data: T) => number)): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: unknown }>({ key, data: null, error: null });
  const asked = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const fullKey = `${sandbox.value ? "sandbox " : ""}${key}`;

  const reload = useCallback(async () => {
    const turn = ++asked.current;
    try {
      const data = await latest.current();
      if (turn === asked.current) setState({ key: fullKey, data, error: null });
    } catch (error) {
      if (turn === asked.current) setState((before) => ({ ...before, key: fullKey, error }));
    }
  }, [fullKey]);

  useEffect(() => {
    void reload();
    return () => {
      asked.current++;
    };
  }, [reload]);

  const data = state.key === fullKey ? state.data : null;
  const waitMs = typeof pollMs === "function" ? (data === null ? 0 : pollMs(data)) : (pollMs ?? 0);
  useEffect(() => {
    if (waitMs === 0) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void reload();
    }, waitMs);
    return () => clearInterval(timer);
  }, [reload, waitMs]);

  const set = useCallback((next: T) => setState({ key: fullKey, data: next, error: null }), [fullKey]);
  return { data, error: state.key === fullKey ? state.error : null, reload, set };
}
