import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface About {
  label: ComponentChildren;
  /** Hides the label visually where the context makes it redundant. */
  labelHidden?: boolean;
  hint?: ComponentChildren;
  /** The error, announced together with the field. */
  fault?: string;
}

interface Described {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

/** Ties a label, a hint and an error to one control. */
function Labeled({ label, labelHidden, hint, fault, children }: About & { children: (ids: Described) => JSX.Element }) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label class={labelHidden ? "visually-hidden" : undefined} for={id}>
        {label}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": fault ? true : undefined })}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface TextProps extends About {
  value: string;
  onInput(value: string): void;
  type?: "text" | "email" | "password" | "url" | "number" | "time" | "search" | "date" | "datetime-local";
  autocomplete?: string;
  placeholder?: string;
  required?: boolean;
  mono?: boolean;
  inputmode?: "numeric" | "email" | "url";
  autofocus?: boolean;
  min?: number;
  max?: number;
  minlength?: number;
  maxlength?: number;
  disabled?: boolean;
  /** Suggestions to choose from. */
  choices?: readonly string[];
}

export function TextField({ label, hint, fault, value, onInput, mono, choices, autofocus, ...rest }: TextProps) {
  const { type = "text", required, ...more } = rest;
  return (
    <Labeled label={label} hint={hint} fault={fault}>
      {(ids) => (
        <>
          <input
            {...more}
            {...ids}
            type={type}
            aria-required={required}
            class={mono ? "mono" : undefined}
            spellcheck={type === "text" ? undefined : false}
            autocapitalize="none"
            list={choices && `${ids.id}-choices`}
            value={value}
            // The attribute works in a new dialog, the ref for a field rendered later.
            autofocus={autofocus}
            ref={autofocus ? focusOnce : undefined}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {choices && (
            <datalist id={`${ids.id}-choices`}>
              {choices.map((choice) => (
                <option key={choice} value={choice} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Labeled>
  );
}

interface TextAreaProps extends About {
  value: string;
  onInput(value: string): void;
  rows: number;
  disabled?: boolean;
}

/** A text of several lines. */
export function TextArea({ label, labelHidden, hint, fault, value, onInput, rows, disabled }: TextAreaProps) {
  return (
    <Labeled label={label} labelHidden={labelHidden} hint={hint} fault={fault}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          disabled={disabled}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends About {
  value: string;
  options: readonly Option[];
  onChange(value: string): void;
}

export function Select({ label, labelHidden, hint, fault, value, options, onChange }: SelectProps) {
  return (
    <Labeled label={label} labelHidden={labelHidden} hint={hint} fault={fault}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}

interface CheckProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
}

export function Checkbox({ label, hint, checked, onChange, disabled }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface SwitchProps {
  /** The accessible name. It does not change with the state. */
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
  /** The visible state. */
  children: ComponentChildren;
}

/** A switch that takes effect immediately. */
export function Switch({ label, checked, onChange, children }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="switch-track" />
      <span aria-hidden="true">{children}</span>
    </label>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: T;
  options: readonly { value: T; title: string; text?: ComponentChildren }[];
  onChange(value: T): void;
  /** Shows short options in one line. */
  inline?: boolean;
  fault?: string;
}

/** Radio buttons with an optional explanation each. */
export function Choice<T extends string>({ legend, name, value, options, onChange, inline, fault }: ChoiceProps<T>) {
  const id = useId();
  return (
    <fieldset class={inline ? "choice inline" : "choice"} aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend>{legend}</legend>
      <div class="choices">
        {options.map((option) => (
          <label key={option.value} class="option">
            <input
              type="radio"
              name={`${name}-${id}`}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span class="option-text">
              <span class="option-title">{option.title}</span>
              {option.text && <span class="hint">{option.text}</span>}
            </span>
          </label>
        ))}
      </div>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}
