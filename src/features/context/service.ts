import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Position } from "../../mailbox/queries.ts";
import type { Actor } from "../../platform/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { checkDomain, domainsOf } from "./domain.ts";
import type { ContextStore, Profile, ProfileBody, Variable } from "./store.ts";
import { checkKey, checkValue, MOST_VARIABLES, type VariableType } from "./variables.ts";

/** Who changes the context. */
export interface ContextWriter {
  user_id: string;
  actor: Actor;
  request_id: string | null;
}

export interface ProfilePatch {
  domain?: string;
  name?: string;
  summary?: string;
  /** A value of null removes the variable. */
  set?: Record<string, string | null>;
  append_note?: string;
}

/** What a draft or an answer may draw on for one conversation. */
export interface ThreadContext {
  profile: Profile | null;
  /** Global variables, overridden by the profile's. */
  variables: Record<string, string>;
}

const MOST_PROFILES = 10_000;
const MOST_NOTES = 1_000;

export class ContextService {
  constructor(
    private readonly platform: Platform,
    private readonly store: ContextStore,
  ) {}

  profiles(user_id: string, after: Position | null, limit: number): Profile[] {
    return this.store.profiles(user_id, after, limit);
  }

  /** @throws ApiError not_found */
  profile(user_id: string, id: string): Profile {
    const profile = this.store.profile(user_id, id);
    if (!profile) throw notFound("profile");
    return profile;
  }

  /** @throws ApiError invalid_params, also when the domain has a profile already */
  create(writer: ContextWriter, given: { domain: string } & Omit<ProfilePatch, "domain">): Profile {
    return this.platform.db.write(() => {
      const { count } = this.platform.db.sql
        .query<{ count: number }, [string]>("SELECT count(*) AS count FROM context_profiles WHERE user_id = ?")
        .get(writer.user_id)!;
      if (count >= MOST_PROFILES)
        throw invalidParam("domain", `There can be at most ${MOST_PROFILES} profiles. Delete a profile first.`);
      const empty: ProfileBody = { domain: "", name: "", summary: "", variables: {}, notes: [] };
      const { body } = this.#patched(writer.user_id, null, empty, given);
      const id = this.platform.newId("contextProfile");
      const profile = this.store.saveProfile(writer.user_id, id, { ...body, name: body.name || body.domain });
      this.#audit(writer, "context.profile.create", id, null, told(profile));
      return profile;
    });
  }

  /** @returns the keys whose value changed. @throws ApiError not_found, invalid_params (`set.client.name`) */
  update(writer: ContextWriter, id: string, patch: ProfilePatch): { profile: Profile; updated_keys: string[] } {
    return this.platform.db.write(() => {
      const before = this.profile(writer.user_id, id);
      const { body, updated_keys } = this.#patched(writer.user_id, id, before, patch);
      const same = JSON.stringify(body) === JSON.stringify(bodyOf(before));
      if (same) return { profile: before, updated_keys };
      const profile = this.store.saveProfile(writer.user_id, id, body);
      this.#audit(writer, "context.profile.update", id, told(before), told(profile));
      return { profile, updated_keys };
    });
  }

  /** Its files go with it. @throws ApiError not_found */
  remove(writer: ContextWriter, id: string): void {
    this.platform.db.write(() => {
      const profile = this.profile(writer.user_id, id);
      this.store.removeProfile(id);
      this.#audit(writer, "context.profile.delete", id, told(profile), null);
    });
  }

  variables(user_id: string): Variable[] {
    return this.store.variables(user_id);
  }

  /** Creates or replaces a global variable; without a type it keeps the one it has. @throws ApiError invalid_params */
  setVariable(writer: ContextWriter, key: string, value: string, type?: VariableType): Variable {
    checkKey(key, "key");
    return this.platform.db.write(() => {
      const all = this.store.variables(writer.user_id);
      const before = all.find((variable) => variable.key === key) ?? null;
      if (!before && all.length >= MOST_VARIABLES) {
        throw invalidParam("key", `There can be at most ${MOST_VARIABLES} variables. Delete a variable first.`);
      }
      const kept = type ?? before?.type ?? "string";
      const checked = checkValue(value, kept, "value");
      if (before && before.value === checked && before.type === kept) return before;
      const variable = this.store.saveVariable(writer.user_id, { key, value: checked, type: kept });
      this.#audit(writer, "context.variable.set", null, toldVariable(before), toldVariable(variable));
      return variable;
    });
  }

