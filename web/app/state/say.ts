import { signal } from "@preact/signals";

export interface Said {
  id: number;
  text: string;
  tone: "good" | "bad";
}

/** Short messages in the corner, read out by screen readers. The newest last. */
export const said = signal<Said[]>([]);

const STAYS_MS = 6_000;
let count = 0;

export function say(text: string, tone: Said["tone"] = "good"): void {
  const id = ++count;
  said.value = [...said.value.slice(-2), { id, text, tone }];
  setTimeout(() => unsay(id), STAYS_MS);
}

export function unsay(id: number): void {
  said.value = said.value.filter((one) => one.id !== id);
}
