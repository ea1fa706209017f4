import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button, type ButtonKind } from "./button.tsx";
import type { IconName } from "./icon.tsx";
import { FaultNotice } from "./layout.tsx";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A modal dialog. Escape closes it and returns the focus to where it was. */
export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const from = document.activeElement;
    const shown = dialog.current!;
    shown.showModal();
    return () => {
      shown.close();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="cross" label="Close" small onClick={onClose}>
          {""}
        </Button>
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  /** The text of the button that opens the dialog. */
  children: ComponentChildren;
  icon?: IconName;
  kind?: ButtonKind;
  small?: boolean;
  label?: string;
  /** The question, used as the title: "Revoke “laptop”?" */
  title: string;
  /** The effect of the action, and what is kept. */
  text: ComponentChildren;
  /** The text of the confirming button: "Revoke key". */
  action: string;
  /** The text to type first, for actions that cannot be undone. */
  typed?: string;
  act(): Promise<void>;
}

/** A button that asks for confirmation and states what happens and what is kept. */
export function ConfirmButton({ children, icon, kind, small, label, ...question }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} icon={icon} small={small} label={label} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && <Confirm {...question} onClose={() => setOpen(false)} />}
    </>
  );
}

type QuestionProps = Pick<ConfirmProps, "title" | "text" | "action" | "typed" | "act"> & { onClose(): void };

function Confirm({ title, text, action, typed, act, onClose }: QuestionProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [words, setWords] = useState("");
  const id = useId();
  const ready = typed === undefined || words.trim().toLowerCase() === typed.toLowerCase();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (busy || !ready) return;
          setBusy(true);
          act().then(onClose, (error) => {
            setFault(error);
            setBusy(false);
          });
        }}
      >
        <div class="stack prose">{text}</div>
        {typed !== undefined && (
          <div class="field">
            <label for={id}>
              Type <strong>{typed}</strong> to confirm
            </label>
            <input id={id} value={words} autocomplete="off" onInput={(event) => setWords(event.currentTarget.value)} />
          </div>
        )}
        <FaultNotice error={fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={!ready}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
