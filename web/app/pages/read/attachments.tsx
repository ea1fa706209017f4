import { useState } from "preact/hooks";
import type { ThreadMessage } from "../../../../src/features/threads/model.ts";
import { v1Download, v1Text } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { size } from "../../parts/numbers.ts";
import { Verbatim } from "../../parts/verbatim.tsx";

type File = ThreadMessage["attachments"][number];

/** Files of a message, to download. */
export function Attachments({ messageId, files }: { messageId: string; files: readonly File[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {files.map((file) => (
        <Attachment
          key={file.id}
          path={`/messages/${encodeURIComponent(messageId)}/attachments/${file.id}`}
          file={file}
        />
      ))}
    </ul>
  );
}

const MAX_TEXT_CHARS = 20_000;

function Attachment({ path, file }: { path: string; file: File }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [text, setText] = useState<string | null>(null);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    await work().catch(setFault);
    setBusy(false);
  };
  const isInvitation = file.mime === "text/calendar";
  return (
    <li>
      <div class="attachment">
        <Icon name="clip" size={16} />
        <span class="row-main">
          <bdi>{file.name}</bdi>{" "}
          <span class="hint numbers">{file.size_estimated ? `about ${size(file.size)}` : size(file.size)}</span>
        </span>
        {isInvitation && text === null && (
          <Button
            small
            kind="quiet"
            label={`Show ${file.name} as text`}
            onClick={() => run(async () => setText(invitationText(await v1Text(path))))}
          >
            Show as text
          </Button>
        )}
        <Button
          small
          icon="download"
          busy={busy}
          label={`Download ${file.name}`}
          onClick={() => run(() => v1Download(path, file.name))}
        >
          Download
        </Button>
      </div>
      <FaultNotice error={fault} />
      {text !== null && <Verbatim proportional label={`Text of ${file.name}`} text={text} />}
    </li>
  );
}

/** The lines of an invitation that people read, with their names. */
const LINES: Record<string, string> = {
  SUMMARY: "Event",
  DTSTART: "Start",
  DTEND: "End",
  LOCATION: "Place",
  ORGANIZER: "Organizer",
  STATUS: "Status",
  DESCRIPTION: "Description",
};

/** Returns an invitation (RFC 5545) as lines of text. Times are as written, in the zone that the invitation names. */
function invitationText(source: string): string {
  const event = /BEGIN:VEVENT([\s\S]*?)END:VEVENT/.exec(source.replace(/\r?\n[ \t]/g, ""))?.[1];
  const lines = (event ?? "").split(/\r?\n/).flatMap((line) => {
    const [, name, params, value] = /^([A-Z-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    const label = name && LINES[name];
    return label ? [`${label}: ${valueText(value!, params!)}`] : [];
  });
  return (lines.length > 0 ? lines.join("\n") : source).slice(0, MAX_TEXT_CHARS);
}

function valueText(value: string, params: string): string {
  const time = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value);
  if (!time)
    return value
      .replace(/^mailto:/i, "")
      .replace(/\\n/gi, "\n")
      .replace(/\\([,;\\])/g, "$1");
  const [, year, month, day, hour, minute, utc] = time;
  const zone = utc ? "UTC" : (/TZID=([^;]+)/.exec(params)?.[1] ?? "");
  return `${year}-${month}-${day}${hour ? ` ${hour}:${minute} ${zone}` : ""}`.trim();
}
