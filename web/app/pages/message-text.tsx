import { useState } from "preact/hooks";
import type { Message } from "../../../src/features/messages/model.ts";
import type { ThreadMessage } from "../../../src/features/threads/model.ts";
import { v1 } from "../api/client.ts";
import { ConfirmButton } from "../parts/dialog.tsx";
import { Badge, Facts, Notice } from "../parts/layout.tsx";
import { size } from "../parts/numbers.ts";
import { When } from "../parts/time.tsx";
import { Verbatim } from "../parts/verbatim.tsx";

/** What is shown of a message. The messages of a thread lack labels and how to unsubscribe. */
export type ShownMessage = ThreadMessage & Partial<Pick<Message, "labels" | "unsubscribe">>;

interface MessageTextProps {
  of: ShownMessage;
  /** The accessible name of the text. */
  label?: string;
  /** Absent: as the page's switch says. */
  inSandbox?: boolean;
}

/** Shows a message as text. */
export function MessageText({ of, label = "Message text", inSandbox }: MessageTextProps) {
  const { id, from, to, date, labels = [], attachments, new_text, body_text, truncated, unsubscribe } = of;
  const [unsubscribed, setUnsubscribed] = useState(false);
  return (
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
      <Verbatim proportional label={label} text={new_text || body_text || "(no text)"} />
      {truncated && <p class="hint">This message exceeds the length that Postroom stores, so its end is missing.</p>}
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
      {unsubscribed || unsubscribe?.unsubscribed_at ? (
        <Notice tone="good" live>
          <p>Postroom asked the sender to unsubscribe you.</p>
        </Notice>
      ) : unsubscribe ? (
        <div class="actions">
          <ConfirmButton
            small
            title={`Unsubscribe from ${from.name || from.email}?`}
            text={
              <p>
                Postroom sends one request to <strong>{unsubscribe.host}</strong>, the server named in the message
                (one-click unsubscribe, RFC 8058). The sender learns that your address is in use. Messages you already
                have are kept.
              </p>
            }
            action="Unsubscribe"
            act={async () => {
              await v1("POST", `/messages/${encodeURIComponent(id)}/unsubscribe`, {
                body: { confirm: true },
                inSandbox,
              });
              setUnsubscribed(true);
            }}
          >
            Unsubscribe from this sender
          </ConfirmButton>
        </div>
      ) : null}
    </div>
  );
}
