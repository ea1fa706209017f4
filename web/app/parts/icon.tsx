/** Outlines on a 24-unit grid, drawn for this page. Decorative: the text beside an icon carries the meaning. */
const PATHS = {
  today: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M9 15l2 2 4-4",
  read: "M12 6c-3-2-6-2-9-1v14c3-1 6-1 9 1 3-2 6-2 9-1V5c-3-1-6-1-9 1zM12 6v14",
  mailbox: "M3 6h18v12H3zM3 7l9 7 9-7",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
  archive: "M4 4h16v5H4zM6 9v11h12V9M10 13h4",
  snooze: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  label: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  spam: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16h.01",
  unread: "M3 6h18v12H3zM3 7l9 7 9-7M19 3h.01",
  clip: "M20 11l-8 8a5 5 0 0 1-7-7l8-8a3 3 0 0 1 5 5l-8 8a1 1 0 0 1-2-2l7-7",
  image: "M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 5M16 9h.01",
  send: "M21 3L10 14M21 3l-7 18-4-7-7-4z",
  draft: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  ask: "M4 4h16v12H9l-5 4zM9.5 8.5a2.5 2.5 0 1 1 3.2 2.4c-.5.2-.7.5-.7 1.1M12 14h.01",
  rules: "M4 6h10M18 6h2M4 12h3M11 12h9M4 18h8M16 18h4M16 4v4M9 10v4M14 16v4",
  agent: "M12 3v3M6 8h12v11H6zM3 12v4M21 12v4M10 12v2M14 12v2",
  brief: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7",
  plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
  approval: "M4 4h16v12H9l-5 4zM8 10l3 3 5-6",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 22h4M12 3v2",
  key: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3",
  webhook: "M12 4a4 4 0 0 0-3.5 6L5 16M9 8a3 3 0 0 1 6 0l4 7M5 20a3 3 0 1 1 3-3h9M19 20a3 3 0 0 0 0-6",
  usage: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  audit: "M8 4h12M8 12h12M8 20h12M4 4h.01M4 12h.01M4 20h.01",
  people: "M9 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17 14c2.5.5 4 2.5 4 6",
  backup:
    "M4 7c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 7v10c0 1.7 3.6 3 8 3s8-1.3 8-3V7M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  security: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4",
  system: "M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01M11 8h6M11 16h6",
  plus: "M12 5v14M5 12h14",
  check: "M5 12l5 5L20 7",
  cross: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  info: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 11v5M12 8h.01",
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  refresh: "M20 11a8 8 0 1 0-2 6M20 5v6h-6",
  pause: "M8 5v14M16 5v14",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  star: "M12 4l2.5 5 5.5.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.5-.8z",
  folder: "M3 6h7l2 2h9v11H3z",
  flask: "M10 3v6l-5 9c-.8 1.5 0 3 1.5 3h11c1.5 0 2.3-1.5 1.5-3l-5-9V3M8 3h8M8 15h8",
  out: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  undo: "M9 8L4 13l5 5M4 13h10a6 6 0 0 0 6-6V5",
  eye: "M2 12c2.5-4.5 6-7 10-7s7.5 2.5 10 7c-2.5 4.5-6 7-10 7s-7.5-2.5-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  eyeOff:
    "M4 4l16 16M10 5.2a9 9 0 0 1 2-.2c4 0 7.5 2.5 10 7a16 16 0 0 1-3 3.8M6 7.5A15 15 0 0 0 2 12c2.5 4.5 6 7 10 7a10 10 0 0 0 4.5-1.2M9.8 9.8a3 3 0 0 0 4.3 4.3",
  upload: "M12 15V4M7 9l5-5 5 5M5 20h14",
  download: "M12 4v11M7 10l5 5 5-5M5 20h14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The Postroom logo: a letter in a mail slot. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect class="mark-box" x="1" y="1" width="30" height="30" rx="8" />
      <path class="mark-line" d="M7 13h18M10 13v10h12V13M10 14l6 5 6-5" />
    </svg>
  );
}
