interface VerbatimProps {
  text: string;
  /** Whose words: "Answer of the receiver". */
  label: string;
  /** A letter is read; everything else is looked at, in a fixed width. */
  letter?: boolean;
}

/** The words of somebody else as they are: text, never HTML. */
export function Verbatim({ text, label, letter }: VerbatimProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so without a mouse
    <section class={letter ? "letter" : "answer"} tabIndex={0} aria-label={label}>
      {text}
    </section>
  );
}
