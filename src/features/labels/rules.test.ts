import { afterAll, beforeAll, expect, test } from "bun:test";
import { type PeopleFixture, peopleFixture } from "../../../test/support/people-fixture.ts";
import { ruleRoutes } from "../rules/routes.ts";
import { labelRoutes } from "./routes.ts";

let s: PeopleFixture;

beforeAll(() => {
  s = peopleFixture((people, _, { labelQueries, labelChanges }) => [
    ...labelRoutes(labelQueries, labelChanges, (caller, from, to) => people.rules.renameLabel(caller, from, to)),
    ...ruleRoutes(people.rules),
  ]);
});
afterAll(() => s.h.close());

const addRule = async (actions: object[], key?: string): Promise<string> => {
  const conditions = [{ field: "subject", op: "contains", value: "bill" }];
  return (await s.h.call("POST", "/rules", { body: { conditions, actions }, key })).json.id;
};
const actionsOf = async (id: string) =>
  (await s.h.call("GET", "/rules")).json.data.find((rule: { id: string }) => rule.id === id).actions;
const add = (value: string) => ({ type: "addLabel", value });
const remove = (value: string) => ({ type: "removeLabel", value });
const labelId = async (name: string) =>
  (await s.h.call("GET", "/labels")).json.data.find((label: { name: string }) => label.name === name).id;
const audits = () => s.h.platform.audit.list(s.h.user.id, { limit: 100, action: "rule.update" });

test("rules that add or remove a label follow its new name, for new mail too", async () => {
  const adding = await addRule([add("Bills"), { type: "star" }]);
  const removing = await addRule([remove("Bills"), add("bills")]);
  const other = await addRule([add("Paid")]);
  // Compiles the rules, as arriving mail does.
  s.arrive({ subject: "a bill" });
  await s.h.call("POST", "/labels", { body: { name: "Bills" } });
  const renamed = await s.h.call("PATCH", `/labels/${await labelId("Bills")}`, { body: { name: "Invoices" } });
  expect(renamed.status).toBe(200);
  expect(await actionsOf(adding)).toEqual([add("Invoices"), { type: "star", value: "" }]);
  expect(await actionsOf(removing)).toEqual([remove("Invoices"), add("bills")]);
  expect(await actionsOf(other)).toEqual([add("Paid")]);
  expect(audits().map(({ target }) => target)).toEqual([removing, adding]);
  await s.h.call("DELETE", `/rules/${removing}`);
  const { thread_id } = s.arrive({ subject: "the next bill" });
  expect(s.mailbox.labels.ofThread(thread_id)).toEqual(["Invoices", "Paid"]);
});

test("a key that is bound to a mailbox changes only the rules of this mailbox", async () => {
  const bound = s.h.newKey({ account_id: s.account.id }).secret;
  const home = s.connect(s.h.user.id, "ada@home.example");
  s.arrive({ labels: ["Trips"] });
  s.arrive({ labels: ["Trips"] }, home);
  const forAll = await addRule([add("Trips")]);
  const own = await addRule([add("Trips")], bound);
  await s.h.call("PATCH", `/labels/${await labelId("Trips")}`, { body: { name: "Travel" }, key: bound });
  expect([await actionsOf(forAll), await actionsOf(own)]).toEqual([[add("Trips")], [add("Travel")]]);
});

test("a rename that is refused leaves rules alone", async () => {
  const id = await addRule([add("Fixed")]);
  for (const name of ["Fixed", "Taken"]) await s.h.call("POST", "/labels", { body: { name } });
  const before = audits().length;
  const { status } = await s.h.call("PATCH", `/labels/${await labelId("Fixed")}`, { body: { name: "Taken" } });
  expect([status, await actionsOf(id), audits().length]).toEqual([409, [add("Fixed")], before]);
});
