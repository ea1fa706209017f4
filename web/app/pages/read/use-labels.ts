import { useEffect } from "preact/hooks";
import type { Label } from "../../../../src/features/labels/model.ts";
import { v1 } from "../../api/client.ts";
import { useLoad } from "../../state/load.ts";

const IDLE_POLL_MS = 60_000;

/**
 * Returns the names of all labels to choose from, in alphabetical order.
 * @param shown labels on the page. One that is not in the list yet was just created elsewhere
 */
export function useLabels(shown: readonly string[] = []): string[] {
  const { data, reload } = useLoad(
    "labels",
    async () => (await v1<{ data: Label[] }>("GET", "/labels")).data.map(({ name }) => name),
    IDLE_POLL_MS,
  );
  const isOutdated = data !== null && shown.some((label) => !data.includes(label));
  useEffect(() => {
    if (isOutdated) void reload();
  }, [isOutdated, reload]);
  return [...new Set([...(data ?? []), ...shown])].sort((a, b) => a.localeCompare(b));
}
