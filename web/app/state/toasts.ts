import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  text: string;
  tone: "good" | "bad";
}

/** The visible toasts, oldest first. */
export const toasts = signal<Toast[]>([]);

const VISIBLE_MS = 6_000;
let count = 0;

/** Shows a text for a few seconds. */
export function showToast(text: string, tone: Toast["tone"] = "good"): void {
  const id = ++count;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone }];
  setTimeout(() => dismissToast(id), VISIBLE_MS);
}

/** Removes a toast before its time is over. */
export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}
