import { expect, test } from "bun:test";
import { peopleFixture } from "../../../test/support/people-fixture.ts";
import { runDueJobs } from "../../../test/support/run-jobs.ts";
import { createSuggester } from "../../app/search.ts";
import { COUNT_JOB, countHandler } from "../contacts/count-job.ts";
import { suggestRoute } from "./suggest-route.ts";

const MANY = 500;
/** Envelopes and addresses that one request decrypts. */
const MOST = 300;

test("a request decrypts a limited number of rows, however much mail there is, and the next ones the rest", async () => {
  const s = peopleFixture((people, _, mailbox) => [suggestRoute(createSuggester(mailbox, people))]);
  const { platform } = s.h;
  try {
    for (let i = 0; i < MANY; i++) {
      const role = i % 2 === 0 ? "inbox" : "archive";
      s.arrive({ role, from: { name: `Person ${i}`, email: `p${i}@x.example` }, subject: `Report ${i}` });
    }
    await s.h.call("GET", "/search/suggest?q=x");
    await runDueJobs(platform, { [COUNT_JOB]: countHandler(platform) });
    let opened = 0;
    const sealer = platform.keyring.forUser(s.h.user.id);
    const { openJson } = sealer;
    sealer.openJson = ((context: string, sealed: never) => {
      if (/^(messages\.head|contact_addresses\.profile):/.test(context)) opened++;
      return openJson.call(sealer, context, sealed);
    }) as typeof openJson;
    expect(platform.keyring.forUser(s.h.user.id)).toBe(sealer);
    const ask = async (q: string) => {
      opened = 0;
      const { json } = await s.h.call("GET", `/search/suggest?q=${q}`);
      return { opened, found: json.data.length as number };
    };
    // The first is the latest, so it is found at once.
    expect(await ask(`p${MANY - 1}`)).toMatchObject({ found: 1 });
    expect(opened).toBeGreaterThan(100);
    expect(opened).toBeLessThanOrEqual(MOST);
    for (let i = 0; i < 5; i++) expect((await ask("p1@")).opened).toBeLessThanOrEqual(MOST);
    expect(await ask("p1@")).toEqual({ opened: 0, found: 1 });
  } finally {
    s.h.close();
  }
});
