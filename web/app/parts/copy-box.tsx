import { useState } from "preact/hooks";
import { showToast } from "../state/toasts.ts";
import { Button } from "./button.tsx";

interface CopyProps {
  text: string;
  /** The accessible name: "Copy key". */
  label: string;
}

function CopyButton({ text, label }: CopyProps) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      showToast("Copied.");
    } catch {
      // Browsers allow clipboard access only over HTTPS and on localhost.
      showToast("The browser blocked copying. Select the text and copy it manually.", "bad");
    }
  }
  return (
    <Button small icon={copied ? "check" : "copy"} label={label} onClick={copy}>
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}

/** A text to copy: a secret, a URL or a command. */
export function CopyBox({ text, label, block }: CopyProps & { block?: boolean }) {
  return (
    <div class={block ? "copy-box block" : "copy-box"}>
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
