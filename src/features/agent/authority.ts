const MODES = ["off", "suggest", "draft", "autopilot"] as const;
type AgentMode = (typeof MODES)[number];
type AgentPermission = "label" | "category" | "archive" | "draft";

/** The mode and permissions that an agent rule grants for a message's sender. */
export interface Authority {
  mode: AgentMode;
  /** Permissions that the rule lists. Empty: all permissions of the mode. */
  allow: readonly AgentPermission[];
}

/** What the agent is permitted to do. It only suggests everything else. */
export interface Leave {
  mode: Exclude<AgentMode, "off">;
  may(permission: AgentPermission): boolean;
}

const MODE_PERMISSIONS: Record<Exclude<AgentMode, "off">, readonly AgentPermission[]> = {
  suggest: [],
  draft: ["draft"],
  autopilot: ["label", "category", "archive", "draft"],
};

/**
 * Returns the permissions that a rule grants: those of its mode, narrowed to the rule's allow list if it has one.
 * Returns null when no rule covers the sender or the mode is `off`; the agent then leaves the mail alone.
 */
export function leaveOf(authority: Authority | null): Leave | null {
  if (!authority || authority.mode === "off") return null;
  const { mode, allow } = authority;
  const granted = MODE_PERMISSIONS[mode].filter((permission) => allow.length === 0 || allow.includes(permission));
  return { mode, may: (permission) => granted.includes(permission) };
}
