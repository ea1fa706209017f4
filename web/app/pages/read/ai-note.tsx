import type { Draft } from "../../../../src/features/drafts/model.ts";
import { Notice } from "../../parts/layout.tsx";

type Note = NonNullable<Draft["ai"]>;
type Source = Note["provenance"][number]["source"];

/** How a draft was written by AI, in words: by which engine, why it needs a review, and what each sentence is based on. */
export function AiNote({ note, body }: { note: Note; body: string }) {
  const { held_for_review, review_reasons, fallback, provenance } = note;
  const edited = provenance.some(({ text }) => !body.includes(text));
  return (
    <>
      {held_for_review && <ReviewNotice reasons={review_reasons} />}
      <details class="box">
        <summary>{writerText(note)}</summary>
        <div class="stack">
          {fallback && <p>The language model that you set up did not write it: {fallback}</p>}
          {edited && <p class="hint">The text was changed since. This is about the text as it was written.</p>}
          {provenance.length > 0 && (
            <ol class="provenance" aria-label="What each sentence is based on">
              {provenance.map(({ text, source }, i) => (
                <li key={i}>
                  <p>{text}</p>
                  <p class="hint">{sourceText(source)}</p>
                </li>
              ))}
            </ol>
          )}
        </div>
      </details>
    </>
  );
}

/** Says why a draft is held for review. */
export function ReviewNotice({ reasons }: { reasons: readonly string[] }) {
  return (
    <Notice tone="warn" title="Review this draft before you send it">
      <p>It contains something that none of its sources contains:</p>
      <ul class="bullets">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>
  );
}

function writerText({ engine, model }: Note): string {
  if (engine === "extractive") return "Written by Postroom without a language model";
  const name = model ? ` ${model}` : "";
  const where = engine === "local" ? "on this machine" : "on another machine";
  return `Written by the language model${name} ${where}`;
}

const SOURCES: Record<Source["from"], string> = {
  voice: "How you usually write",
  instructions: "The instructions",
  message: "A message of the thread",
  sent: "Mail that you sent earlier",
  phrase: "A stock phrase",
  model: "The language model's own words",
};

function sourceText({ from, quote }: Source): string {
  return quote ? `${SOURCES[from]}: “${quote}”` : SOURCES[from];
}
