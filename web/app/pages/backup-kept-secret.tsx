import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";

export const KEEPS = "Leave this empty to keep the saved one.";

interface Props {
  /** The label of the field: "Password". */
  name: string;
  /** Whether a stored secret is used. */
  isKept: boolean;
  fault: string | undefined;
  /** The field for another one. @param replacing whether it takes the focus */
  children(replacing: boolean): ComponentChildren;
}

/** A stored secret, which is not shown again, with a button to replace it. */
export function KeptSecret({ name, isKept, fault, children }: Props) {
  const [replacing, setReplacing] = useState(false);
  if (!isKept || replacing || fault) return <>{children(replacing)}</>;
  return (
    <div class="field">
      <p class="field-name">{name}</p>
      <div class="kept">
        <span>Saved, not shown again</span>
        <Button
          small
          label={`Replace the ${name.charAt(0).toLowerCase()}${name.slice(1)}`}
          onClick={() => setReplacing(true)}
        >
          Replace
        </Button>
      </div>
    </div>
  );
}
