import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/**
 * Describes how many inotify instances the user with most of them has. Beyond the limit of a user, Dovecot polls its
 * folders and announces new mail late. Only root can count the instances of other users.
 */
export function inotifyInstances(): string {
  const counts = new Map<number, number>();
  for (const pid of entries("/proc").filter((name) => /^\d+$/.test(name))) {
    for (const fd of entries(`/proc/${pid}/fd`)) {
      if (targetOf(`/proc/${pid}/fd/${fd}`) !== "anon_inode:inotify") continue;
      const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? -1;
      counts.set(uid, (counts.get(uid) ?? 0) + 1);
    }
  }
  const most = Math.max(0, ...counts.values());
  const limit = limitHere();
  const warning = limit !== null && most >= limit ? "; announcements are late, because the limit is reached" : "";
  return `inotify instances of the user with most: ${most} of ${limit ?? "an unknown limit"}${warning}`;
}

function limitHere(): number | null {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_user_instances", "utf8"));
  } catch {
    return null;
  }
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // ended, or of another user
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
