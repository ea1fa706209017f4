import { statSync } from "node:fs";
import type { Engines } from "../features/ai/engines.ts";
import { auditAppRoutes } from "../features/audit/app-routes.ts";
import { engineAppRoutes } from "../features/engines/routes.ts";
import { EngineService } from "../features/engines/service.ts";
import { keyAppRoutes } from "../features/keys/routes.ts";
import { KeyService } from "../features/keys/service.ts";
import { ERASE_JOB, Erasure } from "../features/members/erasure.ts";
import { exportArchive } from "../features/members/export.ts";
import { memberAppRoutes } from "../features/members/routes.ts";
import { MemberService } from "../features/members/service.ts";
import { teamAppRoutes } from "../features/teams/routes.ts";
import { TeamService } from "../features/teams/service.ts";
import { disableKeyOwned } from "../features/webhooks/key-owned-endpoints.ts";
import type { Route } from "../http/route.ts";
import { UserError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { dropLegacyIndex, hasLegacyIndex } from "../mailbox/search/legacy.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";
import { PartCache } from "../platform/blobs/cache.ts";
import { BlobFiles } from "../platform/blobs/files.ts";
import type { User } from "../platform/identity/users.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import { type Actor, SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import { errorFields } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { auditNames } from "./audit-names.ts";
import { exportSource } from "./export.ts";
import { createPeople, type PeopleServices } from "./people.ts";
import { sweepIndexes } from "./search.ts";

/** The services that manage keys, people, teams and the language model for the settings page. */
export interface MemberServices {
  routes: Route[];
  jobs: Record<string, JobHandler>;
  members: MemberService;
  erasure: Erasure;
}

export interface MemberServicesParts {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
  engines: Engines;
  parts: PartCache;
  /** Notifies the mail worker that accounts were paused, or removed together with their person. */
  accountsChanged(): Promise<void>;
  /** Ends the workers that hold people's keys, once they have answered. Their replacements load the current keys. */
  renewWorkers(): Promise<void>;
  /** Fills the sandbox of a new person with sample mail. */
  seed(sandboxId: string): Promise<void>;
}

/** Builds the services of people, keys and teams, and their routes. */
export function createMembers(parts: MemberServicesParts): MemberServices {
  const { platform, mailbox, engines } = parts;
  const erasure = createErasure(parts);
  const files = new BlobFiles(platform);
  const members = new MemberService({ platform, erasure, filesOf: (user_id) => bytesOnDisk(files, user_id) });
  const welcome = async (user_id: string) => {
    try {
      await parts.seed(platform.users.sandboxOf(user_id).id);
    } catch (error) {
      // The next start fills the sandbox.
      platform.log.warn("a new sandbox could not be filled", errorFields(error));
    }
  };
  return {
    routes: [
      ...auditAppRoutes(platform.audit, auditNames(parts)),
      ...keyAppRoutes(new KeyService(platform, mailbox.accounts)),
      ...memberAppRoutes({ members, source: exportSource(parts), clock: platform.clock, welcome }),
      ...teamAppRoutes(createTeams(platform)),
      ...engineAppRoutes(new EngineService(engines), platform.modelCalls),
    ],
    jobs: { [ERASE_JOB]: eraseHandler(erasure, platform) },
    members,
    erasure,
  };
}

/**
 * Builds the removal of people. The command line leaves out `accountsChanged` when no server runs that would have to
 * release anything.
 */
export function createErasure({
  platform,
  mailbox,
  parts,
  accountsChanged,
  renewWorkers,
}: Pick<MemberServicesParts, "platform" | "mailbox" | "parts"> & Partial<MemberServicesParts>): Erasure {
  return new Erasure({
    platform,
    parts,
    disconnectMailboxes: async (userIds) => {
      for (const user_id of userIds) {
        for (const account of mailbox.accounts.list(user_id)) mailbox.accounts.setPaused(account, true);
      }
      // Without a worker there is no one to notify. A worker that starts later finds the accounts paused.
      await accountsChanged?.().catch(() => {});
    },
    keysDestroyed: async () => {
      await renewWorkers?.();
      await accountsChanged?.().catch(() => {});
    },
    dropIndex: async (user_id) => {
      mailbox.fullText.drop(user_id);
      mailbox.search.forget(user_id);
      if (hasLegacyIndex(platform.db).includes(user_id)) await dropLegacyIndex(platform, user_id);
    },
    sweepDropped: () => mailbox.fullText.sweep(),
    sweepIndexes: () => sweepIndexes(platform),
  });
}

const ERASE_RETRY_MS = 60_000;

function eraseHandler(erasure: Erasure, { clock }: Platform): JobHandler {
  return {
    concurrency: 1,
    run: async ({ payload }) => {
      try {
        await erasure.run((payload as { user_id: string }).user_id);
        return { outcome: "done" };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { outcome: "retry", run_at: clock.now() + ERASE_RETRY_MS, detail: error.message };
      }
    },
  };
}

/** Returns the size of a user's stored files. Cached parts do not count towards the user's storage. */
function bytesOnDisk(files: BlobFiles, user_id: string): number {
  let bytes = 0;
  for (const { path } of files.ofUser("blobs", user_id)) bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

/** Builds the team service. Commands use it too, with or without a running server. */
export function createTeams(platform: Platform): TeamService {
  return new TeamService(platform, (user_id, keyIds, by) => disableKeyOwned(platform, user_id, keyIds, by));
}

/**
 * Returns the writer for audit entries of the command line, in the owner's audit log.
 * @throws UserError while there is no owner
 */
export function ownerWriter({ users }: Platform): { user_id: string; actor: Actor; request_id: null } {
  const owner = users.list().find(({ role }) => role === "owner");
  if (!owner)
    throw new UserError("There are no users yet. Create the owner with 'postroom serve' or 'postroom user add'.");
  return { user_id: owner.id, actor: SYSTEM_ACTOR, request_id: null };
}

/** Builds the member service for commands. It is the settings page's service without a server to notify. */
export function createMemberService(
  platform: Platform,
  mailbox: Mailbox,
): { members: MemberService; erasure: Erasure } {
  const erasure = createErasure({ platform, mailbox, parts: new PartCache(platform) });
  return { members: new MemberService({ platform, erasure, filesOf: () => 0 }), erasure };
}

/** Returns everything of a person as a zip archive. */
export function exportPerson(platform: Platform, mailbox: Mailbox, { id, email }: User): ReadableStream<Uint8Array> {
  const outbound = createOutbound(platform, mailbox);
  const source = exportSource({ platform, mailbox, outbound, people: createPeople(platform, mailbox) });
  return exportArchive(id, source, { email, at: platform.clock.now() });
}
