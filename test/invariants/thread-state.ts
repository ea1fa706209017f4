/**
 * The rule of a thread's state, written down once more: the inbox wins; else the newest message that lies among received mail
 * decides; else it is only what its owner wrote. null when nothing of it has a place.
 * @param places roles of the folders of each message, oldest message first
 */
export function stateOf(places: readonly ReadonlySet<string>[]): string | null {
  if (places.some((roles) => roles.has("inbox"))) return "inbox";
  const received = places.map(stateByPlace).findLast((state) => state !== null);
  return received ?? (places.some(({ size }) => size > 0) ? "sent" : null);
}

/** What one message outside the inbox says of its thread; null when it says nothing. */
function stateByPlace(roles: ReadonlySet<string>): string | null {
  if (roles.has("snoozed")) return "snoozed";
  // Gmail has everything in All Mail, also what its owner wrote.
  const own = roles.has("sent") || roles.has("drafts");
  if (roles.has("archive") || roles.has("other") || (roles.has("all") && !own)) return "archived";
  return ["spam", "trash"].find((role) => roles.has(role)) ?? null;
}
