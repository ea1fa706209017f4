import { expect, test } from "bun:test";
import { identityOf } from "../web/app/pages/assistants/identity.ts";

const client = { client_id: "https://evil.example/c.json", name: "Claude", redirect_host: "localhost", verified: true };

test("a published description verifies where it was published, not the name in it", () => {
  const { publisher, said } = identityOf(client);
  expect(publisher).toBe("evil.example");
  expect(said).toContain("“Claude” is the name that the program gives itself, in a description at evil.example.");
});

test("a registered program has no publisher", () => {
  const { publisher, said } = identityOf({ ...client, client_id: "x", verified: false });
  expect([publisher, said]).toEqual([
    null,
    "“Claude” is the name that the program gives itself. Continue only if you started this.",
  ]);
});

test.each([
  ["localhost", "a program on this computer"],
  ["claude.ai", "claude.ai"],
  ["claude.ai:", "the program that opens claude.ai: links"],
])("the browser returns to %s", (redirect_host, where) => {
  expect(identityOf({ ...client, redirect_host }).where).toBe(where);
});
