import { apiRoutes } from "../src/app.ts";
import type { Route } from "../src/http/route.ts";
import { createMailbox } from "../src/mailbox/mailbox.ts";
import { createOutbound } from "../src/outbound/outbound.ts";
import type { Platform } from "../src/platform/platform.ts";
import { MemoryContent } from "./memory-content.ts";

/** Every route of the program, for the tests that walk them all. */
export function allRoutes(platform: Platform): Route[] {
  const mailbox = createMailbox(platform);
  return apiRoutes(platform, mailbox, createOutbound(platform, mailbox), new MemoryContent());
}
