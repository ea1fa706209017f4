const MODES = ["off", "suggest", "draft", "autopilot"] as const;
type AgentMode = (typeof MODES)[number];
type AgentPermission = "label" | "category" | "archive" | "draft";

/** The mode and permissions that an agent rule grants for a message's sender. */
export interface Authority {
  mode: AgentMode;
  /** Permissions that the rule lists. Empty: all permissions of the mode. */
  allow: readonly AgentPermission[];
}

/** The actions that the agent may take. It only suggests all others. */
export interface Permissions {
  mode: Exclude<AgentMode, "off">;
  allows(permission: AgentPermission): boolean;
}

const MODE_PERMISSIONS: Record<Exclude<AgentMode, "off">, readonly AgentPermission[]> = {
  suggest: [],
  draft: ["draft"],
  autopilot: ["label", "category", "archive", "draft"],
};

/**
 * Returns the permissions that a rule grants: those of its mode, narrowed to the rule's allow list if it has one.
 * Returns null when no rule covers the sender or the mode is `off`; the agent then ignores the mail.
 */
export function permissionsOf(authority: Authority | null): Permissions | null {
  if (!authority || authority.mode === "off") return null;
  const { mode, allow } = authority;
  const granted = MODE_PERMISSIONS[mode].filter((permission) => allow.length === 0 || allow.includes(permission));
  return { mode, allows: (permission) => granted.includes(permission) };
}
