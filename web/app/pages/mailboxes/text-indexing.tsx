import type { Mailbox } from "../../api/connect.ts";
import { ProgressBar } from "../../parts/chart.tsx";
import { count } from "../../parts/numbers.ts";

/** How far the text of mail is indexed; nothing where all of it is. */
export function TextIndexing({ search: { full_text } }: Pick<Mailbox, "search">) {
  const { done, total } = full_text;
  if (done >= total) return null;
  return (
    <>
      <ProgressBar label="Indexing text" done={done} total={total} />
      <p class="hint">
        Indexing text: {count(done)} of {count(total)}. Until then, searches can miss older mail.
      </p>
    </>
  );
}
