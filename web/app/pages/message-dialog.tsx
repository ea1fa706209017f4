import type { Message } from "../../../src/features/messages/model.ts";
import { v1 } from "../api/client.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Await } from "../parts/layout.tsx";
import { useLoad } from "../state/load.ts";
import { MessageText } from "./message-text.tsx";

/** Shows a message as text, above the page. */
export function MessageDialog({ id, onClose }: { id: string; onClose(): void }) {
  const message = useLoad(`message ${id}`, () => v1<Message>("GET", `/messages/${encodeURIComponent(id)}`));
  return (
    <Dialog title={message.data ? message.data.subject || "(no subject)" : "Message"} onClose={onClose} wide>
      <Await of={message} lines={6}>
        {(shown) => <MessageText of={shown} />}
      </Await>
    </Dialog>
  );
}
