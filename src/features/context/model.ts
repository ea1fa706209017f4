import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { ContextFile } from "./files.ts";
import type { Profile, Variable } from "./store.ts";
import { VARIABLE_TYPES } from "./variables.ts";

const LONGEST_NAME_CHARS = 200;
const LONGEST_SUMMARY_CHARS = 20_000;
const LONGEST_NOTE_CHARS = 10_000;

const item = {
  id: Type.String({ description: "`ctx_…`" }),
  domain: Type.String({ description: "The profile covers mail from and to this domain and its subdomains." }),
  name: Type.String(),
  updated_at: Timestamp(),
};
export const ProfileItem = Type.Object(item, { $id: "ContextProfileItem" });
export type ProfileItem = Static<typeof ProfileItem>;

export const ProfileDetail = Type.Object(
  {
    ...item,
    summary: Type.String(),
    variables: Type.Record(Type.String(), Type.String(), {
      description: "The profile's own variables. They override global variables with the same key.",
    }),
    notes: Type.Array(Type.Object({ at: Timestamp(), text: Type.String() }), { description: "Oldest first." }),
  },
  { $id: "ContextProfile" },
);
export type ProfileDetail = Static<typeof ProfileDetail>;

const editable = {
  name: Type.Optional(Type.String({ maxLength: LONGEST_NAME_CHARS })),
  summary: Type.Optional(Type.String({ maxLength: LONGEST_SUMMARY_CHARS })),
  set: Type.Optional(
    Type.Record(Type.String(), Nullable(Type.String()), {
      description: "Values by dotted key. Null removes the key.",
    }),
  ),
  append_note: Type.Optional(Type.String({ maxLength: LONGEST_NOTE_CHARS })),
};
export const ProfileCreate = Type.Object(
  { domain: Type.String({ description: "Domain of the client, such as client.example." }), ...editable },
  { $id: "ContextProfileCreate" },
);
export const ProfilePatch = Type.Object(
  { domain: Type.Optional(Type.String()), ...editable },
  { $id: "ContextProfilePatch" },
);
export const ProfilePatched = Type.Object(
  { id: Type.String(), updated_keys: Type.Array(Type.String()) },
  { $id: "ContextProfilePatched" },
);

export const VariableItem = Type.Object(
  {
    key: Type.String(),
    value: Type.String({ description: "Always a string; `type` defines how to interpret it." }),
    type: OneOf(VARIABLE_TYPES),
    updated_at: Timestamp(),
  },
  { $id: "ContextVariable" },
);
export type VariableItem = Static<typeof VariableItem>;

export const VariablePut = Type.Object(
  {
    value: Type.String(),
    type: Type.Optional(
      OneOf(VARIABLE_TYPES, { description: "If absent, the type stays the same; new variables get `string`." }),
    ),
  },
  { $id: "ContextVariablePut" },
);

export const FileItem = Type.Object(
  {
    id: Type.String({ description: "`ctf_…`" }),
    name: Type.String(),
    mime: Type.String(),
    bytes: Type.Integer(),
    profile_id: Nullable(Type.String({ description: "Null if the file applies to all mail." })),
    has_text: Type.Boolean({
      description: "True if text could be extracted. Supported: plain text, Markdown, HTML, PDF and DOCX.",
    }),
    created_at: Timestamp(),
  },
  { $id: "ContextFile" },
);
export type FileItem = Static<typeof FileItem>;

/** `{ id, deleted: true }` under its own schema name. */
export const Deleted = (name: string) => Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: name });

/** Returns a profile as lists show it. */
export function viewItem({ id, domain, name, updated_at }: Profile): ProfileItem {
  return { id, domain, name, updated_at: isoTime(updated_at) };
}

/** Returns a profile as the API shows it. */
export function viewProfile(profile: Profile): ProfileDetail {
  const { summary, variables, notes } = profile;
  return {
    ...viewItem(profile),
    summary,
    variables,
    notes: notes.map(({ at, text }) => ({ at: isoTime(at), text })),
  };
}

/** Returns a variable as the API shows it. */
export function viewVariable({ updated_at, ...variable }: Variable): VariableItem {
  return { ...variable, updated_at: isoTime(updated_at) };
}

/** Returns a file as the API shows it. */
export function viewFile({ created_at, ...file }: ContextFile): FileItem {
  return { ...file, created_at: isoTime(created_at) };
}
