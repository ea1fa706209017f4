import { TextField } from "../../parts/field.tsx";

/** The server asks for this many, and for nothing else: length is what counts. */
export const SHORTEST_PASSWORD = 10;

export function passwordFault(password: string): string | null {
  if (password === "") return "Choose a password.";
  return password.length < SHORTEST_PASSWORD ? `At least ${SHORTEST_PASSWORD} characters; a few words do well.` : null;
}

interface NewPasswordProps {
  value: string;
  onInput(value: string): void;
  fault?: string;
  label?: string;
}

export function NewPassword({ value, onInput, fault, label = "Password" }: NewPasswordProps) {
  return (
    <TextField
      label={label}
      type="password"
      autocomplete="new-password"
      hint={`At least ${SHORTEST_PASSWORD} characters. A few words are good and easy to type.`}
      required
      value={value}
      fault={fault}
      onInput={onInput}
    />
  );
}
