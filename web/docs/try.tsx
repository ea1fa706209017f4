import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Description, isFile, type Operation, operationOf } from "./description.ts";
import { FileField, InputField, SelectField, TextArea } from "./fields.tsx";
import { type Faults, fieldOf, KEY_FIELD, prepare, type Values } from "./request.ts";
import { type Outcome, Reply, ReplyLine, received } from "./response.tsx";

/** The API key, for all forms of the page. It is nowhere else, and is gone when the page is left. */
const key = signal("");
addEventListener("pagehide", () => {
  key.value = "";
});

interface Opening {
  place: HTMLElement;
  id: string;
  base: string;
  description(): Promise<Description>;
}

/** Replaces the button of an operation by its form. */
export async function openTry({ place, id, base, description }: Opening): Promise<void> {
  const close = () => {
    const button = place.querySelector("button")!;
    render(null, holder);
    holder.remove();
    button.hidden = false;
    button.focus();
  };
  const holder = document.createElement("div");
  try {
    const operation = operationOf(await description(), id);
    if (!operation || place.childElementCount > 1) return;
    place.querySelector("button")!.hidden = true;
    place.append(holder);
    render(<TryForm operation={operation} base={base} onClose={close} />, holder);
  } catch {
    place.querySelector(".fault")?.remove();
    const fault = Object.assign(document.createElement("p"), { className: "fault" });
    fault.setAttribute("role", "alert");
    fault.textContent = "The description did not load. Check that Postroom is running, then try again.";
    place.append(fault);
  }
}

function TryForm({ operation, base, onClose }: { operation: Operation; base: string; onClose(): void }) {
  const { id, body, method, path, summary } = operation;
  const [values, setValues] = useState<Values>(() => ({
    body: body?.example === undefined ? "" : JSON.stringify(body.example, null, 2),
  }));
  const [faults, setFaults] = useState<Faults>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const current = useRef<AbortController | null>(null);
  current.current = running;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => current.current?.abort();
  }, []);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [faults]);
  const set = (field: string, value: string | File) => setValues((before) => ({ ...before, [field]: value }));
  const about = (field: string) => ({
    id: `${id}-${field.replaceAll(/\W/g, "-")}`,
    fault: faults[field],
    value: typeof values[field] === "string" ? (values[field] as string) : "",
    onInput: (value: string) => set(field, value),
  });

  async function send() {
    const prepared = prepare(operation, values, key.value, base);
    if (!("url" in prepared)) {
      setOutcome(null);
      setFaults(prepared as Faults);
      return;
    }
    const { url, init } = prepared as { url: string; init: RequestInit };
    const controller = new AbortController();
    setFaults({});
    setRunning(controller);
    setOutcome(null);
    const result = await received(url, { ...init, signal: controller.signal });
    setRunning(null);
    setOutcome(result);
  }

  return (
    <form
      ref={form}
      class="try-form"
      aria-label={`Try it: ${summary}`}
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) void send();
      }}
    >
      {operation.needsKey && <KeyField id={`${id}-key`} fault={faults[KEY_FIELD]} changes={method !== "GET"} />}
      <div class="try-fields">
        {operation.parameters.map((parameter) => {
          const { name, in: where, required, schema } = parameter;
          const field = about(fieldOf(parameter));
          const label = { label: name, note: required ? `${where}, required` : where };
          const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : null);
          if (choices) return <SelectField key={field.id} {...field} {...label} choices={choices.map(String)} />;
          const automatic = name === "Idempotency-Key" && required;
          const hint = automatic ? "Empty: a new key for each request." : undefined;
          return <InputField key={field.id} {...field} {...label} hint={hint} />;
        })}
        {body?.type.startsWith("multipart/") &&
          Object.entries(body.schema.properties ?? {}).map(([name, schema]) => {
            const field = about(`form ${name}`);
            const label = { label: name, note: body.schema.required?.includes(name) ? "form, required" : "form" };
            if (!isFile(schema)) return <InputField key={field.id} {...field} {...label} />;
            return <FileField key={field.id} {...field} {...label} onFile={(file) => set(`form ${name}`, file)} />;
          })}
      </div>
      {body && !body.type.startsWith("multipart/") && <TextArea {...about("body")} label="Body" note={body.type} />}
      <p class="try-actions">
        <button type="submit" class="primary" aria-disabled={running !== null}>
          Send {method} {path}
        </button>
        {running && (
          <button type="button" onClick={() => running.abort()}>
            Cancel
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
      <p role="status">{running ? "Waiting for the response…" : outcome && <ReplyLine outcome={outcome} />}</p>
      {outcome && "status" in outcome && <Reply outcome={outcome} id={id} />}
    </form>
  );
}

function KeyField({ id, fault, changes }: { id: string; fault: string | undefined; changes: boolean }) {
  return (
    <div class="try-key">
      <p>
        <strong>Requests are real.</strong> A live key (<code>service_live_…</code>) acts on your real mail
        {changes ? ": what it changes is changed on your mail servers, and what it sends is sent" : ""}. A test key (
        <code>service_test_…</code>) works on the sandbox, and mail that it sends does not leave this machine.{" "}
        <a href="../app/#/keys">Create an API key</a>
      </p>
      <InputField
        id={id}
        label="API key"
        note="kept only until you leave this page"
        secret
        fault={fault}
        value={key.value}
        onInput={(value) => {
          key.value = value;
        }}
      />
      <p role="status" class={kindOf(key.value) === "live" ? "live-key" : undefined}>
        {KINDS[kindOf(key.value)]}
      </p>
    </div>
  );
}

const KINDS = {
  live: "Live key: this request acts on your real mail.",
  test: "Test key: this request acts on the sandbox.",
  other: "",
};

function kindOf(secret: string): keyof typeof KINDS {
  if (secret.trim().startsWith("service_live_")) return "live";
  return secret.trim().startsWith("service_test_") ? "test" : "other";
}
