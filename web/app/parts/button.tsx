import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

interface ButtonProps {
  children: ComponentChildren;
  kind?: ButtonKind;
  type?: "button" | "submit";
  icon?: IconName;
  /** The action is running: the button cannot be pressed and is announced as busy. */
  busy?: boolean;
  disabled?: boolean;
  onClick?: () => void;
  /** The accessible name if the text alone is ambiguous: "Revoke laptop". */
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
  /** Opens in a new tab. */
  outside?: boolean;
  /** Runs in addition to following the link. */
  onClick?: () => void;
  /** The accessible name if the text alone is ambiguous. */
  label?: string;
}

/** A link that looks like a button. */
export function ButtonLink({ href, children, kind = "plain", icon, small, outside, onClick, label }: LinkProps) {
  const away = outside ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <a class={`button ${kind}${small ? " small" : ""}`} href={href} aria-label={label} onClick={onClick} {...away}>
      {icon && <Icon name={icon} size={small ? 15 : 17} />}
      <span>{children}</span>
    </a>
  );
}
