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
  /** Deletes a rule, and offers to create it again. */
  remove(rule: RuleItem): Promise<void>;
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

  /** Creates a deleted rule again, at its position in the former order. */
  async function restore(
    { id: old, kind, name, enabled, conditions, actions, account_id }: RuleItem,
    former: string[],
  ) {
    try {
      const body = { kind, name, enabled, conditions, actions, account_id };
      const { id } = await v1<{ id: string }>("POST", "/rules", { body });
      const position = (one: string) => {
        const at = former.indexOf(one === id ? old : one);
        return at < 0 ? former.length : at;
      };
      const { data } = await v1<ListOf>("GET", "/rules");
      const ids = data.map((rule) => rule.id).toSorted((a, b) => position(a) - position(b));
      await v1("PUT", "/rules/order", { body: { ids } });
      showToast("Restored.");
    } catch (error) {
      showToast(messageOf(error), "bad");
    }
    await all.reload();
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
    async remove(rule) {
      const former = all.data!.map(({ id }) => id);
      await v1("DELETE", `/rules/${encodeURIComponent(rule.id)}`);
      await all.reload();
      const undo = { label: "Undo", act: () => void restore(rule, former) };
      showToast(kind === "agent" ? "Entry deleted." : "Rule deleted.", "good", undo);
    },
  };
}

function byPriority(rules: RuleItem[]): RuleItem[] {
  return rules.toSorted((a, b) => a.priority - b.priority);
}
