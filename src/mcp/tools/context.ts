import { Type } from "@sinclair/typebox";
import { isId } from "../../kernel/ids.ts";
import { unmarked } from "../mail-text.ts";
import { type ToolContext, tool } from "../tool.ts";
import { callText } from "./bulk.ts";
import { cursor, exact } from "./fields.ts";

interface ProfileItem {
  id: string;
  domain: string;
  name: string;
}

interface Profile extends ProfileItem {
  summary: string;
  variables: Record<string, string>;
  notes: { at: string; text: string }[];
}

type Variables = Record<string, string | null>;

const PAGE_SIZE = 100;

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
      const page = (await call("listContextProfiles", { query: { limit: PAGE_SIZE, cursor } })) as {
        data: ProfileItem[];
        next_cursor?: string;
      };
      const variables = (await call("listContextVariables")) as { data: { key: string; value: string }[] };
      const profiles = page.data.map((item) => ({ ...item, name: mail.line(item.name) }));
      return {
        profiles,
        variables: withValues(keyed(variables.data), (text) => mail.exactLines(text)),
        next_cursor: page.next_cursor,
      };
    }
    const id = isId("contextProfile", about) ? about : await profileOf(about, context);
    if (id === null) return { profiles: [] as ProfileItem[], note: `There is no profile for ${about}.` };
    const profile = (await call("getContextProfile", { params: { id } })) as Profile;
    const shown = {
      ...profile,
      name: mail.line(profile.name),
      summary: mail.exactLines(profile.summary),
      variables: withValues(profile.variables, (text) => mail.exactLines(text)),
      notes: profile.notes.map(({ at, text }) => ({ at, text: mail.exactLines(text) })),
    };
    return { profiles: [shown] as ProfileItem[] };
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
  run: async ({ profile_id, ...given }, { call, before, scopes, mail }) => {
    const body = {
      ...(given.set && { set: withValues(given.set, unmarked) }),
      ...(given.append_note !== undefined && { append_note: unmarked(given.append_note) }),
    };
    const variables = scopes.includes("context:read") ? before.profileVariables(profile_id) : null;
    await call("updateContextProfile", { params: { id: profile_id }, body });
    if (!variables) return { id: profile_id, undo: "The earlier values are unknown without the scope context:read." };
    const earlier = Object.fromEntries(Object.keys(body.set ?? {}).map((key) => [key, variables[key] ?? null]));
    const set = withValues(earlier, (text) => mail.argument(text));
    const undo = [
      ...(body.set === undefined ? [] : [callText("update_context", { profile_id, set })]),
      ...(body.append_note === undefined ? [] : ["the note can be removed on the settings page"]),
    ];
    return { id: profile_id, undo: undo.join("; ") || "Nothing was changed." };
  },
});

/** Returns the id of the profile that covers an address or domain: that of the longest matching domain. */
async function profileOf(about: string, { call }: ToolContext): Promise<string | null> {
  const domain = about.slice(about.lastIndexOf("@") + 1).toLowerCase();
  let best: ProfileItem | null = null;
  let cursor: string | undefined;
  do {
    const page = (await call("listContextProfiles", { query: { limit: PAGE_SIZE, cursor } })) as {
      data: ProfileItem[];
      next_cursor?: string;
    };
    for (const profile of page.data) {
      const covers = domain === profile.domain || domain.endsWith(`.${profile.domain}`);
      if (covers && profile.domain.length > (best?.domain.length ?? 0)) best = profile;
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return best?.id ?? null;
}

function withValues(variables: Variables, change: (text: string) => string): Variables {
  const changed = Object.entries(variables).map(([key, value]) => [key, value === null ? null : change(value)]);
  return Object.fromEntries(changed);
}

function keyed(variables: readonly { key: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(variables.map(({ key, value }) => [key, value]));
}
