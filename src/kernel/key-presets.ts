import { SCOPES, type Scope } from "./scopes.ts";

/** Sets of permissions that a person chooses by what a program is for, in the page and in `postroom key create`. */
export const PRESET_NAMES = ["read_only", "assistant", "automation", "everything"] as const;
type PresetName = (typeof PRESET_NAMES)[number];

/** A preset for API keys, described for someone who has never read the API reference. */
export interface KeyPreset {
  name: PresetName;
  title: string;
  /** What a program with the key can do. */
  can: string;
  /** What it cannot do. */
  cannot: string;
  scopes: readonly Scope[];
  /** The key works with the tool server only, where sending rules apply. */
  tools_only: boolean;
  /** The program acts in the person's name without asking. */
  danger: boolean;
}

/**
 * The presets that contain each scope, besides `everything`, which contains all. The type requires an entry for each
 * scope, so that a new one is in a preset, or in none, on purpose.
 */
const PRESETS_OF: Record<Scope, readonly Exclude<PresetName, "everything">[]> = {
  "mail:read": ["read_only", "assistant", "automation"],
  "mail:write": ["assistant", "automation"],
  "mail:send": ["assistant", "automation"],
  "drafts:read": ["read_only", "assistant", "automation"],
  "drafts:write": ["assistant", "automation"],
  "search:read": ["read_only", "assistant", "automation"],
  "contacts:read": ["read_only", "assistant", "automation"],
  // Words that a program writes into notes and profiles are read by assistants later, and can mislead them.
  "contacts:write": [],
  // Profiles and files often hold what no message should reveal. Only a program that cannot send reads them.
  "context:read": ["read_only"],
  "context:write": [],
  "brief:read": ["read_only", "assistant", "automation"],
  "ai:invoke": ["assistant", "automation"],
  "agent:read": ["read_only", "assistant"],
  "agent:run": [],
  "calendar:read": ["read_only", "assistant", "automation"],
  "calendar:write": ["assistant", "automation"],
  "usage:read": ["read_only", "assistant", "automation"],
  "webhooks:manage": ["automation"],
  "audit:read": ["read_only"],
};

const scopesOf = (name: PresetName): Scope[] =>
  SCOPES.filter((scope) => name === "everything" || PRESETS_OF[scope].includes(name));

/** The presets, from the least powerful to the most powerful. */
export const KEY_PRESETS: readonly KeyPreset[] = [
  {
    name: "read_only",
    title: "Read only",
    can: "Can read and search your mail, contacts, notes, calendar and history.",
    cannot: "Cannot change or send anything.",
    scopes: scopesOf("read_only"),
    tools_only: false,
    danger: false,
  },
  {
    name: "assistant",
    title: "Assistant",
    can: "Can read and organize mail, write drafts and, by default, send only what you confirm, through the tool server.",
    cannot: "Cannot use the API, or read client profiles and context files.",
    scopes: scopesOf("assistant"),
    tools_only: true,
    danger: false,
  },
  {
    name: "automation",
    title: "n8n and automations",
    can: "Can read, organize and send mail without asking you, use the calendar and AI, and manage webhooks.",
    cannot: "Cannot change contacts and notes, or run the agent.",
    scopes: scopesOf("automation"),
    tools_only: false,
    danger: true,
  },
  {
    name: "everything",
    title: "Everything",
    can: "Can do all that the API offers, including sending mail and running the agent without asking you.",
    cannot: "Cannot create keys, or change sign-in, members and backups.",
    scopes: scopesOf("everything"),
    tools_only: false,
    danger: true,
  },
];

/** Returns a preset by its name. Names on the command line have hyphens: "read-only". */
export function presetNamed(name: string): KeyPreset | undefined {
  return KEY_PRESETS.find((preset) => preset.name === name.replaceAll("-", "_"));
}
