import { useEffect } from "preact/hooks";
import { Icon, type IconName } from "./parts/icon.tsx";
import { refreshWaitingApprovals, waitingApprovals } from "./state/approvals.ts";
import { currentRoute } from "./state/route.ts";
import { isOwner } from "./state/session.ts";

interface Entry {
  path: string;
  title: string;
  icon: IconName;
  owner?: true;
}

const GROUPS: { title: string; entries: Entry[] }[] = [
  {
    title: "Mail",
    entries: [
      { path: "", title: "Today", icon: "today" },
      { path: "read", title: "Read", icon: "read" },
      { path: "ask", title: "Ask", icon: "ask" },
      { path: "search", title: "Search", icon: "search" },
      { path: "mailboxes", title: "Mailboxes", icon: "mailbox" },
    ],
  },
  {
    title: "Automation",
    entries: [
      { path: "rules", title: "Rules", icon: "rules" },
      { path: "agent", title: "Agent", icon: "agent" },
      { path: "ai", title: "Brief and AI", icon: "brief" },
      { path: "assistants", title: "Assistants", icon: "plug" },
      { path: "approvals", title: "Approvals", icon: "approval" },
      { path: "keys", title: "API keys", icon: "key" },
      { path: "webhooks", title: "Webhooks", icon: "webhook" },
    ],
  },
  {
    title: "Machine",
    entries: [
      { path: "notifications", title: "Notifications", icon: "bell" },
      { path: "security", title: "Security", icon: "security" },
      { path: "usage", title: "Usage", icon: "usage" },
      { path: "audit", title: "Audit log", icon: "audit" },
      { path: "people", title: "Members", icon: "people", owner: true },
      { path: "backup", title: "Backup", icon: "backup", owner: true },
      { path: "system", title: "System", icon: "system", owner: true },
    ],
  },
];

const POLL_MS = 15_000;

export function Navigation() {
  useEffect(() => {
    void refreshWaitingApprovals();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refreshWaitingApprovals();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
  const here = currentRoute.value.path[0] ?? "";
  return (
    <nav aria-label="Pages">
      {GROUPS.map(({ title, entries }) => (
        <div key={title} class="nav-group">
          <p class="nav-title">{title}</p>
          <ul>
            {entries.filter(visible).map((entry) => (
              <li key={entry.path}>
                <a href={`#/${entry.path}`} aria-current={here === entry.path ? "page" : undefined}>
                  <Icon name={entry.icon} />
                  {entry.title}
                  {entry.path === "approvals" && <WaitingCount />}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const visible = ({ owner }: Entry): boolean => !owner || isOwner();

/** Shows how many sends of assistants wait for the person; nothing if none do. */
export function WaitingCount() {
  const count = waitingApprovals.value;
  if (count === 0) return null;
  return (
    <span class="nav-count">
      {count}
      <span class="visually-hidden"> waiting</span>
    </span>
  );
}
