import { apiRoutes } from "../src/app.ts";
import type { Route } from "../src/http/route.ts";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import type { Platform } from "../src/platform/platform.ts";
import { MemoryContent } from "./memory-content.ts";

/** Every route of the program, for the tests that walk them all. */
export function allRoutes(platform: Platform): Route[] {
  return apiRoutes(platform, createMailbox(platform), new MemoryContent());
}
