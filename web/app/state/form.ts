import { useState } from "preact/hooks";
import { Fault, messageOf } from "../api/client.ts";

export type Faults = Partial<Record<string, string>>;

export interface Form<V> {
  values: V;
  set<K extends keyof V>(name: K, value: V[K]): void;
  fill(values: V): void;
  /** Errors by field name. */
  faults: Faults;
  /** An error that belongs to no single field. */
  fault: unknown;
  busy: boolean;
  /** For <form onSubmit>. */
  submit(event: Event): void;
}

interface FormOptions<V> {
  /** Returns errors by field name; empty if all values are valid. */
  check?(values: V): Faults;
  /** Submits the values. An error for a field of this form is shown at that field. */
  send(values: V): Promise<void>;
}

/** Manages a form: values, errors by field, and no second submit while one is running. */
export function useForm<V extends object>(initial: V, { check, send }: FormOptions<V>): Form<V> {
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function run(form: HTMLFormElement) {
    const wrong = check?.(values) ?? {};
    setFaults(wrong);
    setFault(null);
    if (Object.values(wrong).some(Boolean)) return focusFirstFault(form);
    setBusy(true);
    try {
      await send(values);
    } catch (error) {
      const field = error instanceof Fault ? fieldOf(error.param, values) : null;
      if (field) {
        setFaults({ [field]: messageOf(error) });
        focusFirstFault(form);
      } else setFault(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    values,
    faults,
    fault,
    busy,
    fill: setValues,
    set(name, value) {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults(({ [name as string]: _, ...rest }) => rest);
    },
    submit(event) {
      event.preventDefault();
      if (!busy) void run(event.currentTarget as HTMLFormElement);
    },
  };
}

/** Returns the field for a `param`: for "imap.host" it is imap.host if the form has it, else imap, else null. */
function fieldOf(param: string | null, values: object): string | null {
  if (!param) return null;
  const names = [param, param.replace(/\[\d+\].*$/, ""), param.split(/[.[]/)[0]!];
  return names.find((name) => name in values) ?? null;
}

/** Waits for the next frame, when the errors are rendered. */
function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

export const EMAIL = /^[^\s@]+@[^\s@]+$/;
