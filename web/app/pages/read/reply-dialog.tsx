import { useRef } from "preact/hooks";
import type { Draft } from "../../../../src/features/drafts/model.ts";
import type { Thread } from "../../../../src/features/threads/model.ts";
import { Fault, newIdempotencyKey, v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextArea } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { navigate } from "../../state/route.ts";

/** Has a reply written by AI in the person's own voice, and opens it as a draft. Nothing is sent. */
export function ReplyDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const key = useRef(newIdempotencyKey());
  const form = useForm(
    { instructions: "" },
    {
      async send({ instructions }) {
        const body = {
          reply_to_thread_id: thread.id,
          use_ai: true,
          ...(instructions.trim() && { instructions: instructions.trim() }),
        };
        const { id } = await v1<Draft>("POST", "/drafts", { body, idempotencyKey: key.current }).catch((error) => {
          // The server has decided, so the next try is another draft. Without a response, it may have written this one.
          if (error instanceof Fault && error.status >= 400 && error.status < 500) key.current = newIdempotencyKey();
          throw error;
        });
        onClose();
        navigate(`#/read/drafts/${encodeURIComponent(id)}`);
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Dialog title="Draft a reply" onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextArea
          label="What should it say? (optional)"
          hint="For example: say yes to Friday, and ask for the address. Nothing is sent: you edit the draft first."
          rows={4}
          value={values.instructions}
          fault={faults.instructions}
          onInput={(value) => set("instructions", value)}
        />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" icon="draft" busy={form.busy}>
            Write draft
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
