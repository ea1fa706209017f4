import { createAi } from "../../src/app/ai.ts";
import { appRoutes } from "../../src/app/app-routes.ts";
import { openBackups } from "../../src/app/backup.ts";
import { openConnectServices } from "../../src/app/connect.ts";
import { uploadParts } from "../../src/app/import.ts";
import { createConfirmedSends } from "../../src/app/mcp.ts";
import { createMembers } from "../../src/app/members.ts";
import { assistantParts } from "../../src/app/oauth.ts";
import { createPeople } from "../../src/app/people.ts";
import { Auth } from "../../src/features/auth/auth.ts";
import { keyStorageOf } from "../../src/features/auth/key-storage.ts";
import type { ConnectParts } from "../../src/features/connect/parts.ts";
import { examine } from "../../src/features/diagnostics/diagnostics.ts";
import { SystemService } from "../../src/features/system/service.ts";
import type { Route } from "../../src/http/route.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import type { LanguageModel } from "../../src/ml/language-model/client.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { idleNotifications, idleWebhooks } from "./all-routes.ts";
import { MemoryContent } from "./memory-content.ts";

/** Test doubles for external services. */
export interface Outside {
  connecting: Partial<ConnectParts>;
  /** Answers of the language models. Mail servers are not examined. */
  ask: LanguageModel["complete"];
}

/** Every path that belongs to the settings page, for tests that check all of them. */
export function allAppRoutes(platform: Platform, outside?: Outside): Route[] {
  const mailbox = createMailbox(platform);
  const outbound = createOutbound(platform, mailbox);
  const people = createPeople(platform, mailbox);
  const { engines, draftReview } = createAi({ platform, mailbox, outbound, people });
  const version = "0.0.0-test";
  const system = new SystemService({
    platform,
    version,
    examine: (options) => examine(platform, mailbox, options),
    custody: () => keyStorageOf(platform),
  });
  if (outside) {
    const look = system.status.bind(system);
    system.status = () => look(false);
    const client = engines.client.bind(engines);
    engines.client = (endpoint) => Object.assign(client(endpoint), { complete: outside.ask });
  }
  const nothing = () => Promise.resolve();
  return appRoutes({
    platform,
    auth: new Auth({ platform, version, setupToken: null, onKeyMoved: () => {} }),
    connecting: { ...openConnectServices(platform, mailbox), ...outside?.connecting },
    members: createMembers({
      platform,
      mailbox,
      outbound,
      people,
      engines,
      parts: new PartCache(platform),
      accountsChanged: nothing,
      renewWorkers: nothing,
      seed: nothing,
    }),
    ...openBackups(platform, { data_dir: platform.config.data_dir, env: {} }),
    assistants: assistantParts(platform, mailbox),
    approvals: { platform, sends: createConfirmedSends({ platform, mailbox, outbound, draftReview }) },
    exporting: { platform, mailbox, content: new MemoryContent() },
    importing: uploadParts(platform, mailbox),
    system,
    webhooks: idleWebhooks(platform),
    notifications: idleNotifications(platform).service,
  });
}
