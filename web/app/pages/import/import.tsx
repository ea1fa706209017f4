import type { MailImport } from "../../api/imports.ts";
import { loadImports } from "../../api/imports.ts";
import { Await, Badge, Card, Notice, Page, type Tone } from "../../parts/layout.tsx";
import { counted, size } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { NewImport } from "./new-import.tsx";
import { RunningImport } from "./running.tsx";

const ACTIVE_POLL_MS = 1_000;
const IDLE_POLL_MS = 15_000;

/** Imports mail from a file that is uploaded: the import that runs, the form for a new one, and earlier ones. */
export function ImportMail() {
  const imports = useLoad("imports", loadImports, ({ data }) =>
    data.some(({ ended_at }) => ended_at === null) ? ACTIVE_POLL_MS : IDLE_POLL_MS,
  );
  return (
    <Page
      title="Import mail"
      lead="Add mail from files to a mailbox without a mail server. Imported mail is searched and sorted like other mail."
      back={{ href: "#/mailboxes", label: "Mailboxes" }}
    >
      {sandbox.value && (
        <Notice tone="info">
          <p>The sandbox is shown. Imported mail is added to your own mailboxes, not to the sandbox.</p>
        </Notice>
      )}
      <Await of={imports} lines={6}>
        {({ data, chunk_bytes, mailboxes }) => {
          const running = data.find(({ ended_at }) => ended_at === null);
          const ended = data.filter(({ ended_at }) => ended_at !== null);
          return (
            <>
              {running ? (
                <RunningImport key={running.id} import={running} partBytes={chunk_bytes} reload={imports.reload} />
              ) : (
                <NewImport mailboxes={mailboxes} partBytes={chunk_bytes} reload={imports.reload} />
              )}
              {ended.length > 0 && <Ended imports={ended} />}
            </>
          );
        }}
      </Await>
    </Page>
  );
}

const OUTCOMES: Partial<Record<MailImport["state"], [tone: Tone, label: string]>> = {
  done: ["good", "Imported"],
  failed: ["bad", "Failed"],
  canceled: ["quiet", "Canceled"],
};

function Ended({ imports }: { imports: readonly MailImport[] }) {
  return (
    <Card title="Earlier imports">
      <ul class="rows">
        {imports.map((one) => {
          const [tone, label] = OUTCOMES[one.state] ?? ["quiet", one.state];
          return (
            <li key={one.id} class="row">
              <div class="row-main">
                <p class="row-title wrap">
                  {one.file_name} <Badge tone={tone}>{label}</Badge>
                </p>
                {one.error && <p class="wrap">{one.error}</p>}
                <p class="hint">{countsOf(one)}</p>
                <p class="hint">
                  {size(one.bytes)} · {one.ended_at && <Ago at={one.ended_at} />}
                  {one.account_id && (
                    <>
                      {" · "}
                      <a href={`#/mailboxes/${encodeURIComponent(one.account_id)}`}>{one.mailbox}</a>
                    </>
                  )}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** "1,204 messages imported, 3 duplicates skipped". */
export function countsOf({ messages, duplicates, unreadable, truncated }: MailImport): string {
  return [
    `${counted(messages, "message")} imported`,
    duplicates > 0 && `${counted(duplicates, "duplicate")} skipped`,
    unreadable > 0 && `${counted(unreadable, "file")} not readable as mail`,
    truncated > 0 && `${counted(truncated, "message")} above 64 MiB stored without the end`,
  ]
    .filter(Boolean)
    .join(", ");
}
