import type { Mailbox } from "../../api/connect.ts";
import { ProgressBar } from "../../parts/chart.tsx";
import { count } from "../../parts/numbers.ts";

/** Shows the progress of full-text indexing, or nothing once it is complete. */
export function TextIndexing({ search: { full_text } }: Pick<Mailbox, "search">) {
  const { done, total } = full_text;
  if (done >= total) return null;
  return (
    <>
      <ProgressBar label="Indexing text" done={done} total={total} />
      <p class="hint">
        Indexing text: {count(done)} of {count(total)}. Search can miss older mail until indexing is complete.
      </p>
    </>
  );
}
