import { useState } from "preact/hooks";
import type { Message } from "../../../../src/features/messages/model.ts";
import type { ThreadMessage } from "../../../../src/features/threads/model.ts";
import { v1 } from "../../api/client.ts";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";
import { UnsubscribeButton } from "../unsubscribe.tsx";

/** Offers to unsubscribe from the sender of the newest message. */
export function ThreadUnsubscribe({ messages }: { messages: readonly ThreadMessage[] }) {
  const newest = messages.findLast(({ draft }) => !draft);
  return newest ? <Unsubscribe key={newest.id} id={newest.id} /> : null;
}

function Unsubscribe({ id }: { id: string }) {
  const message = useLoad(`unsubscribe ${id}`, () => v1<Message>("GET", `/messages/${encodeURIComponent(id)}`));
  const [done, setDone] = useState(false);
  const offer = message.data?.unsubscribe;
  if (!offer) return null;
  if (done || offer.unsubscribed_at) return <span class="hint">Unsubscribed</span>;
  return (
    <UnsubscribeButton
      message={message.data!}
      onDone={() => {
        setDone(true);
        showToast("Postroom asked the sender to unsubscribe you.");
      }}
    >
      Unsubscribe
    </UnsubscribeButton>
  );
}
