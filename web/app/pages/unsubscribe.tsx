import type { ComponentChildren } from "preact";
import type { Message } from "../../../src/features/messages/model.ts";
import { v1 } from "../api/client.ts";
import { ConfirmButton } from "../parts/dialog.tsx";

interface UnsubscribeProps {
  message: Pick<Message, "id" | "from" | "unsubscribe">;
  onDone(): void;
  children: ComponentChildren;
}

/** Asks whether to unsubscribe from the sender of a message. Renders nothing if the sender does not offer it. */
export function UnsubscribeButton({ message: { id, from, unsubscribe }, onDone, children }: UnsubscribeProps) {
  if (!unsubscribe) return null;
  return (
    <ConfirmButton
      small
      title={`Unsubscribe from ${from.name || from.email}?`}
      text={
        <p>
          Postroom sends one request to <strong>{unsubscribe.host}</strong>, the server named in the message. The sender
          learns that your address is in use. Messages you already have are kept.
        </p>
      }
      action="Unsubscribe"
      act={async () => {
        await v1("POST", `/messages/${encodeURIComponent(id)}/unsubscribe`, { body: { confirm: true } });
        onDone();
      }}
    >
      {children}
    </ConfirmButton>
  );
}
