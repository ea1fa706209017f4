import { invalidParam } from "../../kernel/errors.ts";
import type { NewNotificationTarget, NotificationTargetPatch } from "./model.ts";
import type { Credentials, Service, TargetAddress } from "./tables.ts";

/** Returns the address of a new target. @throws ApiError invalid_params */
export function newAddress(input: NewNotificationTarget): TargetAddress {
  const { name, service, url } = input;
  const empty: TargetAddress = { name, service, url, topic: "", urls: "", tag: "", credentials: { auth: "none" } };
  return checked({ ...empty, ...given(input), credentials: credentialsOf(input, { auth: "none" }) });
}

/**
 * Returns a changed address. Credentials that are not given again are kept, but not for another server.
 * @throws ApiError invalid_params
 */
export function changedAddress(before: TargetAddress, patch: NotificationTargetPatch): TargetAddress {
  const name = patch.name ?? before.name;
  const moved = patch.url !== undefined && originOf(patch.url) !== originOf(before.url);
  const kept: Credentials = moved ? { auth: "none" } : before.credentials;
  const auth = patch.auth ?? before.credentials.auth;
  const next = { ...before, ...given(patch), name };
  // Replaces one of the two ways to name the services of the Apprise API by the other.
  if (patch.urls) next.topic = patch.topic ?? "";
  if (patch.topic) next.urls = patch.urls ?? "";
  if (moved && before.urls !== "" && next.urls !== "" && patch.urls === undefined) {
    throw invalidParam("urls", "Enter the notification URLs again, because the server has changed.");
  }
  return checked({ ...next, credentials: credentialsOf({ ...patch, auth }, kept) });
}

function given({ url, topic, urls, tag }: NotificationTargetPatch): Partial<TargetAddress> {
  const fields = { url: url?.trim(), topic, urls: urls?.trim(), tag: tag?.trim() };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function credentialsOf(
  input: Pick<NotificationTargetPatch, "auth" | "token" | "username" | "password">,
  kept: Credentials,
): Credentials {
  switch (input.auth ?? "none") {
    case "token": {
      const token = input.token ?? (kept.auth === "token" ? kept.token : null);
      if (token === null) throw invalidParam("token", "Enter the access token of the server.");
      return { auth: "token", token };
    }
    case "password": {
      const known = kept.auth === "password" ? kept : null;
      const username = input.username ?? known?.username ?? "";
      const password = input.password ?? known?.password;
      if (username === "") throw invalidParam("username", "Enter the username for the server.");
      if (password === undefined) throw invalidParam("password", "Enter the password for the server.");
      return { auth: "password", username, password };
    }
    default:
      return { auth: "none" };
  }
}

const MAX_TOPIC_CHARS: Record<Service, number> = { ntfy: 64, apprise: 128 };

function checked(address: TargetAddress): TargetAddress {
  const { service, url, topic, urls, tag } = address;
  if (topic.length > MAX_TOPIC_CHARS[service]) {
    throw invalidParam("topic", `This can have at most ${MAX_TOPIC_CHARS[service]} characters.`);
  }
  if (/[?#]/.test(url)) throw invalidParam("url", "Enter the address of the server without a query.");
  if (service === "ntfy") {
    if (topic === "") throw invalidParam("topic", "Enter the topic that you subscribed to.");
    if (urls !== "") throw invalidParam("urls", "Only the Apprise API takes notification URLs.");
    if (tag !== "") throw invalidParam("tag", "Only the Apprise API takes a tag.");
    return address;
  }
  if (topic === "" && urls === "") {
    throw invalidParam("topic", "Enter the configuration key of the Apprise API, or notification URLs.");
  }
  if (topic !== "" && urls !== "")
    throw invalidParam("urls", "Enter a configuration key or notification URLs, not both.");
  return address;
}

function originOf(url: string): string | null {
  return URL.canParse(url.trim()) ? new URL(url.trim()).origin : null;
}
