import { useRef, useState } from "preact/hooks";
import type { Draft } from "../../../../src/features/drafts/model.ts";
import type { SendScheduled } from "../../../../src/features/sends/model.ts";
import { Fault, newIdempotencyKey, v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Facts, FaultNotice } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { followSend } from "../../state/sending.ts";
import { ReviewNotice } from "./ai-note.tsx";
import { type DraftValues, valuesText } from "./draft-values.ts";

const UNDO_WINDOW_S = 10;

interface SendProps {
  draft: Draft;
  values: DraftValues;
  /** Stores the edits before the message is sent. */
  save(): Promise<void>;
  onClose(): void;
  onSent(): void;
}

/** Asks for confirmation and sends a draft. If the server does not respond, the next try sends nothing twice. */
export function SendDialog({ draft, values, save, onClose, onSent }: SendProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const key = useRef(newIdempotencyKey());
  const { ai, attachments, from } = draft;
  const send = async () => {
    setBusy(true);
    setFault(null);
    try {
      await save();
      const body = { confirm: true, undo_window_s: UNDO_WINDOW_S };
      const path = `/drafts/${encodeURIComponent(draft.id)}/send`;
      const sent = await v1<SendScheduled>("POST", path, { body, idempotencyKey: key.current });
      followSend(sent, draft.id, values.subject, UNDO_WINDOW_S * 1000);
      onSent();
    } catch (error) {
      // The server has decided, so the next try is another send. Without a response, it can still have accepted this one.
      if (error instanceof Fault && error.status >= 400 && error.status < 500) key.current = newIdempotencyKey();
      setFault(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Send this message?" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void send();
        }}
      >
        {ai?.held_for_review && <ReviewNotice reasons={ai.review_reasons} />}
        <Facts
          rows={[
            ["From", from],
            ...valuesText(values),
            ...(attachments.length > 0
              ? ([["Attachments", counted(attachments.length, "file")]] as [string, string][])
              : []),
          ]}
        />
        <p class="hint">You can undo for {UNDO_WINDOW_S} seconds. If sending fails, the draft is kept.</p>
        <FaultNotice error={fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" icon="send" busy={busy}>
            Send
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
