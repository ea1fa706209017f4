/** The 17 scopes of the contract and our additive ones. */
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

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}
