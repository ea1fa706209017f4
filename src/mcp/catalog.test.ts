import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectGolden } from "../../test/support/golden-file.ts";
import { type McpFixture, mcpFixture } from "../../test/support/mcp-fixture.ts";
import { SCOPES, type Scope } from "../kernel/scopes.ts";
import { TOOLS, toolsFor } from "./catalog.ts";

/** Names, titles, schemas, scopes and hints of the tools are stable: assistants and people's settings depend on them. */

let m: McpFixture;
beforeAll(() => {
  m = mcpFixture();
});
afterAll(() => m.h.close());

const MAX_BYTES = 12_000;

test("the list of tools is that of the golden file, in its order", async () => {
  const scopes = new Map(TOOLS.map(({ name, scope }) => [name, scope]));
  const tools = toolsFor(SCOPES).map((tool) => ({ scope: scopes.get(tool.name), ...tool }));
  await expectGolden("mcp-tools.json", `${JSON.stringify(tools, null, 2)}\n`);
});

test("the resources and prompts are those of the golden file, in their order", async () => {
  const lists = ["resources/list", "resources/templates/list", "prompts/list"];
  const [{ resources }, { resourceTemplates }, { prompts }] = await Promise.all(
    lists.map(async (method) => (await m.rpc(method)).result),
  );
  const shown = { resources, resourceTemplates, prompts };
  await expectGolden("mcp-resources-prompts.json", `${JSON.stringify(shown, null, 2)}\n`);
});

test("the list of tools, as a client gets it, stays within its byte budget", async () => {
  const { result } = await m.rpc("tools/list");
  expect(result.tools).toHaveLength(21);
  expect(Buffer.byteLength(JSON.stringify(result.tools))).toBeLessThanOrEqual(MAX_BYTES);
  expect(result.tools).toEqual(JSON.parse(JSON.stringify(toolsFor(SCOPES))));
});

test("the hints follow from what a tool does", () => {
  const kinds = Object.groupBy(TOOLS, ({ kind }) => kind);
  for (const { name, annotations } of toolsFor(SCOPES)) {
    const { kind, reachesOthers } = TOOLS.find((tool) => tool.name === name)!;
    expect(annotations.readOnlyHint === true).toBe(kind === "read");
    expect(annotations.destructiveHint === false).toBe(kind === "write");
    expect(annotations.openWorldHint === false).toBe(!reachesOthers);
  }
  expect(TOOLS.filter(({ reachesOthers }) => reachesOthers).map(({ name }) => name)).toEqual([
    "send_draft",
    "change_event",
  ]);
  expect(kinds.destructive!.map(({ name }) => name)).toEqual([
    "trash_threads",
    "delete_draft",
    "send_draft",
    "change_event",
    "change_rule",
  ]);
});

test("no tool composes and sends in one call", () => {
  for (const { name, input, scope } of TOOLS) {
    if (scope !== "mail:send") continue;
    expect(Object.keys(input.properties).filter((field) => /^(to|cc|bcc|body|subject)$/.test(field))).toEqual([]);
    expect(name).toMatch(/^(prepare_send|send_draft|cancel_send)$/);
  }
});

test.each([...SCOPES])("a connection with only %s sees exactly the tools of that scope", async (scope) => {
  const key = m.h.newKey({ scopes: [scope as Scope] }).secret;
  const { result } = await m.rpc("tools/list", {}, { key });
  const granted = TOOLS.filter((tool) => tool.scope === scope).map(({ name }) => name);
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(granted);
});
