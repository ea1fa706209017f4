import { describe, expect, test } from "bun:test";
import { contactKind } from "./kind.ts";
import { givenName, personKey, searchable } from "./person.ts";

describe("addresses of one person", () => {
  test.each([
    ["Ann Lee", "ann.lee@work.example"],
    ["Ann Lee", "alee@home.example"],
    ["Lee, Ann", "lee_ann@x.example"],
    ["Ann B. Lee (Sales)", "ann-lee+news@x.example"],
    ['"Ann Lee"', "annl@x.example"],
    ["ANN LEE", "ann.lee77@x.example"],
  ])("%s <%s> belongs to ann lee", (name, email) => {
    expect(personKey(name, email)).toBe("ann lee");
  });

  test("accents and umlauts match their usual transliterations", () => {
    expect(personKey("Jürgen Müller", "juergen.mueller@x.example")).toBe("jurgen muller");
    expect(personKey("Jürgen Müller", "jmuller@x.example")).toBe("jurgen muller");
    expect(personKey("Søren Ægir", "soren.aegir@x.example")).toBe("soren aegir");
  });

  test.each([
    ["Ann Lee", "info@x.example"],
    ["Ann Lee", "ann@x.example"],
    ["Ann", "ann@x.example"],
    ["", "ann.lee@x.example"],
    ["The Team at Example", "hello@x.example"],
    ["李小龙", "bruce@x.example"],
    ["Ann Lee", "no address"],
  ])("%s <%s> may belong to someone else", (name, email) => {
    expect(personKey(name, email)).toBeNull();
  });
});

describe("kinds of addresses", () => {
  test.each([
    ["ann.lee@x.example", "person"],
    ["a@x.example", "person"],
    ["teamwork.joe@x.example", "person"],
    ["info@x.example", "role"],
    ["Support+123@x.example", "role"],
    ["sales-emea@x.example", "role"],
    ["no-reply@x.example", "automated"],
    ["donotreply@x.example", "automated"],
    ["notifications@x.example", "automated"],
    ["mailer-daemon@x.example", "automated"],
    ["newsletter@x.example", "automated"],
    ["bounce-12=ada=example.org@x.example", "automated"],
    ["reply+0123456789abcdef01@x.example", "automated"],
  ] as const)("%s: %s", (email, kind) => {
    expect(contactKind(email)).toBe(kind);
  });
});

test("a name that only repeats the address is dropped", () => {
  expect(givenName("Ann@x.example", "ann@X.example")).toBe("");
  expect(givenName(" 'Ann   Lee' ", "ann@x.example")).toBe("Ann Lee");
});

test("searching ignores case and accents", () => {
  expect(searchable("JÜRGEN")).toBe("jurgen");
});

test("a name of a hundred thousand quotation marks is truncated before it is cleaned up", () => {
  expect(givenName(`${'"'.repeat(100_000)}x${'"'.repeat(100_000)}y`, "a@b.example").length).toBeLessThanOrEqual(200);
});
