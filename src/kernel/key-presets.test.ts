import { expect, test } from "bun:test";
import { KEY_PRESETS, presetNamed } from "./key-presets.ts";
import { SCOPES, TOOL_SCOPES } from "./scopes.ts";

const scopesOf = (name: string) => [...presetNamed(name)!.scopes].sort();

test("each preset has exactly the scopes that were assigned to it on purpose", () => {
  expect(scopesOf("read-only")).toEqual([
    "agent:read",
    "audit:read",
    "brief:read",
    "calendar:read",
    "contacts:read",
    "context:read",
    "drafts:read",
    "mail:read",
    "search:read",
    "usage:read",
  ]);
  expect(scopesOf("assistant")).toEqual([
    "agent:read",
    "ai:invoke",
    "brief:read",
    "calendar:read",
    "calendar:write",
    "contacts:read",
    "drafts:read",
    "drafts:write",
    "mail:read",
    "mail:send",
    "mail:write",
    "search:read",
    "usage:read",
  ]);
  expect(scopesOf("automation")).toEqual([
    "ai:invoke",
    "brief:read",
    "calendar:read",
    "calendar:write",
    "contacts:read",
    "drafts:read",
    "drafts:write",
    "mail:read",
    "mail:send",
    "mail:write",
    "search:read",
    "usage:read",
    "webhooks:manage",
  ]);
  expect(scopesOf("everything")).toEqual([...SCOPES].sort());
});

test("a program that reads only has no scope that changes, sends or spends", () => {
  expect(presetNamed("read_only")!.scopes.filter((scope) => !scope.endsWith(":read"))).toEqual([]);
});

test("an assistant is limited to the tool server, and has no scope that no tool needs", () => {
  const { scopes, tools_only } = presetNamed("assistant")!;
  expect(tools_only).toBe(true);
  expect(scopes.filter((scope) => !TOOL_SCOPES.includes(scope))).toEqual([]);
});

test("presets that send or run the agent outside the tool server are marked", () => {
  for (const { name, scopes, tools_only, danger } of KEY_PRESETS) {
    const acts = !tools_only && (scopes.includes("mail:send") || scopes.includes("agent:run"));
    expect([name, danger]).toEqual([name, acts]);
  }
});

test("an unknown name is no preset", () => {
  expect(presetNamed("admin")).toBeUndefined();
  expect(presetNamed("")).toBeUndefined();
});
