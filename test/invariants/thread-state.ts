/**
 * The rule for a thread's state, written a second time: the inbox wins; otherwise the newest message among received
 * mail decides; otherwise it is only what its owner wrote. null when no message has a location.
 * @param folderRoles roles of the folders of each message, oldest message first
 */
export function stateOf(folderRoles: readonly ReadonlySet<string>[]): string | null {
  if (folderRoles.some((roles) => roles.has("inbox"))) return "inbox";
  const received = folderRoles.map(stateByLocation).findLast((state) => state !== null);
  return received ?? (folderRoles.some(({ size }) => size > 0) ? "sent" : null);
}

/** Returns what one message outside the inbox implies for its thread; null when it implies nothing. */
function stateByLocation(roles: ReadonlySet<string>): string | null {
  if (roles.has("snoozed")) return "snoozed";
  // Gmail has everything in All Mail, including what its owner wrote.
  const own = roles.has("sent") || roles.has("drafts");
  if (roles.has("archive") || roles.has("other") || (roles.has("all") && !own)) return "archived";
  return ["spam", "trash"].find((role) => roles.has(role)) ?? null;
}
