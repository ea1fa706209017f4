/** What came back, or why nothing did. */
export type Outcome = { fault: string } | Answer;

interface Answer {
  status: number;
  statusText: string;
  ms: number;
  headers: [name: string, value: string][];
  /** The body, for text. */
  text: string | null;
  /** The whole body, for saving. */
  bytes: ArrayBuffer;
  isCut: boolean;
}

/** Longer texts are shown in part, because they would make the page slow. */
const LONGEST_CHARS = 200_000;
const TEXT = /^(?:text\/|message\/|application\/(?:json|xml)\b)/;

/** Sends a request. Never rejects. */
export async function received(url: string, init: RequestInit): Promise<Outcome> {
  const start = performance.now();
  try {
    const response = await fetch(url, init);
    const bytes = await response.arrayBuffer();
    const ms = Math.round(performance.now() - start);
    const type = response.headers.get("content-type") ?? "";
    const whole = TEXT.test(type) ? pretty(new TextDecoder().decode(bytes), type) : null;
    const { status, statusText } = response;
    const text = whole?.slice(0, LONGEST_CHARS) ?? null;
    return { status, statusText, ms, headers: [...response.headers], text, bytes, isCut: text !== whole };
  } catch {
    if (init.signal?.aborted) return { fault: "Canceled. The server may still have completed the request." };
    return { fault: "The server did not respond. Check that Postroom is running, then try again." };
  }
}

function pretty(text: string, type: string): string {
  if (!type.startsWith("application/json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Says in one line how a request ended. */
export function ReplyLine({ outcome }: { outcome: Outcome }) {
  if ("fault" in outcome) return <span class="fault">{outcome.fault}</span>;
  const { status, statusText, ms, bytes } = outcome;
  return (
    <>
      <b class={status < 400 ? "good" : "bad"}>
        {status} {statusText}
      </b>{" "}
      <small>
        {ms} ms, {bytes.byteLength.toLocaleString("en-GB")} bytes
      </small>
    </>
  );
}

/** Shows a response as text: mail is never displayed as a document here. */
export function Reply({ outcome: { headers, text, bytes, isCut }, id }: { outcome: Answer; id: string }) {
  return (
    <div class="reply">
      <details>
        <summary>Headers</summary>
        <pre>
          <code>{headers.map(([name, value]) => `${name}: ${value}`).join("\n")}</code>
        </pre>
      </details>
      {text !== null && text !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, and the keyboard must be able to scroll it
        <section class="scrolls" tabIndex={0} aria-label={`Response body of ${id}`}>
          <pre>
            <code>{text}</code>
          </pre>
        </section>
      )}
      {isCut && <p>The response is longer. Only its beginning is shown.</p>}
      {(text === null || isCut) && bytes.byteLength > 0 && (
        <button type="button" onClick={() => save(bytes, id)}>
          Save response
        </button>
      )}
    </div>
  );
}

/** Offers the body as a file that the browser does not display. */
function save(bytes: ArrayBuffer, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
