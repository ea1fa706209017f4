import { createAi } from "../../src/app/ai.ts";
import { createMembers, type MemberServices } from "../../src/app/members.ts";
import type { PeopleServices } from "../../src/app/people.ts";
import { eventRoutes } from "../../src/features/events/routes.ts";
import { threadRoutes } from "../../src/features/threads/routes.ts";
import { usageRoutes } from "../../src/features/usage/routes.ts";
import type { Mailbox } from "../../src/mailbox/mailbox.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { SendStore } from "../../src/outbound/sends/store.ts";
import { PartCache } from "../../src/platform/blobs/cache.ts";
import type { Browser, HarnessOptions } from "./http-harness.ts";
import { type PeopleFixture, peopleFixture } from "./people-fixture.ts";

/** An owner, a member (the harness's own user, Ada) with a mailbox, and the services behind the settings page. */
export interface MemberFixture extends PeopleFixture {
  owner: Browser;
  ada: Browser;
  services: MemberServices;
  outbound: Outbound;
  /** Who existed each time the workers that hold people's keys had to restart. */
  renewals: string[][];
  /** Runs the remaining work of removals to its end. */
  erase(id: string): Promise<void>;
}

export function memberFixture(config: HarnessOptions["config"] = {}): MemberFixture {
  let given!: { people: PeopleServices; mailbox: Mailbox };
  let services!: MemberServices;
  let outbound!: Outbound;
  const renewals: string[][] = [];
  const fixture = peopleFixture(
    (people, platform, mailbox) => {
      given = { people, mailbox };
      return [...usageRoutes(platform, new SendStore(platform)), ...threadRoutes(mailbox), ...eventRoutes(platform)];
    },
    {
      config,
      appRoutes: (platform) => {
        outbound = createOutbound(platform, given.mailbox);
        const { engines } = createAi({ platform, outbound, ...given });
        const parts = new PartCache(platform);
        const accountsChanged = async () => {};
        const renewWorkers = async () => void renewals.push(platform.users.list().map(({ email }) => email));
        const seed = async () => {};
        services = createMembers({ platform, outbound, engines, parts, accountsChanged, renewWorkers, seed, ...given });
        return services.routes;
      },
    },
  );
  const { h } = fixture;
  return {
    ...fixture,
    owner: h.session("owner@example.org", "owner"),
    ada: h.session(),
    services,
    renewals,
    outbound,
    async erase(id) {
      let done = false;
      const work = services.erasure.run(id).finally(() => {
        done = true;
      });
      work.catch(() => {}); // it is read below
      // The clock does not advance, so pauses end as soon as they begin.
      while (!done) {
        h.clock.advance(100);
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      await work;
    },
  };
}
