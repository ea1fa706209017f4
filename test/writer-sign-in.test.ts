import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { CalendarFeed } from "../src/features/calendar/feed.ts";
import { OAuthFlows } from "../src/mailbox/accounts/oauth-flows.ts";
import type { OAuthFlow } from "../src/mailbox/accounts/tables.ts";
import { authFixture, PASSWORD } from "./support/auth-fixture.ts";
import { bothWays, type Sql, WriterFixture, writeDatabase } from "./support/writer-fixture.ts";

/*
 * An attacker with write access to the data folder replaces rows of sign-in with rows of another person or earlier
 * rows: calendar addresses, passkeys, sessions, codes, and sign-ins at a provider.
 */

setDefaultTimeout(30_000);

let s: WriterFixture;
beforeEach(() => {
  s = new WriterFixture();
});
afterEach(() => s.close());

describe("a calendar feed cannot be read with a forged address", () => {
  const feed = () => new CalendarFeed(s.h.platform, { within: () => [] } as never);
  const tokenOf = (user_id: string, renew = false) => feed().path(user_id, renew).split("=")[1]!;
  const MOVES: [string, (sql: Sql, ada: string, bo: string) => void][] = [
    [
      "another person's row, moved",
      (sql, ada, bo) => {
        sql("DELETE FROM calendar_feeds WHERE user_id = ?", ada);
        sql("UPDATE calendar_feeds SET user_id = ? WHERE user_id = ?", ada, bo);
      },
    ],
    [
      "another person's row, copied",
      (sql, ada, bo) => {
        sql("CREATE TABLE copied AS SELECT * FROM calendar_feeds WHERE user_id = ?", bo);
        sql("DELETE FROM calendar_feeds");
        sql("INSERT INTO calendar_feeds SELECT ?, token_hash, token, created_at FROM copied", ada);
      },
    ],
    [
      "the digests of two rows exchanged",
      (sql, ada, bo) => {
        const [row] = sql("SELECT token_hash FROM calendar_feeds WHERE user_id = ?", bo) as {
          token_hash: Uint8Array;
        }[];
        sql("UPDATE calendar_feeds SET token_hash = randomblob(32) WHERE user_id = ?", bo);
        sql("UPDATE calendar_feeds SET token_hash = ? WHERE user_id = ?", row!.token_hash, ada);
      },
    ],
  ];
  for (const [what, move] of MOVES) {
    bothWays(
      what,
      () => s.restart(),
      (settle) => {
        const bo = s.h.newUser("bo@example.org").id;
        const theirs = tokenOf(bo);
        tokenOf(s.h.user.id);
        expect(feed().read(theirs)).not.toBeNull();
        s.attack((sql) => move(sql, s.h.user.id, bo));
        settle();
        expect(feed().read(theirs)).toBeNull();
        // The person gets a new address, not the forged one.
        expect(tokenOf(s.h.user.id)).not.toBe(theirs);
        expect(feed().read(theirs)).toBeNull();
      },
    );
  }

  bothWays(
    "an earlier address, restored after the feed was renewed or closed",
    () => s.restart(),
    (settle) => {
      const id = s.h.user.id;
      const first = tokenOf(id);
      s.attack((sql) => sql("CREATE TABLE kept AS SELECT * FROM calendar_feeds"));
      const second = tokenOf(id, true);
      const putBack = () => s.attack((sql) => sql("INSERT OR REPLACE INTO calendar_feeds SELECT * FROM kept"));
      putBack();
      settle();
      expect([first, second].map((token) => feed().read(token))).toEqual([null, null]);
      feed().close(id);
      putBack();
      expect(feed().read(first)).toBeNull();
    },
  );
});

