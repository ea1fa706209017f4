/** The scopes of API keys (docs/api.md, "Scopes"). */
export const SCOPES = [
  "mail:read",
  "mail:write",
  "mail:send",
  "drafts:read",
  "drafts:write",
  "search:read",
  "contacts:read",
  "contacts:write",
  "context:read",
  "context:write",
  "brief:read",
  "ai:invoke",
  "agent:read",
  "calendar:read",
  "calendar:write",
  "usage:read",
  "webhooks:manage",
  "agent:run",
  "audit:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes that no tool of the tool server needs. */
const NOT_FOR_TOOLS: readonly Scope[] = ["webhooks:manage", "agent:run", "audit:read"];

/** Scopes that a connection of an assistant can have. */
export const TOOL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !NOT_FOR_TOOLS.includes(scope));

/** Returns whether a text is the name of a scope. */
export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}
