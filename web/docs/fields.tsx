import type { ComponentChildren } from "preact";

interface FieldProps {
  id: string;
  label: string;
  /** The part of the request that has the value, and whether it is required. */
  note: string;
  hint?: string;
  fault?: string;
  value: string;
  onInput(value: string): void;
}

function Field({ id, label, note, hint, fault, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="field">
      <label htmlFor={id}>
        {label} <small>{note}</small>
      </label>
      {children}
      {hint && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
      {fault && (
        <small id={`${id}-fault`} class="fault">
          {fault}
        </small>
      )}
    </div>
  );
}

/** Returns the attributes that connect a control with its texts. */
function described({ id, hint, fault }: FieldProps) {
  const ids = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return { id, "aria-describedby": ids || undefined, "aria-invalid": fault ? true : undefined };
}

/** A line of text. @param secret hides the characters, without a password field, which browsers offer to save */
export function InputField({ secret, ...props }: FieldProps & { secret?: boolean }) {
  return (
    <Field {...props}>
      <input
        {...described(props)}
        type="text"
        class={secret ? "secret" : undefined}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={props.value}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </Field>
  );
}

export function SelectField({ choices, ...props }: FieldProps & { choices: readonly string[] }) {
  return (
    <Field {...props}>
      <select {...described(props)} value={props.value} onChange={(event) => props.onInput(event.currentTarget.value)}>
        <option value="">(not sent)</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function TextArea(props: FieldProps) {
  return (
    <Field {...props}>
      <textarea
        {...described(props)}
        rows={Math.min(16, Math.max(4, props.value.split("\n").length))}
        spellcheck={false}
        autocomplete="off"
        value={props.value}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </Field>
  );
}

export function FileField({ onFile, ...props }: FieldProps & { onFile(file: File | ""): void }) {
  return (
    <Field {...props}>
      <input {...described(props)} type="file" onChange={(event) => onFile(event.currentTarget.files?.[0] ?? "")} />
    </Field>
  );
}
