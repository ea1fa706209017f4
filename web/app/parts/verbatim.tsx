interface VerbatimProps {
  text: string;
  /** The accessible name: "Receiver response". */
  label: string;
  /** For the text of a message. Everything else is shown in a fixed-width font. */
  proportional?: boolean;
}

/** Shows text from a third party as it is, never as HTML. */
export function Verbatim({ text, label, proportional }: VerbatimProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must scroll by keyboard too
    <section class={proportional ? "message-text" : "response"} tabIndex={0} aria-label={label}>
      {text}
    </section>
  );
}
