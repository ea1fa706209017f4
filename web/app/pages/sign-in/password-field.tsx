import { TextField } from "../../parts/field.tsx";

/** The server's only rule for passwords is their length. */
const MIN_PASSWORD_CHARS = 10;

/** Returns what is wrong with a new password; null when it is valid. */
export function passwordFault(password: string): string | null {
  if (password === "") return "Choose a password.";
  return password.length < MIN_PASSWORD_CHARS
    ? `Use at least ${MIN_PASSWORD_CHARS} characters, such as a few random words.`
    : null;
}

interface NewPasswordProps {
  value: string;
  onInput(value: string): void;
  fault?: string;
  label?: string;
  /** Repeats the password, so the rule is not shown again. */
  confirmation?: boolean;
}

export function NewPassword({ value, onInput, fault, label = "Password", confirmation }: NewPasswordProps) {
  return (
    <TextField
      label={label}
      type="password"
      autocomplete="new-password"
      hint={confirmation ? undefined : `At least ${MIN_PASSWORD_CHARS} characters, such as a few random words.`}
      required
      value={value}
      fault={fault}
      onInput={onInput}
    />
  );
}
