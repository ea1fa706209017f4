import { Icon, type IconName } from "./parts/icon.tsx";
import { place } from "./state/route.ts";
import { isOwner } from "./state/session.ts";

interface Entry {
  path: string;
  title: string;
  icon: IconName;
}

const GROUPS: { title: string; owner?: true; entries: Entry[] }[] = [
  {
    title: "Mail",
    entries: [
      { path: "", title: "Overview", icon: "overview" },
      { path: "mailboxes", title: "Mailboxes", icon: "mailbox" },
      { path: "search", title: "Search", icon: "search" },
      { path: "rules", title: "Rules", icon: "rules" },
    ],
  },
  {
    title: "Assistant",
    entries: [
      { path: "agent", title: "Agent", icon: "agent" },
      { path: "ai", title: "Brief and AI", icon: "brief" },
    ],
  },
  {
    title: "API",
    entries: [
      { path: "keys", title: "API keys", icon: "key" },
      { path: "webhooks", title: "Webhooks", icon: "webhook" },
      { path: "usage", title: "Usage", icon: "usage" },
      { path: "audit", title: "Audit log", icon: "audit" },
    ],
  },
  { title: "Account", entries: [{ path: "security", title: "Security", icon: "security" }] },
  {
    title: "Administration",
    owner: true,
    entries: [
      { path: "people", title: "Members", icon: "people" },
      { path: "backup", title: "Backup", icon: "backup" },
      { path: "system", title: "System", icon: "system" },
    ],
  },
];

export function Navigation() {
  const here = place.value.path[0] ?? "";
  return (
    <nav aria-label="Pages">
      {GROUPS.filter(({ owner }) => !owner || isOwner()).map(({ title, entries }) => (
        <div key={title} class="nav-group">
          <p class="nav-title">{title}</p>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <a href={`#/${entry.path}`} aria-current={here === entry.path ? "page" : undefined}>
                  <Icon name={entry.icon} />
                  {entry.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
