import type { Message } from "../../../src/features/messages/model.ts";
import { Fault, v1 } from "../api/client.ts";
import { Await, Badge, Card, Notice, Page } from "../parts/layout.tsx";
import { useLoad } from "../state/load.ts";
import { sandbox } from "../state/sandbox.ts";
import { MessageText, type ShownMessage } from "./message-text.tsx";

const MOST_MESSAGES = 100;

interface Mail {
  subject: string;
  messages: ShownMessage[];
  more: boolean;
  inSandbox: boolean;
}

/** Shows a thread or a message by its id. The addresses in the answers of tools lead here. */
export function MailPage({ kind, id }: { kind: "threads" | "messages"; id: string }) {
  const mail = useLoad(`${kind} ${id}`, () => find(kind, id));
  return (
    <Page title={mail.data ? mail.data.subject || "(no subject)" : "Mail"} back={{ href: "#/search", label: "Search" }}>
      <Await of={mail} lines={6}>
        {({ messages, more, inSandbox }) => (
          <>
            {inSandbox && (
              <p>
                <Badge tone="info">Sandbox</Badge>
              </p>
            )}
            {messages.map((message, i) => (
              <Card key={message.id}>
                <MessageText of={message} label={`Text of message ${i + 1}`} inSandbox={inSandbox} />
              </Card>
            ))}
            {more && (
              <Notice>
                <p>This page shows only the first {MOST_MESSAGES} messages.</p>
              </Notice>
            )}
          </>
        )}
      </Await>
    </Page>
  );
}

/** Looks where the switch for the sandbox says, and then in the other: an address does not say where its mail is. */
async function find(kind: "threads" | "messages", id: string): Promise<Mail> {
  const first = sandbox.value;
  try {
    return await load(kind, id, first);
  } catch (error) {
    if (!(error instanceof Fault && error.status === 404)) throw error;
    return await load(kind, id, !first);
  }
}

async function load(kind: "threads" | "messages", id: string, inSandbox: boolean): Promise<Mail> {
  const path = `/${kind}/${encodeURIComponent(id)}`;
  if (kind === "messages") {
    const message = await v1<Message>("GET", path, { inSandbox });
    return { subject: message.subject, messages: [message], more: false, inSandbox };
  }
  const query = { limit: MOST_MESSAGES };
  const [{ subject }, { data, has_more }] = await Promise.all([
    v1<{ subject: string }>("GET", path, { inSandbox }),
    v1<{ data: ShownMessage[]; has_more: boolean }>("GET", `${path}/messages`, { query, inSandbox }),
  ]);
  return { subject, messages: data, more: has_more, inSandbox };
}
