import { useState } from "preact/hooks";
import { say } from "../state/say.ts";
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
      say("Copied.");
    } catch {
      // Browsers give the clipboard to HTTPS pages and this machine only.
      say("This browser does not let a page copy here. Select the text and copy it by hand.", "bad");
    }
  }
  return (
    <Button small icon={copied ? "check" : "copy"} label={label} onClick={copy}>
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}

/** A text to take away: a secret, an address, a command. */
export function Takeaway({ text, label, block }: CopyProps & { block?: boolean }) {
  return (
    <div class={block ? "takeaway block" : "takeaway"}>
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
