import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

interface ButtonProps {
  children: ComponentChildren;
  kind?: ButtonKind;
  type?: "button" | "submit";
  icon?: IconName;
  /** Under way: it cannot be pressed again, and says so. */
  busy?: boolean;
  disabled?: boolean;
  onClick?: () => void;
  /** For a button whose words alone do not say of what: "Revoke laptop". */
  label?: string;
  small?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, kind = "plain", type = "button", icon, busy = false, disabled, onClick, label, small } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${small ? " small" : ""}`}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-label={label}
      onClick={busy ? undefined : onClick}
    >
      {icon && <Icon name={icon} size={small ? 15 : 17} />}
      <span>{children}</span>
    </button>
  );
}

interface LinkProps {
  href: string;
  children: ComponentChildren;
  kind?: ButtonKind;
  icon?: IconName;
  small?: boolean;
  /** Leads out of this page: opens beside it. */
  outside?: boolean;
  /** Beside following the link. */
  onClick?: () => void;
}

/** A link that looks like a button, for what leads somewhere. */
export function ButtonLink({ href, children, kind = "plain", icon, small, outside, onClick }: LinkProps) {
  const away = outside ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <a class={`button ${kind}${small ? " small" : ""}`} href={href} onClick={onClick} {...away}>
      {icon && <Icon name={icon} size={small ? 15 : 17} />}
      <span>{children}</span>
    </a>
  );
}
