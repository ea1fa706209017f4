import { signal } from "@preact/signals";

/** What a toast offers to do: "Undo". */
export interface ToastAction {
  label: string;
  act(): void;
}

export interface Toast {
  id: number;
  text: string;
  tone: "good" | "bad";
  action?: ToastAction;
}

/** The visible toasts, oldest first. */
export const toasts = signal<Toast[]>([]);

const VISIBLE_MS = 6_000;
/** Time to decide about an action. */
const WITH_ACTION_MS = 12_000;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let count = 0;

/** Shows a text for a few seconds, with an optional action. */
export function showToast(text: string, tone: Toast["tone"] = "good", action?: ToastAction): void {
  const id = ++count;
  const kept = toasts.value.slice(-2);
  for (const { id: old } of toasts.value) if (!kept.some((one) => one.id === old)) dismissToast(old);
  toasts.value = [...kept, { id, text, tone, action }];
  releaseToast(id);
}

/** Keeps a toast visible while the pointer or the focus is on it. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

/** Lets the time of a toast run, from its start. */
export function releaseToast(id: number): void {
  holdToast(id);
  const toast = toasts.value.find((one) => one.id === id);
  if (toast)
    timers.set(
      id,
      setTimeout(() => dismissToast(id), toast.action ? WITH_ACTION_MS : VISIBLE_MS),
    );
}

/** Removes a toast before its time is over. */
export function dismissToast(id: number): void {
  holdToast(id);
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Runs the action of the newest toast that has one. @returns whether there was one */
export function actOnNewestToast(): boolean {
  const toast = toasts.value.findLast(({ action }) => action !== undefined);
  if (!toast) return false;
  dismissToast(toast.id);
  toast.action!.act();
  return true;
}
