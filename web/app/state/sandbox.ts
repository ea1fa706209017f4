import { effect, signal } from "@preact/signals";
import { readPreference, writePreference } from "./preferences.ts";

/** Whether the page shows the sandbox with its sample mail instead of the real mailboxes. */
export const sandbox = signal(readPreference("sandbox") === "1");

effect(() => writePreference("sandbox", sandbox.value ? "1" : null));
