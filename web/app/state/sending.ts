import { signal } from "@preact/signals";
import type { Send, SendScheduled } from "../../../src/features/sends/model.ts";
import { messageOf, v1 } from "../api/client.ts";
import { navigate } from "./route.ts";
import { sandbox } from "./sandbox.ts";
import { showToast } from "./toasts.ts";

/** A message that was sent on this page and whose outcome is not known yet. */
export interface PendingSend {
  id: string;
  draftId: string;
  subject: string;
  inSandbox: boolean;
  /** By this page's clock, ms. */
  undoUntil: number;
  /** `window`: it can be undone. `busy`: the undo is being requested. `sending`: it is too late. */
  phase: "window" | "busy" | "sending";
}

/** Messages whose undo window is shown, on every page. */
export const pendingSends = signal<PendingSend[]>([]);

const POLL_MS = 1_000;
/** A slow mail server can take minutes. The message stays under Drafts until it is sent. */
const MAX_POLLS = 60;

/** Shows the undo window of a send, then its outcome. @param windowMs length of the window */
export function followSend({ send_id }: SendScheduled, draftId: string, subject: string, windowMs: number): void {
  const undoUntil = Date.now() + windowMs;
  const send: PendingSend = {
    id: send_id,
    draftId,
    subject: subject || "(no subject)",
    inSandbox: sandbox.value,
    undoUntil,
    phase: "window",
  };
  pendingSends.value = [...pendingSends.value, send];
  setTimeout(() => void outcome(send_id), windowMs);
}

/** Cancels a send, and opens its draft again. */
export async function undoSend(id: string): Promise<void> {
  const send = pendingSends.value.find((one) => one.id === id);
  if (send?.phase !== "window") return;
  set(id, "busy");
  try {
    await v1("POST", `/sends/${encodeURIComponent(id)}/cancel`, { inSandbox: send.inSandbox });
    drop(id);
    showToast("Send undone. The draft is kept.");
    if (send.inSandbox === sandbox.value) navigate(`#/read/drafts/${send.draftId}`);
  } catch (error) {
    showToast(messageOf(error), "bad");
    set(id, "window");
    if (Date.now() >= send.undoUntil) await outcome(id);
  }
}

/** Waits until the message is sent or has failed, and reports it. */
async function outcome(id: string): Promise<void> {
  if (pendingSends.value.find((one) => one.id === id)?.phase !== "window") return;
  set(id, "sending");
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const send = pendingSends.value.find((one) => one.id === id);
    if (!send) return;
    const now = await v1<Send>("GET", `/sends/${encodeURIComponent(id)}`, { inSandbox: send.inSandbox }).catch(
      () => null,
    );
    if (now && now.status !== "scheduled" && now.status !== "sending") {
      drop(id);
      report(send, now);
      return;
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  const send = pendingSends.value.find((one) => one.id === id);
  drop(id);
  if (send) showToast(`“${send.subject}” is still being sent. It stays under Drafts until then.`);
}

function report({ subject, draftId, inSandbox }: PendingSend, { status, detail, rejected }: Send): void {
  if (status === "undone") showToast("Send undone. The draft is kept.");
  if (status === "failed") {
    const reason = detail ? ` ${detail.replace(/[.\s]*$/, ".")}` : "";
    const open = { label: "Open draft", act: () => navigate(`#/read/drafts/${draftId}`) };
    showToast(
      `“${subject}” could not be sent.${reason} The draft is kept.`,
      "bad",
      inSandbox === sandbox.value ? open : undefined,
    );
  }
  if (status !== "sent") return;
  if (rejected.length === 0) showToast(`“${subject}” was sent.`);
  else showToast(`“${subject}” was sent, but not to ${rejected.map(({ recipient }) => recipient).join(", ")}.`, "bad");
}

function set(id: string, phase: PendingSend["phase"]): void {
  pendingSends.value = pendingSends.value.map((one) => (one.id === id ? { ...one, phase } : one));
}

function drop(id: string): void {
  pendingSends.value = pendingSends.value.filter((one) => one.id !== id);
}
