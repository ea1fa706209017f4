export const MODES = ["off", "suggest", "draft", "autopilot"] as const;
export type AgentMode = (typeof MODES)[number];
export type AgentPermission = "label" | "category" | "archive" | "draft";

/** What an agent rule says of a message's sender, as the rules feature answers it. */
export interface Authority {
  mode: AgentMode;
  /** Permissions that the rule lists; empty: those that the mode is for. */
  allow: readonly AgentPermission[];
}

/** What the agent may do, and what it may only propose. */
export interface Leave {
  mode: Exclude<AgentMode, "off">;
  may(permission: AgentPermission): boolean;
}

const MEANT: Record<Exclude<AgentMode, "off">, readonly AgentPermission[]> = {
  suggest: [],
  draft: ["draft"],
  autopilot: ["label", "category", "archive", "draft"],
};

/**
 * The leave that a rule gives: never more than its mode is for, and of that only what it lists, where it lists anything. No
 * rule for a sender means that the agent leaves their mail alone; null: so does `off`.
 */
export function leaveOf(authority: Authority | null): Leave | null {
  if (!authority || authority.mode === "off") return null;
  const { mode, allow } = authority;
  const granted = MEANT[mode].filter((permission) => allow.length === 0 || allow.includes(permission));
  return { mode, may: (permission) => granted.includes(permission) };
}