  /** @throws ApiError not_found */
  removeVariable(writer: ContextWriter, key: string): void {
    this.platform.db.write(() => {
      const before = this.store.variables(writer.user_id).find((variable) => variable.key === key);
      if (!before) throw notFound("variable");
      this.store.removeVariable(writer.user_id, key);
      this.#audit(writer, "context.variable.delete", null, toldVariable(before), null);
    });
  }

  /** The context of a conversation: the profile of the closest domain among its participants, and all variables. */
  forAddresses(user_id: string, emails: readonly string[]): ThreadContext {
    let profile: Profile | null = null;
    for (const domain of domainsOf(emails)) {
      profile = this.store.profileOf(user_id, domain);
      if (profile) break;
    }
    const globals = Object.fromEntries(this.store.variables(user_id).map(({ key, value }) => [key, value]));
    return { profile, variables: { ...globals, ...profile?.variables } };
  }

  #patched(
    user_id: string,
    id: string | null,
    before: ProfileBody,
    patch: ProfilePatch,
  ): { body: ProfileBody; updated_keys: string[] } {
    const domain = patch.domain === undefined ? before.domain : checkDomain(patch.domain);
    const twin = domain === before.domain ? null : this.store.profileOf(user_id, domain);
    if (twin && twin.id !== id)
      throw invalidParam("domain", "There is already a profile for this domain. Update that profile.");
    const { variables, updated_keys } = this.#set(user_id, before.variables, patch.set ?? {});
    const note = patch.append_note?.trim();
    const notes = note ? [...before.notes, { at: this.platform.clock.now(), text: note }] : before.notes;
    if (notes.length > MOST_NOTES) throw invalidParam("append_note", `A profile can have at most ${MOST_NOTES} notes.`);
    const name = patch.name?.trim() ?? before.name;
    return {
      body: { domain, name, summary: patch.summary?.trim() ?? before.summary, variables, notes },
      updated_keys,
    };
  }

  /** A variable that overrides a global one must be of its type. */
  #set(user_id: string, before: Record<string, string>, set: Record<string, string | null>) {
    const types = new Map(this.store.variables(user_id).map(({ key, type }) => [key, type]));
    const variables = new Map(Object.entries(before));
    const updated_keys: string[] = [];
    for (const [key, value] of Object.entries(set)) {
      const param = `set.${key}`;
      checkKey(key, param);
      const checked = value === null ? undefined : checkValue(value, types.get(key) ?? "string", param);
      if (variables.get(key) === checked) continue;
      updated_keys.push(key);
      if (checked === undefined) variables.delete(key);
      else variables.set(key, checked);
    }
    if (variables.size > MOST_VARIABLES)
      throw invalidParam("set", `A profile can have at most ${MOST_VARIABLES} variables. Remove a variable first.`);
    return { variables: Object.fromEntries([...variables].sort(([a], [b]) => (a < b ? -1 : 1))), updated_keys };
  }

  #audit(
    { user_id, actor, request_id }: ContextWriter,
    action: string,
    target: string | null,
    before: unknown,
    after: unknown,
  ) {
    this.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}

function bodyOf({ domain, name, summary, variables, notes }: ProfileBody): ProfileBody {
  return { domain, name, summary, variables, notes };
}

/** Notes grow for ever; the audit tells how many there are. */
function told(profile: ProfileBody) {
  const { notes, ...rest } = bodyOf(profile);
  return { ...rest, notes: notes.length };
}

/** The key, too: it is sealed here, and a row's target is not. */
function toldVariable(variable: Variable | null) {
  return variable && { key: variable.key, value: variable.value, type: variable.type };
}
