import type { Caller } from "../../http/guard/caller.ts";
import { ApiError, invalidParam } from "../../kernel/errors.ts";
import { isEmailAddress } from "../../kernel/names.ts";
import type { PersonalTargets } from "../../platform/egress/targets.ts";
import type { Platform } from "../../platform/platform.ts";
import { changedAddress, newAddress } from "./address.ts";
import type { Attempts } from "./attempt.ts";
import type { Deliverer } from "./deliverer.ts";
import type { HealthWatch } from "./health.ts";
import type { ItemStore } from "./items-store.ts";
import { KINDS } from "./kinds.ts";
import type { NewNotificationTarget, NotificationSettingsPatch, NotificationTargetPatch } from "./model.ts";
import type { Reader } from "./reader.ts";
import type { PersonSettings, SettingsStore } from "./settings-store.ts";
import type { KindModes, Target, TargetSettings, TargetStore } from "./targets-store.ts";
import { testMessage } from "./text.ts";

export interface ServiceParts {
  platform: Platform;
  targets: TargetStore;
  items: ItemStore;
  settings: SettingsStore;
  attempts: Attempts;
  reachable: PersonalTargets;
  reader: Reader;
  deliverer: Deliverer;
  health: HealthWatch;
  base: () => string | null;
}

export const MAX_TARGETS = 10;

type By = Pick<Caller, "user_id" | "actor" | "request_id">;

const ALL_KINDS: KindModes = { mail: "on", approval: "always", send: "on", brief: "off", health: "always" };
/** A new target says only that something arrived. */
const DEFAULTS = {
  kinds: ALL_KINDS,
  detail: "minimal",
  digest: "off",
  digest_hours: 4,
  digest_at: "18:00",
} as const satisfies Omit<TargetSettings, "address">;

/** A target, and how many notifications wait for it. */
export interface TargetState {
  target: Target;
  waiting: number;
}

/** Manages where and when a person is notified. Every change is audited. */
export class NotificationService {
  constructor(private readonly parts: ServiceParts) {}

