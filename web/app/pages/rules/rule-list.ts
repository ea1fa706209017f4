import { useRef } from "preact/hooks";
import type { RuleItem } from "../../../../src/features/rules/model.ts";
import { messageOf, v1 } from "../../api/client.ts";
import { type Loaded, useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";

interface ListOf {
  data: RuleItem[];
}

export interface RuleList extends Loaded<RuleItem[]> {
  /** Moves a rule up (-1) or down (1) among the rules of its kind. @returns its new position, from 1 */
  move(rule: RuleItem, by: -1 | 1): number;
  setEnabled(rule: RuleItem, enabled: boolean): Promise<void>;
}

/** Loads the rules of a kind in the order in which they run. Changes are shown immediately. */
export function useRules(kind: RuleItem["kind"]): RuleList {
  const all = useLoad("rules", async () => byPriority((await v1<ListOf>("GET", "/rules")).data));
  /** The order to send next; null if the server has the last one. */
  const wanted = useRef<string[] | null>(null);
  const sending = useRef(false);

  /** Sends one order at a time, so that the last one is also the last to arrive. */
  async function sendOrder() {
    if (sending.current) return;
    sending.current = true;
    try {
      while (wanted.current) {
        const ids = wanted.current;
        wanted.current = null;
        const { data } = await v1<ListOf>("PUT", "/rules/order", { body: { ids } });
        if (!wanted.current) all.set(data);
      }
    } catch (error) {
      wanted.current = null;
      await failed(error);
    } finally {
      sending.current = false;
    }
  }

  async function failed(error: unknown) {
    showToast(messageOf(error), "bad");
    await all.reload();
  }

  const data = all.data?.filter((rule) => rule.kind === kind) ?? null;
  return {
    ...all,
    data,
    move(rule, by) {
      const from = data!.indexOf(rule);
      const other = data![from + by];
      if (!other) return from + 1;
      // The rules of the other kind keep their positions.
      const next = all.data!.map((one) => (one === rule ? other : one === other ? rule : one));
      all.set(next);
      wanted.current = next.map(({ id }) => id);
      void sendOrder();
      return from + by + 1;
    },
    async setEnabled({ id }, enabled) {
      const put = (changed: Partial<RuleItem>) =>
        all.set(all.data!.map((rule) => (rule.id === id ? { ...rule, ...changed } : rule)));
      put({ enabled });
      try {
        await v1<RuleItem>("PATCH", `/rules/${encodeURIComponent(id)}`, { body: { enabled } });
      } catch (error) {
        await failed(error);
      }
    },
  };
}

function byPriority(rules: RuleItem[]): RuleItem[] {
  return rules.toSorted((a, b) => a.priority - b.priority);
}
