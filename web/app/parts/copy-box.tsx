import { useState } from "preact/hooks";
import { showToast } from "../state/toasts.ts";
import { Button } from "./button.tsx";

interface CopyProps {
  text: string;
  /** What is copied, for screen readers: "Copy the key". */
  label: string;
}

export function CopyButton({ text, label }: CopyProps) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      showToast("Copied.");
    } catch {
      // Browsers give the clipboard to HTTPS pages and this machine only.
      showToast("This browser does not let a page copy here. Select the text and copy it by hand.", "bad");
    }
  }
  return (
    <Button small icon={copied ? "check" : "copy"} label={label} onClick={copy}>
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}

/** A text to take away: a secret, an address, a command. */
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