  list({ user_id }: Pick<Caller, "user_id">): TargetState[] {
    return this.parts.targets.list(user_id).map((target) => this.#state(target));
  }

  settings({ user }: Pick<Caller, "user">): PersonSettings & { timezone: string } {
    return { ...this.parts.settings.get(user.id), timezone: user.timezone };
  }

  /** Returns the address that links lead to; null: there are none. */
  linkBase(): string | null {
    return this.parts.base();
  }

  /** Changes the given settings. @throws ApiError invalid_params */
  changeSettings(caller: By & Pick<Caller, "user">, patch: NotificationSettingsPatch): void {
    const { platform, settings, deliverer } = this.parts;
    const { user_id } = caller;
    platform.db.write(() => {
      const before = settings.get(user_id);
      const after = { ...before, ...patch };
      if (patch.senders) after.senders = checkedSenders(patch.senders);
      if (after.quiet_start === after.quiet_end) {
        throw invalidParam("quiet_end", "Quiet hours must end at another time than they start.");
      }
      if (JSON.stringify(before) === JSON.stringify(after)) return;
      settings.save(user_id, after);
      this.#audit(caller, "notification.settings", null, before, after);
      deliverer.planAll(user_id);
    });
  }

  /** Adds a target. @throws ApiError invalid_params, quota_exceeded */
  create(caller: By, input: NewNotificationTarget): TargetState {
    const { platform, targets, reachable } = this.parts;
    const { user_id } = caller;
    const address = newAddress(input);
    reachable.check(user_id, address.url);
    return platform.db.write(() => {
      if (targets.count(user_id) >= MAX_TARGETS) {
        throw new ApiError("quota_exceeded", `You can have at most ${MAX_TARGETS} targets. Delete one first.`);
      }
      const target = targets.insert(user_id, { ...DEFAULTS, ...wishesIn(input), address });
      this.#audit(caller, "notification.create", target.id, null, summary(target));
      this.#changed();
      return this.#state(target);
    });
  }

  /**
   * Changes the given fields of a target. Turning a target off drops what waits for it. A target that was failing gets
   * what it missed, as one message. @throws ApiError not_found, invalid_params
   */
  update(caller: By, id: string, patch: NotificationTargetPatch): TargetState {
    const { platform, targets, items, reachable, reader } = this.parts;
    return platform.db.write(() => {
      const before = targets.owned(caller.user_id, id);
      const address = changedAddress(before.address, patch);
      reachable.check(caller.user_id, address.url);
      // Events so far count with the wishes so far.
      if (before.status === "active") reader.catchUp(id);
      const next: TargetSettings = { ...settingsOf(before), ...wishesIn(patch), address };
      if (JSON.stringify(settingsOf(before)) !== JSON.stringify(next)) targets.update(before, next);
      const { status } = patch;
      if (status === "off" && before.status !== "off") {
        targets.setStatus(id, "off");
        items.drop(id);
        targets.forgetSkipped(id);
      }
      if (status === "active" && before.status !== "active") {
        if (before.status === "off") targets.advance(id, platform.events.head());
        targets.setStatus(id, "active");
        if (before.status === "failing") reader.catchUp(id);
      }
      const after = targets.owned(caller.user_id, id);
      if (JSON.stringify(changes(before)) !== JSON.stringify(changes(after))) {
        this.#audit(caller, "notification.update", id, summary(before), summary(after));
      }
      this.parts.deliverer.plan(after);
      this.#changed();
      return this.#state(after);
    });
  }

  /** Deletes a target and what waits for it. @throws ApiError not_found */
  remove(caller: By, id: string): void {
    const { platform, targets } = this.parts;
    platform.db.write(() => {
      const target = targets.owned(caller.user_id, id);
      targets.remove(id);
      this.#audit(caller, "notification.delete", id, summary(target), null);
      this.#changed();
    });
  }

  /**
   * Sends a test message now, even to a target that is off or failing. It is not retried, and counts neither as success
   * nor as failure. @throws ApiError not_found
   */
  async test(by: By, id: string): Promise<() => TargetState> {
    const { targets, attempts, base } = this.parts;
    const target = targets.owned(by.user_id, id);
    const { outcome } = (await attempts.make(target, testMessage(base())))!;
    return () => {
      const current = targets.owned(by.user_id, id); // It may have been deleted during the request.
      targets.noteOutcome(current, { ...outcome, test: true });
      const { ok, response_status, error } = outcome;
      this.#audit(by, "notification.test", id, null, { name: current.address.name, ok, response_status, error });
      return this.#state(targets.owned(by.user_id, id));
    };
  }

  #state(target: Target): TargetState {
    return { target, waiting: this.parts.items.count(target.id) + target.skipped };
  }

  #audit(
    { user_id, actor, request_id }: By,
    action: string,
    target: string | null,
    before: unknown,
    after: unknown,
  ): void {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }

  #changed(): void {
    this.parts.reader.refresh();
    this.parts.health.plan();
  }
}

const settingsOf = ({ address, kinds, detail, digest, digest_hours, digest_at }: Target): TargetSettings => ({
  address,
  kinds,
  detail,
  digest,
  digest_hours,
  digest_at,
});

const changes = (target: Target) => ({ ...settingsOf(target), status: target.status });

/** Returns what the audit log keeps of a target. Topics and keys work like passwords on public servers. */
function summary({ address, kinds, detail, digest, status }: Target) {
  const { name, service, url, credentials } = address;
  return {
    name,
    service,
    server: URL.canParse(url) ? new URL(url).host : url,
    auth: credentials.auth,
    kinds,
    detail,
    digest,
    status,
  };
}

/** Returns the wishes that are given, with the kinds in their order. */
function wishesIn(patch: NotificationTargetPatch): Partial<Omit<TargetSettings, "address">> {
  const { kinds, detail, digest, digest_hours, digest_at } = patch;
  const ordered = kinds && (Object.fromEntries(KINDS.map((kind) => [kind, kinds[kind]])) as KindModes);
  const all = { kinds: ordered, detail, digest, digest_hours, digest_at };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Returns addresses and `*@domain` in lower case, without repetitions. @throws ApiError invalid_params */
function checkedSenders(senders: readonly string[]): string[] {
  const clean = senders.map((sender) => sender.trim().toLowerCase());
  for (const [i, sender] of clean.entries()) {
    // A star stands for all names of a domain, and nowhere else.
    const address = sender.startsWith("*@") ? `any${sender.slice(1)}` : sender;
    if (!isEmailAddress(address) || address.includes("*")) {
      throw invalidParam(`senders[${i}]`, `“${sender}” is neither an email address nor *@ and a domain.`);
    }
  }
  return [...new Set(clean)];
}
