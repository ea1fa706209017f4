import { effect, signal } from "@preact/signals";
import { readPreference, writePreference } from "./preferences.ts";

/** True: the page shows the sandbox (sample mail, nothing leaves the machine) in place of the real mailboxes. */
export const sandbox = signal(readPreference("sandbox") === "1");

effect(() => writePreference("sandbox", sandbox.value ? "1" : null));
