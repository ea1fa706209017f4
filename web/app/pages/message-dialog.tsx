import { useState } from "preact/hooks";
import type { Message } from "../../../src/features/messages/model.ts";
import { v1 } from "../api/client.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Await, Badge, Facts, Notice } from "../parts/layout.tsx";
import { size } from "../parts/numbers.ts";
import { When } from "../parts/time.tsx";
import { Verbatim } from "../parts/verbatim.tsx";
import { useLoad } from "../state/load.ts";
import { UnsubscribeButton } from "./unsubscribe.tsx";

/** Shows a message as text. */
export function MessageDialog({ id, onClose }: { id: string; onClose(): void }) {
  const path = `/messages/${encodeURIComponent(id)}`;
  const message = useLoad(`message ${id}`, () => v1<Message>("GET", path));
  const [unsubscribed, setUnsubscribed] = useState(false);
  const done = unsubscribed || !!message.data?.unsubscribe?.unsubscribed_at;
  return (
    <Dialog title={message.data ? message.data.subject || "(no subject)" : "Message"} onClose={onClose} wide>
      <Await of={message} lines={6}>
        {({ from, to, date, labels, attachments, new_text, body_text, truncated, unsubscribe, thread_id }) => (
          <div class="stack">
            <Facts
              rows={[
                ["From", from.name ? `${from.name} <${from.email}>` : from.email],
                ["To", to.map(({ name, email }) => name || email).join(", ") || "(no recipients)"],
                ["Date", <When key="date" at={date} />],
              ]}
            />
            {labels.length > 0 && (
              <p class="chips">
                {labels.map((label) => (
                  <Badge key={label}>{label}</Badge>
                ))}
              </p>
            )}
            <Verbatim proportional label="Message text" text={new_text || body_text || "(no text)"} />
            {truncated && <p class="hint">This message is longer than Postroom stores, so its end is missing.</p>}
            {attachments.length > 0 && (
              <ul class="rows">
                {attachments.map((file) => (
                  <li key={file.id} class="row">
                    <span class="row-main clip">{file.name}</span>
                    <span class="hint">{file.size_estimated ? `about ${size(file.size)}` : size(file.size)}</span>
                  </li>
                ))}
              </ul>
            )}
            {done && (
              <Notice tone="good" live>
                <p>Postroom asked the sender to unsubscribe you.</p>
              </Notice>
            )}
            <div class="actions">
              <ButtonLink small icon="read" href={`#/read/${encodeURIComponent(thread_id)}`}>
                Open thread
              </ButtonLink>
              {!done && (
                <UnsubscribeButton message={{ id, from, unsubscribe }} onDone={() => setUnsubscribed(true)}>
                  Unsubscribe from this sender
                </UnsubscribeButton>
              )}
            </div>
          </div>
        )}
      </Await>
    </Dialog>
  );
}
