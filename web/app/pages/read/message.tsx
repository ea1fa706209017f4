import { useEffect, useId, useMemo, useState } from "preact/hooks";
import type { ThreadMessage } from "../../../../src/features/threads/model.ts";
import { messageOf, v1Download, v1Text } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge, Facts, FaultNotice, Notice, Skeleton } from "../../parts/layout.tsx";
import { ListTime, When } from "../../parts/time.tsx";
import { showToast } from "../../state/toasts.ts";
import { Attachments } from "./attachments.tsx";
import { type Images, MessageFrame } from "./message-frame.tsx";
import { MessageText } from "./message-text.tsx";

const SNIPPET_CHARS = 140;

interface CardProps {
  message: ThreadMessage;
  openAtFirst: boolean;
  /** The first message of the thread: what it quotes is nowhere else. */
  first: boolean;
}

/** A message of a thread. Closed, it is one line. */
export function MessageCard({ message, openAtFirst, first }: CardProps) {
  const [open, setOpen] = useState(openAtFirst);
  const id = useId();
  const { from, date, new_text, body_text, unread, draft, attachments } = message;
  const name = from.name || from.email || "(no sender)";
  return (
    <li class={unread ? "message unread" : "message"}>
      <h2 class="message-head">
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <Icon name="right" size={15} />
          <span class="message-from">
            {unread && <span class="visually-hidden">Unread. </span>}
            {name}
          </span>
          {draft && <Badge tone="warn">Draft</Badge>}
          <span class="message-snippet">{!open && (new_text || body_text).slice(0, SNIPPET_CHARS)}</span>
          {!open && attachments.length > 0 && <Icon name="clip" size={15} />}
          <span class="thread-time numbers">
            <ListTime at={date} />
          </span>
        </button>
      </h2>
      <div id={id} class="message-body" hidden={!open}>
        {open && <MessageContent message={message} name={name} first={first} />}
      </div>
    </li>
  );
}

interface ContentProps {
  message: ThreadMessage;
  name: string;
  first: boolean;
}

function MessageContent({ message, name, first }: ContentProps) {
  const { from, to, cc, date } = message;
  return (
    <div class="stack">
      <Facts
        rows={[
          ["From", from.name ? `${from.name} <${from.email}>` : from.email],
          ["To", people(to) || "(no recipients)"],
          ...(cc.length > 0 ? ([["Cc", people(cc)]] as [string, string][]) : []),
          ["Date", <When key="date" at={date} />],
          ...sender(message),
        ]}
      />
      <Forged message={message} />
      <Body message={message} name={name} first={first} />
    </div>
  );
}

function people(list: ThreadMessage["to"]): string {
  return list.map(({ name, email }) => (name ? `${name} <${email}>` : email)).join(", ");
}

/** Says what the mail server reported about the sender; nothing when it reported nothing. */
function sender({ authentication: { result, from_domain } }: ThreadMessage): [string, string][] {
  if (result === "pass")
    return [["Sender", `The mail server confirmed that this is from ${from_domain ?? "its domain"}`]];
  if (result === "none") return [["Sender", "The mail server could not confirm where this is from"]];
  return [];
}

function Forged({ message: { authentication, from } }: { message: ThreadMessage }) {
  if (authentication.result !== "fail") return null;
  const domain = authentication.from_domain ?? from.email.split("@").at(-1);
  return (
    <Notice tone="warn" title="The sender may be forged">
      <p>
        This message says that it is from {domain}, but it failed the check of that domain (DMARC). Do not open links or
        attachments unless you expect them.
      </p>
    </Notice>
  );
}

type View = "html" | "text";

/** A page whose only content is the text of a mail without HTML. */
const TEXT_ONLY = '<body><div class="text">';
/** A box in the place of a remote image. */
const BLOCKED_IMAGE = 'class="blocked"';

/** Texts of the button that changes the view. The page of a mail without HTML includes the quoted history. */
const FORMATS: Record<View, string> = { text: "Show as text", html: "Show as HTML" };
const QUOTED: Record<View, string> = { text: "Hide quoted text", html: "Show quoted text" };

function Body({ message, name, first }: ContentProps) {
  const { id, body_text, truncated, attachments } = message;
  const [images, setImages] = useState<Images>("none");
  const [page, setPage] = useState<{ html: string; images: Images } | null>(null);
  const [chosen, setChosen] = useState<View | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const path = `/messages/${encodeURIComponent(id)}`;
  const load = () => {
    setFault(null);
    v1Text(`${path}/body`, { query: { images } }).then((html) => setPage({ html, images }), setFault);
  };
  useEffect(load, [images]);
  const textOnly = page?.html.includes(TEXT_ONLY) ?? false;
  const hasQuote = useMemo(
    () => textOnly && unspaced(textOf(page!.html)) !== unspaced(body_text),
    [page, textOnly, body_text],
  );
  const view = chosen ?? (textOnly ? "text" : "html");
  const other = view === "html" ? "text" : "html";
  const blocked = page?.images === "none" && page.html.includes(BLOCKED_IMAGE);
  return (
    <>
      {view === "html" && blocked && (
        <div class="images-bar">
          <Icon name="image" size={17} />
          <p>Remote images are not loaded. They can show the sender that you read this message, and where.</p>
          <Button small busy={images === "remote"} onClick={() => setImages("remote")}>
            Load remote images
          </Button>
        </div>
      )}
      <FaultNotice error={fault} retry={load} />
      {page ? (
        view === "html" ? (
          // A frame keeps the policy that it was loaded with.
          <MessageFrame
            key={page.images}
            html={page.html}
            images={page.images}
            title={`Message from ${name}`}
            foldsQuote={!first && !textOnly}
          />
        ) : (
          <MessageText text={body_text || "(no text)"} />
        )
      ) : (
        !fault && <Skeleton lines={4} />
      )}
      {truncated && view === "text" && (
        <p class="hint">This message is longer than Postroom keeps. Download the original to read all of it.</p>
      )}
      <div class="actions message-actions">
        {page && (!textOnly || hasQuote) && (
          <Button kind="quiet" small onClick={() => setChosen(other)}>
            {(textOnly ? QUOTED : FORMATS)[other]}
          </Button>
        )}
        <Button kind="quiet" small icon="download" onClick={() => void save(`${path}/raw`, `${id}.eml`)}>
          Download original
        </Button>
      </div>
      {/* Inline parts are in the HTML. Invitations are inline, too, but no HTML shows them. */}
      <Attachments
        messageId={id}
        files={attachments.filter(({ inline, mime }) => !inline || textOnly || !mime.startsWith("image/"))}
      />
    </>
  );
}

/** Returns the text of a page of a mail without HTML. The styles before it are left out: the policy refuses them here. */
function textOf(html: string): string {
  const body = html.slice(html.indexOf(TEXT_ONLY));
  return new DOMParser().parseFromString(body, "text/html").querySelector(".text")?.textContent ?? "";
}

const unspaced = (text: string) => text.replace(/\s+/g, "");

async function save(path: string, name: string): Promise<void> {
  try {
    await v1Download(path, name);
  } catch (error) {
    showToast(messageOf(error), "bad");
  }
}
