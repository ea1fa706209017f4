import { useEffect, useRef, useState } from "preact/hooks";
import type { RulePreview } from "../../../../src/features/rules/model.ts";
import { v1 } from "../../api/client.ts";
import { sandbox } from "../../state/sandbox.ts";

export interface PreviewState {
  /** The newest response, kept while the next one is computed. */
  preview: RulePreview | null;
  error: unknown;
  busy: boolean;
}

/** Pause after the last keystroke. */
const DEBOUNCE_MS = 500;
const NOTHING = { asked: null, preview: null, error: null };

/**
 * Previews a rule on the mail of the last `days`, again after each change. At most one request is under way: the server
 * reads a month of mail for each.
 * @param rule the body of the request; null while the rule is incomplete
 */
export function usePreview(rule: object | null): PreviewState {
  const wanted = rule && `${sandbox.value} ${JSON.stringify(rule)}`;
  const [state, setState] = useState<{ asked: string | null; preview: RulePreview | null; error: unknown }>(NOTHING);
  const latest = useRef<{ wanted: string; rule: object } | null>(null);
  latest.current = wanted === null ? null : { wanted, rule: rule! };
  const running = useRef(false);

  async function run() {
    if (running.current) return;
    running.current = true;
    for (let done: string | null = null; latest.current && latest.current.wanted !== done; ) {
      const asked = latest.current;
      done = asked.wanted;
      try {
        const preview = await v1<RulePreview>("POST", "/rules/preview", { body: asked.rule });
        if (latest.current?.wanted === done) setState({ asked: done, preview, error: null });
      } catch (error) {
        if (latest.current?.wanted === done) setState({ asked: done, preview: null, error });
      }
    }
    running.current = false;
  }

  useEffect(() => {
    if (wanted === null) return;
    const timer = setTimeout(() => void run(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );

  const current = wanted !== null && state.asked === wanted;
  return {
    preview: wanted === null ? null : state.preview,
    error: current ? state.error : null,
    busy: wanted !== null && !current,
  };
}
