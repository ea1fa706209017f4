import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { Fault, messageOf } from "../api/client.ts";
import type { Loaded } from "../state/load.ts";
import { Button } from "./button.tsx";
import { Heading } from "./heading.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface PageProps {
  title: string;
  /** One sentence about the purpose of the page. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  back?: { href: string; label: string };
  children: ComponentChildren;
}

/** A page. After navigation the heading takes the focus, so that screen readers start there. */
export function Page({ title, lead, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Postroom`;
  }, [title]);
  return (
    <article class="page">
      <header class="page-head">
        {back && (
          <a class="back" href={back.href}>
            <Icon name="back" size={16} />
            {back.label}
          </a>
        )}
        <div class="page-title">
          <Heading>{title}</Heading>
          {actions && <div class="actions">{actions}</div>}
        </div>
        {lead && <p class="lead">{lead}</p>}
      </header>
      {children}
    </article>
  );
}

interface CardProps {
  title?: ComponentChildren;
  text?: ComponentChildren;
  actions?: ComponentChildren;
  tone?: "danger";
  children?: ComponentChildren;
}

export function Card({ title, text, actions, tone, children }: CardProps) {
  const id = useId();
  return (
    <section class={tone ? `card ${tone}` : "card"} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header class="card-head">
          <div>
            {title && <h2 id={id}>{title}</h2>}
            {text && <p class="hint">{text}</p>}
          </div>
          {actions && <div class="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

export type Tone = "good" | "warn" | "bad" | "quiet" | "info";

export function Badge({ tone = "quiet", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const NOTICE_ICON: Record<Tone, IconName> = {
  good: "check",
  warn: "warning",
  bad: "warning",
  quiet: "info",
  info: "info",
};

interface NoticeProps {
  tone?: Tone;
  title?: ComponentChildren;
  children?: ComponentChildren;
  /** Appears while the page is open and is announced immediately. */
  live?: boolean;
}

export function Notice({ tone = "info", title, children, live }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={live ? (tone === "bad" ? "alert" : "status") : undefined}>
      <Icon name={NOTICE_ICON[tone]} />
      <div>
        {title && <p class="notice-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/** Shows an error, with the request id to search the server log for. Renders nothing without an error. */
export function FaultNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null;
  const requestId = error instanceof Fault && error.status >= 500 ? error.requestId : null;
  return (
    <Notice tone="bad" live>
      <p>{messageOf(error)}</p>
      {requestId && (
        <p class="hint">
          For details, search the server log for <code>{requestId}</code>.
        </p>
      )}
      {retry && (
        <Button small icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

/** An empty state: what will appear here and how to get it. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
    </div>
  );
}

/** A placeholder of about the height of the content that is loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}

interface AwaitProps<T> {
  of: Loaded<T>;
  lines?: number;
  children: (data: T) => ComponentChildren;
}

/** Shows loaded data, a placeholder while it loads, or the error. */
export function Await<T>({ of, lines, children }: AwaitProps<T>) {
  if (of.data === null) {
    if (of.error) return <FaultNotice error={of.error} retry={of.reload} />;
    return (
      <div aria-busy="true">
        <span class="visually-hidden">Loading</span>
        <Skeleton lines={lines} />
      </div>
    );
  }
  return (
    <>
      {!!of.error && <FaultNotice error={of.error} retry={of.reload} />}
      {children(of.data)}
    </>
  );
}

/** A list of names and values. */
export function Facts({ rows }: { rows: readonly [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The button under a list that has more pages. */
export function More({ more, busy, onMore }: { more: boolean; busy: boolean; onMore: () => void }) {
  if (!more) return null;
  return (
    <p class="more">
      <Button busy={busy} onClick={onMore}>
        Show more
      </Button>
    </p>
  );
}
