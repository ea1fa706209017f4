import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

type InputProps = Omit<JSX.IntrinsicElements["input"], "type" | "ref"> & {
  /** The label of the field: "Password". */
  name: string;
};

/**
 * A field for a secret, with a button that shows what was typed. When its form is submitted, the text is hidden again:
 * password managers save only fields of the type "password", and browsers remember texts of all others.
 */
export function SecretInput({ name, autofocus, ...rest }: InputProps) {
  const [shown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Once: a later render must not take the focus from another field.
    if (autofocus) input.current?.focus();
    const form = input.current?.form;
    const hide = () => {
      // At once: a browser may look at the field before the next frame.
      if (input.current) input.current.type = "password";
      setShown(false);
    };
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <span class="secret">
      <input
        {...rest}
        type={shown ? "text" : "password"}
        spellcheck={false}
        autocapitalize="none"
        // The attribute works in a new dialog.
        autofocus={autofocus}
        ref={input}
      />
      <button type="button" aria-pressed={shown} aria-controls={rest.id} onClick={() => setShown(!shown)}>
        <Icon name={shown ? "eyeOff" : "eye"} />
        <span class="visually-hidden">Show {inSentence(name)}</span>
      </button>
    </span>
  );
}

/** Returns a label as it is written within a sentence: "mailbox password", but "API key". */
function inSentence(label: string): string {
  return /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
