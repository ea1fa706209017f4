import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { sandbox } from "./sandbox.ts";

export interface Loaded<T> {
  /** The last good answer; it stays while a newer one is on its way. */
  data: T | null;
  error: unknown;
  reload(): Promise<void>;
  /** Puts a changed answer in place without asking again. */
  set(data: T): void;
}

/**
 * Asks when the page comes up, when `key` or the sandbox switch changes, and every `poll_ms` while the page is in sight.
 * An answer that comes after a newer question is dropped.
 */
export function useLoad<T>(key: string, ask: () => Promise<T>, poll_ms?: number | ((data: T) => number)): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: unknown }>({ key, data: null, error: null });
  const asked = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const full_key = `${sandbox.value ? "sandbox " : ""}${key}`;

  const reload = useCallback(async () => {
    const turn = ++asked.current;
    try {
      const data = await latest.current();
      if (turn === asked.current) setState({ key: full_key, data, error: null });
    } catch (error) {
      if (turn === asked.current) setState((before) => ({ ...before, key: full_key, error }));
    }
  }, [full_key]);

  useEffect(() => {
    void reload();
    return () => {
      asked.current++;
    };
  }, [reload]);

  const data = state.key === full_key ? state.data : null;
  const wait_ms = typeof poll_ms === "function" ? (data === null ? 0 : poll_ms(data)) : (poll_ms ?? 0);
  useEffect(() => {
    if (wait_ms === 0) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void reload();
    }, wait_ms);
    return () => clearInterval(timer);
  }, [reload, wait_ms]);

  const set = useCallback((next: T) => setState({ key: full_key, data: next, error: null }), [full_key]);
  return { data, error: state.key === full_key ? state.error : null, reload, set };
}
