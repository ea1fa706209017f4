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

/** Exports a mailbox as files. */
export function MailExport({ box }: { box: Mailbox }) {
  return (
    <Card title="Export" text="All mail of this mailbox in files that other programs can read.">
      <ExportButtons box={box} />
    </Card>
  );
}

/** Downloads a mailbox in either format and reports whether all messages are complete. */
export function ExportButtons({ box }: { box: Mailbox }) {
  const [busy, setBusy] = useState<Format | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [counts, setCounts] = useState<Counts | null>(null);
  async function run(format: Format) {
    setBusy(format);
    setCounts(null);
    try {
      const name = `${box.email}.${format === "mbox" ? "mbox" : "tar"}`;
      await download("POST", "/exports", { body: { account_id: box.id, format } }, name);
      setCounts(await lastExport(box.id));
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
        <Button icon="download" busy={busy === "mbox"} onClick={() => void run("mbox")}>
          Export as mbox
        </Button>
        <Button icon="download" busy={busy === "eml"} onClick={() => void run("eml")}>
          Export as .eml files
        </Button>
      </div>
      {counts && (box.provider === "imported" ? <ImportedExportResult {...counts} /> : <ExportResult {...counts} />)}
      <FaultNotice error={fault} />
    </div>
  );
}

function ExportResult({ whole, rebuilt }: Counts) {
  if (rebuilt === 0) {
    return (
      <Notice tone="good" live>
        <p>Exported {counted(whole, "message")}, all as on the mail server.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Export incomplete" live>
      <p>
        {count(rebuilt)} of {counted(whole + rebuilt, "message")} could not be fetched from the mail server. The file
        has their text without attachments, marked with the header “X-Postroom-Rebuilt”. Try again when the mail server
        is reachable.
      </p>
    </Notice>
  );
}

/** The result for an imported mailbox, whose original messages are stored on this machine. */
function ImportedExportResult({ whole, rebuilt }: Counts) {
  if (rebuilt === 0) {
    return (
      <Notice tone="good" live>
        <p>Exported {counted(whole, "message")}, all as imported.</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title="Export incomplete" live>
      <p>
        The originals of {count(rebuilt)} of {counted(whole + rebuilt, "message")} are missing. The file has their text
        without attachments, marked with the header “X-Postroom-Rebuilt”. Keep the files that you imported.
      </p>
    </Notice>
  );
}

/** Returns the counts of the latest export from the audit log. */
async function lastExport(account_id: string): Promise<Counts | null> {
  const query = { action: "account.exported", target: account_id, limit: 1 };
  const { data } = await v1<{ data: AuditEntry[] }>("GET", "/audit", { query });
  return (data[0]?.after as Counts | undefined) ?? null;
}