describe("signing in", () => {
  bothWays(
    "exchanged columns of two people's passkeys sign no one in",
    () => s.restart(),
    (settle) => {
      const bo = s.h.newUser("bo@example.org").id;
      const { passkeys } = s.h.platform.signIn;
      const add = (user_id: string, credential_id: string) =>
        passkeys.add({
          user_id,
          credential_id,
          name: "k",
          public_key: new Uint8Array(4),
          transports: [],
          rp_id: "x",
          counter: 1,
        })!.id;
      const exchange = (column: string, one: string, other: string) =>
        s.attack((sql) => {
          const [a, b] = [one, other].map(
            (id) => (sql(`SELECT ${column} AS value FROM passkeys WHERE id = ?`, id) as { value: string }[])[0]!.value,
          );
          sql(
            `UPDATE passkeys SET ${column} = ${column === "user_id" ? "?" : "randomblob(16)"} WHERE id = ?`,
            ...(column === "user_id" ? [b!, one] : [one]),
          );
          sql(`UPDATE passkeys SET ${column} = ? WHERE id = ?`, a!, other);
          sql(`UPDATE passkeys SET ${column} = ? WHERE id = ?`, b!, one);
        });
      for (const column of ["user_id", "credential", "credential_hmac"]) {
        const names = [`${column}-ada`, `${column}-bo`];
        const [one, other] = [add(s.h.user.id, names[0]!), add(bo, names[1]!)];
        expect(names.map((name) => passkeys.find(name)?.user_id)).toEqual([s.h.user.id, bo]);
        exchange(column, one, other);
      }
      settle();
      for (const column of ["user_id", "credential", "credential_hmac"]) {
        for (const who of ["ada", "bo"]) expect(s.h.platform.signIn.passkeys.find(`${column}-${who}`)).toBeNull();
      }
    },
  );

  bothWays(
    "a session with a changed method, time or device does not count",
    () => s.restart(),
    (settle) => {
      const begin = (recentAuth: boolean) =>
        s.h.platform.sessions.create({
          user_id: s.h.user.id,
          method: "forward_auth",
          address: "192.0.2.7",
          user_agent: "x",
          recentAuth,
        });
      const fresh = begin(true).session.id;
      const changes = [
        "method = 'password'",
        "created_at = created_at + 1",
        `proved_at = (SELECT proved_at FROM sessions WHERE id = '${fresh}')`,
        `about = (SELECT about FROM sessions WHERE id = '${fresh}')`,
      ];
      const tokens = changes.map((change) => {
        const { session, token } = begin(false);
        s.attack((sql) => sql(`UPDATE sessions SET ${change} WHERE id = ?`, session.id));
        return token;
      });
      settle();
      expect(tokens.map((token) => s.h.platform.sessions.find(token))).toEqual(changes.map(() => null));
    },
  );

  test("a deleted second factor is still required, and a session with a forged re-authentication does not count", async () => {
    const d = authFixture();
    try {
      const ada = d.visitor();
      await d.setUp(ada);
      const { secret } = (await ada.call("POST", "/totp")).json;
      await ada.call("POST", "/totp/confirm", {
        body: { code: d.codeOf(secret) },
      });
      const write = (work: (sql: Sql) => void) => writeDatabase(d.h.platform.config.data_dir, work);
      d.h.clock.advance(16 * 60_000);
      write((sql) => sql("UPDATE sessions SET proved_at = ?", d.h.clock.now()));
      expect((await ada.call("GET", "/totp")).status).toBe(401);
      const someone = d.visitor();
      for (const attack of ["UPDATE totp SET confirmed_at = NULL", "DELETE FROM totp"]) {
        write((sql) => sql(attack));
        const answer = await d.signIn(someone);
        expect([answer.status, answer.json.error.code]).toEqual([401, "totp_required"]);
        expect(
          (
            await d.signIn(someone, {
              password: PASSWORD,
              totp: d.codeOf(secret),
            })
          ).status,
        ).toBe(401);
      }
    } finally {
      d.close();
    }
  });
});

describe("a sign-in at a provider", () => {
  const FLOW: OAuthFlow = {
    provider: "google",
    email: "ada@gmail.test",
    account_id: null,
    verifier: "v",
    redirect_uri: "https://post.example/app/",
    imap: { host: "imap.gmail.com", port: 993, security: "tls" },
    smtp: null,
    username: "ada@gmail.test",
  };
  const flows = () => new OAuthFlows(s.h.platform);

  bothWays(
    "cannot be completed again by restoring its row",
    () => s.restart(),
    (settle) => {
      flows().begin(s.h.user.id, "state", FLOW);
      s.attack((sql) => sql("CREATE TABLE kept AS SELECT * FROM oauth_flows"));
      expect(flows().take(s.h.user.id, "state")).toEqual(FLOW);
      s.attack((sql) => sql("INSERT INTO oauth_flows SELECT * FROM kept"));
      settle();
      expect(flows().take(s.h.user.id, "state")).toBeNull();
    },
  );

  bothWays(
    "cannot be completed by another person, with another flow, or after its expiry",
    () => s.restart(),
    (settle) => {
      const bo = s.h.newUser("bo@example.org").id;
      for (const state of ["moved", "filled", "long"]) flows().begin(s.h.user.id, state, FLOW);
      flows().begin(bo, "of bo", FLOW);
      const hash = (state: string) => s.h.platform.grants.lookup("oauth-state", state);
      s.attack((sql) => {
        sql("UPDATE oauth_flows SET user_id = ? WHERE state_hash = ?", bo, hash("moved"));
        sql(
          "UPDATE oauth_flows SET flow = (SELECT flow FROM oauth_flows WHERE state_hash = ?) WHERE state_hash = ?",
          hash("of bo"),
          hash("filled"),
        );
        sql("UPDATE oauth_flows SET expires_at = 9000000000000000 WHERE state_hash = ?", hash("long"));
      });
      settle();
      expect(flows().take(bo, "moved")).toBeNull();
      expect(flows().take(s.h.user.id, "filled")).toBeNull();
      expect(flows().take(s.h.user.id, "long")).toBeNull();
      expect(flows().take(bo, "of bo")).toEqual(FLOW);
    },
  );
});
