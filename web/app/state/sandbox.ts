import { effect, signal } from "@preact/signals";
import { remember, remembered } from "./remembered.ts";

/** True: the page shows the sandbox (sample mail, nothing leaves the machine) in place of the real mailboxes. */
export const sandbox = signal(remembered("sandbox") === "1");

effect(() => remember("sandbox", sandbox.value ? "1" : null));
