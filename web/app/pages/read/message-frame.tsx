import { useEffect, useRef } from "preact/hooks";
import { link } from "../../api/client.ts";

export type Images = "none" | "remote";

interface FrameProps {
  /** The sanitized page of GET /messages/{id}/body. */
  html: string;
  /** Folds the quoted history at the end, because the thread shows the earlier messages. */
  foldsQuote: boolean;
  images: Images;
  /** The accessible name. */
  title: string;
}

/** No scripts and no forms. Links open new tabs, which are ordinary pages. */
const SANDBOX = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";
/** Longer messages scroll inside their frame. */
const MAX_HEIGHT_PX = 60_000;

/**
 * Shows the HTML of a message in a frame with its own policy, in which nothing runs and nothing is loaded except images
 * (docs/decisions/0032-mail-in-the-page.md). The frame is as high as its content.
 */
export function MessageFrame({ html, images, title, foldsQuote }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const stop = useRef<() => void>();
  useEffect(() => () => stop.current?.(), []);
  const fill = () => {
    const shown = frame.current!;
    const inner = shown.contentDocument;
    const root = inner?.documentElement;
    // A proxy or a crashed server may have answered with a page that lacks the policy. It must not get the mail.
    if (stop.current || !inner || root?.dataset.images !== images) return;
    inner.addEventListener("keydown", (event) => {
      // Keys work in the frame as they do around it.
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const keys = { key, ctrlKey, metaKey, altKey, shiftKey };
      const copy = new KeyboardEvent("keydown", { ...keys, bubbles: true, cancelable: true });
      if (!shown.dispatchEvent(copy)) event.preventDefault();
    });
    root.innerHTML = html;
    // Not `inner.body`, which an element with that name would replace.
    const body = root.querySelector("body")!;
    if (foldsQuote) foldQuote(inner, body);
    stop.current = follow(shown, root, body);
  };
  return (
    <iframe
      ref={frame}
      class="message-frame"
      title={title}
      sandbox={SANDBOX}
      src={link(`app/message-frame?images=${images}`)}
      height={120}
      onLoad={fill}
    />
  );
}

/** A mail that is wider than the frame is made smaller, down to this part of its size. */
const SMALLEST_ZOOM = 0.5;

/**
 * Fits wide content into a frame, and keeps the height of the frame equal to that of its content.
 * @returns a function that ends this
 */
function follow(frame: HTMLIFrameElement, root: HTMLElement, body: HTMLElement): () => void {
  let width = 0;
  let zoom = 1;
  const needed = () => Math.ceil(Math.max(root.getBoundingClientRect().height, body.scrollHeight * zoom));
  const observer = new ResizeObserver(() => {
    if (root.clientWidth !== width) {
      width = root.clientWidth;
      body.style.zoom = "1";
      zoom = Math.max(SMALLEST_ZOOM, Math.min(1, width / root.scrollWidth));
      body.style.zoom = String(zoom);
    }
    // The border, and the scroll bar of content that is still too wide.
    const edges = frame.offsetHeight - root.clientHeight;
    const wanted = Math.min(needed() + edges, MAX_HEIGHT_PX);
    if (wanted === Number(frame.height)) return;
    frame.height = String(wanted);
    // Content that grows with its frame would grow without end.
    if (needed() + edges > wanted) observer.disconnect();
  });
  observer.observe(root);
  observer.observe(body);
  return () => observer.disconnect();
}

/** Puts a quote at the end of a message behind a line that opens it. A message without other text stays as it is. */
function foldQuote(inner: Document, body: HTMLElement): void {
  const quote = [...body.querySelectorAll("blockquote")].findLast((one) => !one.parentElement?.closest("blockquote"));
  if (!quote || hasContentAfter(quote, body)) return;
  const own = (body.textContent ?? "").length - (quote.textContent ?? "").length;
  if (own < SHORTEST_TEXT_CHARS) return;
  const details = inner.createElement("details");
  const summary = inner.createElement("summary");
  summary.textContent = "Quoted text";
  summary.style.cssText = "cursor:pointer;color:#57606a;font:13px system-ui,sans-serif;padding:8px 0";
  quote.replaceWith(details);
  details.append(summary, quote);
}

/** Less text is an attribution line: "On 3 May, Ada wrote:". */
const SHORTEST_TEXT_CHARS = 60;

function hasContentAfter(element: Element, body: Element): boolean {
  for (let at: Element | null = element; at !== null && at !== body; at = at.parentElement) {
    for (let next = at.nextSibling; next !== null; next = next.nextSibling) {
      if (next.textContent?.trim()) return true;
      // `instanceof` is false here: the frame has other classes than the page around it.
      if ("matches" in next && (next as Element).matches("img, :has(img)")) return true;
    }
  }
  return false;
}
