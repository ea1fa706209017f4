import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Position } from "../../mailbox/queries/scope.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { checkDomain, domainsOf } from "./domain.ts";
import type { ContextStore, Profile, Variable } from "./store.ts";
import type { ProfileBody } from "./tables.ts";
import { checkKey, checkValue, MAX_VARIABLES, type VariableType } from "./variables.ts";

/** The caller who changes the context. */
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

/** The context that a draft or an answer can use for one conversation. */
export interface ThreadContext {
  profile: Profile | null;
  /** Global variables, overridden by the profile's. */
  variables: Record<string, string>;
}

const MAX_PROFILES = 10_000;
const MAX_NOTES = 1_000;

/** Manages profiles and global variables. Every change is audited. */
export class ContextService {
  constructor(
    private readonly platform: Platform,
    private readonly store: ContextStore,
  ) {}

  profiles(user_id: string, after: Position | null, limit: number): Profile[] {
    return this.store.profiles(user_id, after, limit);
  }

  /** Returns one profile. @throws ApiError not_found */
  profile(user_id: string, id: string): Profile {
    const profile = this.store.profile(user_id, id);
    if (!profile) throw notFound("profile");
    return profile;
  }

  /** Creates a profile. @throws ApiError invalid_params, also when the domain already has a profile */
  create(writer: ContextWriter, given: { domain: string } & Omit<ProfilePatch, "domain">): Profile {
    return this.platform.db.write(() => {
      const { count } = this.platform.db.sql
        .query<{ count: number }, [string]>("SELECT count(*) AS count FROM context_profiles WHERE user_id = ?")
        .get(writer.user_id)!;
      if (count >= MAX_PROFILES)
        throw invalidParam("domain", `There can be at most ${MAX_PROFILES} profiles. Delete a profile first.`);
      const empty: ProfileBody = { domain: "", name: "", summary: "", variables: {}, notes: [] };
      const { body } = this.#patched(writer.user_id, null, empty, given);
      const id = this.platform.newId("contextProfile");
      const profile = this.store.saveProfile(writer.user_id, id, { ...body, name: body.name || body.domain });
      this.#audit(writer, "context.profile.create", id, null, auditedProfile(profile));
      return profile;
    });
  }

  /**
   * Changes a profile.
   * @returns the keys whose value changed
   * @throws ApiError not_found, invalid_params (`set.client.name`)
   */
  update(writer: ContextWriter, id: string, patch: ProfilePatch): { profile: Profile; updated_keys: string[] } {
    return this.platform.db.write(() => {
      const before = this.profile(writer.user_id, id);
      const { body, updated_keys } = this.#patched(writer.user_id, id, before, patch);
      const same = JSON.stringify(body) === JSON.stringify(bodyOf(before));
      if (same) return { profile: before, updated_keys };
      const profile = this.store.saveProfile(writer.user_id, id, body);
      this.#audit(writer, "context.profile.update", id, auditedProfile(before), auditedProfile(profile));
      return { profile, updated_keys };
    });
  }

  /** Deletes a profile with its files. @throws ApiError not_found */
  remove(writer: ContextWriter, id: string): void {
    this.platform.db.write(() => {
      const profile = this.profile(writer.user_id, id);
      this.store.removeProfile(id);
      this.#audit(writer, "context.profile.delete", id, auditedProfile(profile), null);
    });
  }

  variables(user_id: string): Variable[] {
    return this.store.variables(user_id);
  }

  /**
   * Creates or replaces a global variable. Without a type, an existing variable keeps its type.
   * @throws ApiError invalid_params
   */
  setVariable(writer: ContextWriter, key: string, value: string, type?: VariableType): Variable {
    checkKey(key, "key");
    return this.platform.db.write(() => {
      const all = this.store.variables(writer.user_id);
      const before = all.find((variable) => variable.key === key) ?? null;
      if (!before && all.length >= MAX_VARIABLES) {
        throw invalidParam("key", `There can be at most ${MAX_VARIABLES} variables. Delete a variable first.`);
      }
      const kept = type ?? before?.type ?? "string";
      const checked = checkValue(value, kept, "value");
      if (before && before.value === checked && before.type === kept) return before;
      const variable = this.store.saveVariable(writer.user_id, { key, value: checked, type: kept });
      this.#audit(writer, "context.variable.set", null, auditedVariable(before), auditedVariable(variable));
      return variable;
    });
  }

  /** Deletes a global variable. @throws ApiError not_found */
  removeVariable(writer: ContextWriter, key: string): void {
    this.platform.db.write(() => {
      const before = this.store.variables(writer.user_id).find((variable) => variable.key === key);
      if (!before) throw notFound("variable");
      this.store.removeVariable(writer.user_id, key);
      this.#audit(writer, "context.variable.delete", null, auditedVariable(before), null);
    });
  }

  /**
   * Returns the context of a conversation: the profile of the closest domain among its participants, and all variables.
   */
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
    const duplicate = domain === before.domain ? null : this.store.profileOf(user_id, domain);
    if (duplicate && duplicate.id !== id)
      throw invalidParam("domain", "There is already a profile for this domain. Update that profile.");
    const { variables, updated_keys } = this.#set(user_id, before.variables, patch.set ?? {});
    const note = patch.append_note?.trim();
    const notes = note ? [...before.notes, { at: this.platform.clock.now(), text: note }] : before.notes;
    if (notes.length > MAX_NOTES) throw invalidParam("append_note", `A profile can have at most ${MAX_NOTES} notes.`);
    const name = patch.name?.trim() ?? before.name;
    return {
      body: { domain, name, summary: patch.summary?.trim() ?? before.summary, variables, notes },
      updated_keys,
    };
  }

  /** Applies changes to a profile's variables. One that overrides a global variable must have its type. */
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
    if (variables.size > MAX_VARIABLES)
      throw invalidParam("set", `A profile can have at most ${MAX_VARIABLES} variables. Remove a variable first.`);
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

/** The audited fields of a profile. Notes grow without limit, so only their number is recorded. */
function auditedProfile(profile: ProfileBody) {
  const { notes, ...rest } = bodyOf(profile);
  return { ...rest, notes: notes.length };
}

/**
 * The audited fields of a variable. They include the key, because these fields are encrypted and the row's target is
 * not.
 */
function auditedVariable(variable: Variable | null) {
  return variable && { key: variable.key, value: variable.value, type: variable.type };
}
