import { useState } from "preact/hooks";
import { Fault, messageOf } from "../api/client.ts";

export type Faults = Partial<Record<string, string>>;

export interface Form<V> {
  values: V;
  set<K extends keyof V>(name: K, value: V[K]): void;
  fill(values: V): void;
  /** What is wrong with a field, under its name. */
  faults: Faults;
  /** What is wrong with the whole. */
  fault: unknown;
  busy: boolean;
  /** For <form onSubmit>. */
  submit(event: Event): void;
}

interface FormOptions<V> {
  /** Names of fields, with what is wrong with each; empty when all is well. */
  check?(values: V): Faults;
  /** Sends it. A fault of a field that the form has is shown at that field. */
  send(values: V): Promise<void>;
}

/** The state of a form: values, faults beside their fields, and no second submit while the first is under way. */
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

/** "imap.host" is the field imap.host where the form has it, else imap, else none. */
function fieldOf(param: string | null, values: object): string | null {
  if (!param) return null;
  const names = [param, param.replace(/\[\d+\].*$/, ""), param.split(/[.[]/)[0]!];
  return names.find((name) => name in values) ?? null;
}

/** After the faults are drawn. */
function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

export const EMAIL = /^[^\s@]+@[^\s@]+$/;
