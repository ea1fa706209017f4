import { useState } from "preact/hooks";
import type { AuditEntry } from "../../../../src/features/audit/model.ts";
import { download, v1 } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";

type Format = "mbox" | "eml";

interface Counts {
  total: number;
  whole: number;
  rebuilt: number;
}

/** A mailbox as files. */
export function MailExport({ box }: { box: Mailbox }) {
  return (
    <Card title="Take the mail with you" text="All mail of this mailbox as files that other programs read.">
      <ExportButtons box={box} />
    </Card>
  );
}

/** Downloads a mailbox in either form, and says whether all of its messages are whole. */
export function ExportButtons({ box }: { box: Mailbox }) {
  const [busy, setBusy] = useState<Format | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [made, setMade] = useState<Counts | null>(null);
  async function take(format: Format) {
    setBusy(format);
    setMade(null);
    try {
      const name = `${box.email}.${format === "mbox" ? "mbox" : "tar"}`;
      await download("POST", "/exports", { body: { account_id: box.id, format } }, name);
      setMade(await lastExport(box.id));
      setFault(null);
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(null);
    }
  }
  return (
    <div class="stack">
      <div class="actions">
        <Button icon="download" busy={busy === "mbox"} onClick={() => void take("mbox")}>
          As mbox
        </Button>
        <Button icon="download" busy={busy === "eml"} onClick={() => void take("eml")}>
          As .eml files
        </Button>
      </div>
      {made && (box.provider === "imported" ? <ImportedExportResult {...made} /> : <ExportResult {...made} />)}
      <FaultNotice error={fault} />
    </div>
  );
}

function ExportResult({ whole, rebuilt }: Counts) {
  if (rebuilt === 0) {
    return (
      <Notice tone="good" live>
        <p>{counted(whole, "message")}, all as the mail server has them.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Not all of it is whole" live>
      <p>
        {count(rebuilt)} of {counted(whole + rebuilt, "message")} could not be had from the mail server. They are in the
        file as far as they are stored here: with their text, without attachments. Each says so in a line
        “X-Postroom-Rebuilt”. Try again when the mail server answers.
      </p>
    </Notice>
  );
}

/** Of an imported mailbox, whose messages are all kept here. */
function ImportedExportResult({ whole, rebuilt }: Counts) {
  if (rebuilt === 0) {
    return (
      <Notice tone="good" live>
        <p>{counted(whole, "message")}, all as they were imported.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Not all of it is whole" live>
      <p>
        The sources of {count(rebuilt)} of {counted(whole + rebuilt, "message")} are missing here. The file has the text
        of these messages without attachments, each with a line “X-Postroom-Rebuilt”. Keep the files that you imported.
      </p>
    </Notice>
  );
}

/** What the audit log says of the export that has just been taken. */
async function lastExport(account_id: string): Promise<Counts | null> {
  const query = { action: "account.exported", target: account_id, limit: 1 };
  const { data } = await v1<{ data: AuditEntry[] }>("GET", "/audit", { query });
  return (data[0]?.after as Counts | undefined) ?? null;
}
