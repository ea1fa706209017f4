import type { ComponentChildren } from "preact";
import { Facts } from "../parts/layout.tsx";

/** A setting that the configuration sets. */
export function Configured({ name, value, keyName }: { name: string; value: ComponentChildren; keyName: string }) {
  return (
    <div>
      <Facts rows={[[name, value]]} />
      <p class="hint">
        Set by <code>{keyName}</code> in the configuration, so it cannot be changed here.
      </p>
    </div>
  );
}
