import { Type } from "@sinclair/typebox";
import { isId } from "../../kernel/ids.ts";
import { fitting, fittingPage } from "../budget.ts";
import { type ToolContext, tool } from "../tool.ts";
import { callText, undoText } from "./bulk.ts";
import { cursor, exact } from "./fields.ts";
import { ownArgument, ownText } from "./own-text.ts";

interface ProfileItem {
  id: string;
  domain: string;
  name: string;
}

export interface Profile extends ProfileItem {
  summary: string;
  variables: Record<string, string>;
  notes: { at: string; text: string }[];
}

type Variables = Record<string, string | null>;
type Whole = Parameters<typeof ownText>[1];

const PAGE_SIZE = 100;
const NOTES_BYTES = 10_000;
const VARIABLES_BYTES = 7_000;

export const getContext = tool({
  name: "get_context",
  title: "Client profile",
  description:
    "Read what the user keeps about a client: summary, variables, notes. Private: put it into mail only if the user asks.",
  scope: "context:read",
  kind: "read",
  input: exact({
    about: Type.Optional(Type.String({ description: "Email address, domain or ctx_ id; absent: list all" })),
    cursor,
  }),
  output: Type.Object({ profiles: Type.Array(Type.Unknown()), next_cursor: cursor }),
  run: async ({ about, cursor }, context) => {
    const { call, mail } = context;
    if (about === undefined) {
      const read = async (limit: number) => (await call("listContextProfiles", { query: { limit, cursor } })) as Listed;
      const show = (item: ProfileItem) => ({ ...item, name: mail.line(item.name) });
      const { shown, page } = await fittingPage(PAGE_SIZE, read, show);
      const { data } = (await call("listContextVariables")) as { data: { key: string; value: string }[] };
      const variables = Object.fromEntries(data.map(({ key, value }) => [key, value]));
      return { profiles: shown, ...shownVariables(variables, mail), next_cursor: page.next_cursor };
    }
    const id = isId("contextProfile", about) ? about : await profileOf(about, context);
    if (id === null) return { profiles: [] as ProfileItem[], note: `There is no profile for ${about}.` };
    const profile = (await call("getContextProfile", { params: { id } })) as Profile;
    return { profiles: [shownProfile(profile, mail)] as ProfileItem[] };
  },
});

export const updateContext = tool({
  name: "update_context",
  title: "Change a client profile",
  description: "Set variables of a client profile (null removes one), or append a note.",
  scope: "context:write",
  kind: "write",
  input: exact({
    profile_id: Type.String(),
    set: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))),
    append_note: Type.Optional(Type.String()),
  }),
  output: Type.Object({ id: Type.String(), undo: Type.String() }),
  run: async ({ profile_id, set, append_note }, { call, before, scopes, mail }) => {
    const body = {
      ...(set && { set: withValues(set, (text) => ownArgument("set", text)) }),
      ...(append_note !== undefined && { append_note: ownArgument("append_note", append_note) }),
    };
    const variables = scopes.includes("context:read") ? before.profileVariables(profile_id) : null;
    await call("updateContextProfile", { params: { id: profile_id }, body });
    if (!variables) return { id: profile_id, undo: "The earlier values are unknown without the scope context:read." };
    const earlier = Object.fromEntries(Object.keys(set ?? {}).map((key) => [key, variables[key] ?? null]));
    const restored = withValues(earlier, (text) => mail.argument(text));
    const undo = [
      ...(set === undefined ? [] : [undoText("update_context", { profile_id, set: restored })]),
      ...(append_note === undefined ? [] : ["the note can be removed on the settings page"]),
    ];
    return { id: profile_id, undo: undo.join("; ") || "Nothing was changed." };
  },
});

interface Listed {
  data: ProfileItem[];
  next_cursor?: string;
}

/** Returns the id of the profile that covers an address or domain: that of the longest matching domain. */
async function profileOf(about: string, { call }: ToolContext): Promise<string | null> {
  const domain = about.slice(about.lastIndexOf("@") + 1).toLowerCase();
  let best: ProfileItem | null = null;
  let cursor: string | undefined;
  do {
    const page = (await call("listContextProfiles", { query: { limit: PAGE_SIZE, cursor } })) as Listed;
    for (const profile of page.data) {
      const covers = domain === profile.domain || domain.endsWith(`.${profile.domain}`);
      if (covers && profile.domain.length > (best?.domain.length ?? 0)) best = profile;
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return best?.id ?? null;
}

/** Returns a profile with its texts marked, because a tool may have written them, and cut where they are long. */
function shownProfile(profile: Profile, mail: ToolContext["mail"]): object {
  const whole = { id: profile.id, offset: 0 };
  const notes = profile.notes.map(({ at, text }) => ({ at, text: ownText(text, whole, mail) }));
  // The newest notes are last.
  const newest = fitting([...notes].reverse(), NOTES_BYTES).reverse();
  const left = notes.length - newest.length;
  return {
    ...profile,
    name: mail.line(profile.name),
    summary: ownText(profile.summary, whole, mail),
    ...shownVariables(profile.variables, mail, whole),
    notes: newest,
    ...(left > 0 && { earlier_notes: `${left} more: ${callText("fetch", whole)}` }),
  };
}

/** Returns variables with their values marked, as many as fit. @param whole arguments of `fetch` for all of them */
function shownVariables(variables: Record<string, string>, mail: ToolContext["mail"], whole?: Whole) {
  const marked = Object.entries(variables).map(([key, value]) => [key, mail.exactLines(value)] as const);
  const shown = fitting(marked, VARIABLES_BYTES);
  const left = marked.length - shown.length;
  const rest = whole ? callText("fetch", whole) : "on the settings page";
  return {
    variables: Object.fromEntries(shown) as Record<string, string>,
    ...(left > 0 && { more_variables: `${left} more: ${rest}` }),
  };
}

function withValues(variables: Variables, change: (text: string) => string): Variables {
  const changed = Object.entries(variables).map(([key, value]) => [key, value === null ? null : change(value)]);
  return Object.fromEntries(changed);
}
