import { useEffect } from "preact/hooks";
import { Fault, v1 } from "../api/client.ts";
import { Await, Page } from "../parts/layout.tsx";
import { useLoad } from "../state/load.ts";
import { sandbox } from "../state/sandbox.ts";

type Kind = "threads" | "messages" | "drafts";

/** Where a thread, message or draft is shown. */
interface Found {
  hash: string;
  inSandbox: boolean;
}

/**
 * Finds a thread, a message or a draft by its id and opens it on the page Read. The addresses in the answers of tools lead here. An
 * address does not say where its mail is, so the sandbox is switched on or off if the mail is there.
 */
export function MailPage({ kind, id }: { kind: Kind; id: string }) {
  const found = useLoad(`${kind} ${id}`, () => find(kind, id));
  useEffect(() => {
    if (!found.data) return;
    sandbox.value = found.data.inSandbox;
    // Replaced, so that Back leads to where the person came from.
    location.replace(found.data.hash);
  }, [found.data]);
  return (
    <Page title="Mail" back={{ href: "#/read", label: "Read" }}>
      <Await of={found}>{() => <p>Opening…</p>}</Await>
    </Page>
  );
}

/** Looks where the switch for the sandbox says, and then in the other. */
async function find(kind: Kind, id: string): Promise<Found> {
  const first = sandbox.value;
  try {
    return await locate(kind, id, first);
  } catch (error) {
    if (!(error instanceof Fault && error.status === 404)) throw error;
    return await locate(kind, id, !first);
  }
}

async function locate(kind: Kind, id: string, inSandbox: boolean): Promise<Found> {
  const path = `/${kind}/${encodeURIComponent(id)}`;
  const found = await v1<{ id: string; thread_id?: string }>("GET", path, { inSandbox });
  const shown = kind === "drafts" ? `drafts/${found.id}` : (found.thread_id ?? found.id);
  return { hash: `#/read/${shown}`, inSandbox };
}
