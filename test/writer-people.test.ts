import { afterEach, beforeEach, describe, expect, setDefaultTimeout } from "bun:test";
import { bothWays, type Sql, sha256, WriterFixture } from "./support/writer-fixture.ts";

setDefaultTimeout(30_000);

let s: WriterFixture;
beforeEach(() => {
  s = new WriterFixture();
});
afterEach(() => s.close());

describe("people", () => {
  bothWays(
    "a member with a changed role or plan does not count",
    () => s.restart(),
    async (settle) => {
      const bo = s.h.newUser("bo@example.org", "free").id;
      const cy = s.h.newUser("cy@example.org", "free").id;
      const legit = s.h.key;
      s.attack((sql) => {
        sql("UPDATE users SET role = 'owner' WHERE id = ?", bo);
        sql("UPDATE users SET plan = 'autopilot' WHERE id = ?", cy);
      });
      settle();
      expect([bo, cy].map((id) => s.h.platform.users.get(id))).toEqual([null, null]);
      expect(await s.statusWith(legit)).toBe(200);
      expect(s.found()).toContain("users");
    },
  );

  bothWays(
    "an address moved to another row finds no one",
    () => s.restart(),
    (settle) => {
      const bo = s.h.newUser("bo@example.org");
      s.attack((sql) => {
        const [row] = sql("SELECT email_hmac FROM users WHERE id = ?", bo.id) as { email_hmac: Uint8Array }[];
        sql("UPDATE users SET email_hmac = randomblob(16) WHERE id = ?", bo.id);
        sql(
          "UPDATE users SET email_hmac = ? WHERE id = ?",
          row!.email_hmac,
          s.h.platform.users.sandboxOf(s.h.user.id).id,
        );
      });
      settle();
      expect(s.h.platform.users.findByEmail("bo@example.org")).toBeNull();
    },
  );

  bothWays(
    "another person's password and an earlier password are refused, and a deleted password is still required",
    () => s.restart(),
    async (settle) => {
      const { passwords } = s.h.platform.signIn;
      const bo = s.h.newUser("bo@example.org").id;
      passwords.store(bo, await passwords.hash("the password of bo"));
      passwords.store(s.h.user.id, await passwords.hash("the old one of ada"));
      let old: Uint8Array = new Uint8Array();
      s.attack((sql) => {
        old = (sql("SELECT hash FROM passwords WHERE user_id = ?", s.h.user.id) as { hash: Uint8Array }[])[0]!.hash;
      });
      passwords.store(s.h.user.id, await passwords.hash("the new one of ada"));
      const tries: [(sql: Sql) => void, string][] = [
        [(sql) => sql("UPDATE passwords SET hash = ? WHERE user_id = ?", old, s.h.user.id), "the old one of ada"],
        [
          (sql) =>
            sql(
              "UPDATE passwords SET hash = (SELECT hash FROM passwords WHERE user_id = ?) WHERE user_id = ?",
              bo,
              s.h.user.id,
            ),
          "the password of bo",
        ],
      ];
      for (const [work, password] of tries) {
        s.attack((sql) => void work(sql));
        settle();
        expect(await s.h.platform.signIn.passwords.verify(s.h.user.id, password)).toBe(false);
      }
      s.attack((sql) => sql("DELETE FROM passwords"));
      settle();
      expect(s.h.platform.signIn.passwords.has(s.h.user.id)).toBe(true);
      expect(await s.h.platform.signIn.passwords.verify(s.h.user.id, "the new one of ada")).toBe(false);
    },
  );

  bothWays(
    "a code is still required if its row is forged or deleted, and no code is accepted then",
    () => s.restart(),
    (settle) => {
      const id = s.h.user.id;
      s.h.platform.signIn.totp.begin(id, "ada@example.org");
      s.attack((sql) => sql("UPDATE totp SET confirmed_at = 1"));
      settle();
      expect(s.h.platform.signIn.totp.isOn(id)).toBe(true);
      expect(s.h.platform.signIn.totp.spend(id, "123456")).toBeNull();
      s.attack((sql) => sql("DELETE FROM totp"));
      settle();
      expect(s.h.platform.signIn.totp.isOn(id)).toBe(true);
      expect(s.h.platform.signIn.totp.backupCodesLeft(id)).toBe(0);
      s.h.platform.signIn.totp.remove(id);
      expect(s.h.platform.signIn.totp.isOn(id)).toBe(false);
    },
  );

  bothWays(
    "a passkey moved to another person, or with a changed counter, signs no one in",
    () => s.restart(),
    (settle) => {
      const bo = s.h.newUser("bo@example.org").id;
      const passkey = { name: "k", credential_id: "Y3JlZA", public_key: new Uint8Array(4), transports: [], rp_id: "x" };
      s.h.platform.signIn.passkeys.add({ ...passkey, user_id: bo, counter: 5 });
      s.attack((sql) => sql("UPDATE passkeys SET user_id = ?", s.h.user.id));
      settle();
      expect(s.h.platform.signIn.passkeys.find("Y3JlZA")).toBeNull();
      expect(s.h.platform.signIn.passkeys.has(bo)).toBe(true);
      s.attack((sql) => sql("UPDATE passkeys SET user_id = ?, counter = 0", bo));
      settle();
      expect(s.h.platform.signIn.passkeys.find("Y3JlZA")).toBeNull();
    },
  );

  bothWays(
    "an installation stays claimed if the record of the claim is deleted",
    () => s.restart(),
    (settle) => {
      s.h.platform.signIn.claim.claim();
      s.attack((sql) => sql("DELETE FROM settings WHERE key = 'owner_claimed_at'"));
      settle();
      expect(s.h.platform.signIn.claim.isClaimed).toBe(true);
    },
  );

  bothWays(
    "forged, moved, extended, re-authenticated and revoked sessions do not count",
    () => s.restart(),
    (settle) => {
      const begin = (user_id: string) =>
        s.h.platform.sessions.create({
          user_id,
          method: "password",
          address: "192.0.2.7",
          user_agent: "x",
          recentAuth: false,
        });
      const bo = s.h.newUser("bo@example.org").id;
      const changes = [
        ["hash = ?", sha256("foreign")],
        ["user_id = ?", s.h.user.id],
        ["expires_at = ?", 9e15],
        ["proved_at = ?", s.h.clock.now()],
        ["last_used_at = ?", s.h.clock.now() + 86_400_000],
      ] as const;
      const legit = begin(bo).token;
      const tokens = changes.map(([change, value]) => {
        const { session, token } = begin(bo);
        s.attack((sql) => sql(`UPDATE sessions SET ${change} WHERE id = ?`, value, session.id));
        return token;
      });
      const { session, token } = begin(bo);
      s.attack((sql) => sql("CREATE TABLE kept AS SELECT * FROM sessions WHERE id = ?", session.id));
      s.h.platform.sessions.revoke(bo, session.id);
      s.attack((sql) => {
        sql("INSERT INTO sessions SELECT * FROM kept");
        sql("DROP TABLE kept");
      });
      settle();
      for (const each of [...tokens, token, "foreign"]) expect(s.h.platform.sessions.find(each)).toBeNull();
      expect(s.h.platform.sessions.find(legit)?.user_id).toBe(bo);
    },
  );

  bothWays(
    "forged, moved and used invitations do not count",
    () => s.restart(),
    (settle) => {
      const { invitations } = s.h.platform;
      const bo = s.h.newUser("bo@example.org").id;
      const cy = s.h.newUser("cy@example.org").id;
      const expires = s.h.clock.now() + 1e9;
      s.attack((sql) => sql("INSERT INTO invitations VALUES (?, ?, 0, ?)", sha256("foreign"), s.h.user.id, expires));
      const redirected = invitations.create(bo).token;
      s.attack((sql) => sql("UPDATE invitations SET user_id = ? WHERE user_id = ?", s.h.user.id, bo));
      const spent = invitations.create(cy).token;
      s.attack((sql) => sql("CREATE TABLE kept AS SELECT * FROM invitations WHERE user_id = ?", cy));
      expect(invitations.accept(spent)).toBe(cy);
      s.attack((sql) => {
        sql("INSERT INTO invitations SELECT * FROM kept");
        sql("DROP TABLE kept");
      });
      settle();
      for (const token of ["foreign", redirected, spent]) {
        expect(s.h.platform.invitations.open(token)).toBeNull();
        expect(s.h.platform.invitations.accept(token)).toBeNull();
      }
      expect(s.h.platform.invitations.pending(s.h.user.id)).toBeNull();
    },
  );

  bothWays(
    "a forged row adds no member to a team, and does not turn an invitation into a membership",
    () => s.restart(),
    (settle) => {
      const { teams } = s.h.platform;
      const team = teams.create("Works").id;
      const bo = s.h.newUser("bo@example.org", "pro").id;
      teams.invite(team, bo);
      s.attack((sql) => {
        sql("UPDATE team_members SET joined_at = 1");
        sql("INSERT INTO team_members VALUES (?, ?, 1, 1)", team, s.h.user.id);
      });
      settle();
      for (const id of [bo, s.h.user.id]) expect(s.h.platform.teams.has(team, id)).toBe(false);
      expect([s.h.platform.teams.seats(team), s.h.platform.users.get(bo)?.plan]).toEqual([0, "pro"]);
    },
  );
});
