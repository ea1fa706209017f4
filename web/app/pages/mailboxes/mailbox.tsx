import { useEffect, useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { FolderRow, Mailbox } from "../../api/connect.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { ProgressBar } from "../../parts/chart.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Await, Badge, Card, Empty, Facts, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { count } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { showToast } from "../../state/toasts.ts";
import { Aliases } from "./aliases.tsx";
import type { Change } from "./change.ts";
import { MailExport } from "./export.tsx";
import { ImportedMailbox } from "./imported.tsx";
import { providerName, roleLabel, statusOf } from "./labels.ts";
import { useMailboxes } from "./mailboxes.tsx";
import { NewMailPassword } from "./new-password.tsx";
import { ReadMail } from "./read-mail.tsx";
import { removeMailbox } from "./remove.ts";
import { SampleMailbox } from "./sample.tsx";
import { startOAuth } from "./server-form.tsx";
import { TextIndexing } from "./text-indexing.tsx";

/** One mailbox: its status, folders and settings. */
export function MailboxPage({ id }: { id: string }) {
  const mailboxes = useMailboxes();
  const box = mailboxes.data?.data.find((one) => one.id === id);
  const change: Change = async (patch, done) => {
    await app("PATCH", `/mailboxes/${encodeURIComponent(id)}`, { body: patch });
    await mailboxes.reload();
    showToast(done);
  };
  return (
    <Page title={box?.email ?? "Mailbox"} back={{ href: "#/mailboxes", label: "Mailboxes" }}>
      <Await of={mailboxes} lines={6}>
        {() =>
          box?.provider === "imported" ? (
            <ImportedMailbox box={box} change={change} />
          ) : box?.provider === "sandbox" ? (
            <SampleMailbox box={box} />
          ) : box ? (
            <>
              <State box={box} change={change} reload={mailboxes.reload} />
              <Folders folders={box.folders} />
              <Settings box={box} change={change} />
              <RemoveMailbox box={box} />
            </>
          ) : (
            <Empty icon="mailbox" title="Mailbox not found">
              {" "}
              <p>It may have been disconnected.</p> <ButtonLink href="#/mailboxes">Show all mailboxes</ButtonLink>
            </Empty>
          )
        }
      </Await>
    </Page>
  );
}

interface PartProps {
  box: Mailbox;
  change: Change;
}

function State({ box, change, reload }: PartProps & { reload(): Promise<void> }) {
  const [fault, setFault] = useState<unknown>(null);
  const { tone, label, sentence } = statusOf(box);
  const comparison = useComparison(box, reload);
  const run = (work: Promise<void>) => void work.then(() => setFault(null), setFault);
  const paused = box.status === "paused";
  const provider = box.oauth ?? (box.provider === "gmail" ? "google" : "microsoft");
  return (
    <Card
      title={
        <>
          <Badge tone={tone}>{label}</Badge> {sentence}
        </>
      }
      actions={
        <>
          <ReadMail box={box} />
          <Button
            small
            icon="refresh"
            onClick={() =>
              run(
                app<void>("POST", `/mailboxes/${encodeURIComponent(box.id)}/sync`, { body: {} })
                  .then(reload)
                  .then(() => showToast("Sync started.")),
              )
            }
          >
            Sync now
          </Button>
          <Button small icon="check" busy={comparison.busy} onClick={() => run(comparison.start())}>
            {comparison.busy ? "Verifying…" : "Verify"}
          </Button>
          <Button
            small
            icon={paused ? "right" : "pause"}
            onClick={() => run(change({ paused: !paused }, paused ? "Mailbox resumed." : "Mailbox paused."))}
          >
            {paused ? "Resume" : "Pause"}
          </Button>
        </>
      }
    >
      {box.sync.phase !== "live" && !paused && (
        <ProgressBar label="Syncing mail" done={box.sync.done} total={box.sync.total} />
      )}
      <TextIndexing search={box.search} />
      {box.last_error && box.status !== "active" && (
        <Notice tone="warn">
          <p>{box.last_error}</p>
        </Notice>
      )}
      {box.status === "auth_failed" &&
        (box.auth === "oauth2" ? (
          <div class="actions">
            <Button kind="primary" onClick={() => run(startOAuth({ provider, email: box.email, account_id: box.id }))}>
              Reconnect mailbox
            </Button>
          </div>
        ) : (
          <NewMailPassword change={change} />
        ))}
      <FaultNotice error={fault} />
      <Facts
        rows={[
          ["Type", providerName(box.provider)],
          ["Authentication", box.auth === "oauth2" ? "Provider sign-in (OAuth)" : "Password"],
          ["Last sync", box.last_sync_at ? <Ago at={box.last_sync_at} /> : "Never"],
          [
            "Semantic index",
            box.search.total > 0
              ? `${count(box.search.done)} of ${count(box.search.total)} messages`
              : "No messages yet",
          ],
        ]}
      />
    </Card>
  );
}

const COMPARISON_POLL_MS = 1_000;

/** Compares the mailbox with its server. Polls until the result is available. */
function useComparison({ id, completeness: { verified_at } }: Mailbox, reload: () => Promise<void>) {
  const [started, setStarted] = useState<{ before: string | null } | null>(null);
  const busy = started !== null && started.before === verified_at;
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => void reload(), COMPARISON_POLL_MS);
    return () => clearInterval(timer);
  }, [busy, reload]);
  const start = async () => {
    await app("POST", `/mailboxes/${encodeURIComponent(id)}/check`, { body: {} });
    setStarted({ before: verified_at });
  };
  return { busy, start };
}

function Folders({ folders }: { folders: readonly FolderRow[] }) {
  if (folders.length === 0) return null;
  return (
    <Card title="Folders" text="Verification compares the message count and every message UID with the server.">
      <ul class="rows">
        {folders.map(({ path, role, done, total, verified_at }) => (
          <li key={path} class="row">
            <div class="row-main">
              <p class="row-title">
                {path} {roleLabel(role) && roleLabel(role) !== path && <Badge>{roleLabel(role)}</Badge>}
              </p>
              {done < total && <ProgressBar label={`Folder ${path}`} done={done} total={total} />}
            </div>
            <p class="row-side numbers">
              {count(done)} of {count(total)}
              <span class="hint">
                {verified_at ? (
                  <>
                    verified <Ago at={verified_at} />
                  </>
                ) : (
                  "not verified yet"
                )}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Settings({ box, change }: PartProps) {
  const [fault, setFault] = useState<unknown>(null);
  const run = (work: Promise<void>) => void work.then(() => setFault(null), setFault);
  return (
    <Card title="Settings">
      <div class="stack">
        <ul class="rows">
          <li class="row">
            <div class="row-main">
              <p class="row-title">Primary mailbox</p>
              <p class="hint">New messages are sent from this mailbox by default.</p>
            </div>
            <div class="row-actions">
              {box.primary ? (
                <Badge tone="good">Primary</Badge>
              ) : (
                <Button small onClick={() => run(change({ primary: true }, "Primary mailbox changed."))}>
                  Make primary
                </Button>
              )}
            </div>
          </li>
          <li class="row">
            <div class="row-main">
              <p class="row-title">Changes on the server</p>
              <p class="hint">
                {box.read_only
                  ? "Read-only: your changes stay on this machine, and the server is not changed."
                  : "Flags, moves, labels and drafts are kept in sync with the server."}
              </p>
            </div>
            <div class="row-actions">
              <Button
                small
                onClick={() =>
                  run(
                    change(
                      { read_only: !box.read_only },
                      box.read_only ? "Changes are now sent to the server." : "Mailbox is now read-only.",
                    ),
                  )
                }
              >
                {box.read_only ? "Allow changes" : "Make read-only"}
              </Button>
            </div>
          </li>
        </ul>
        <FaultNotice error={fault} />
        <Aliases box={box} change={change} />
        {box.auth === "password" && box.status !== "auth_failed" && (
          <details>
            <summary>Change mailbox password</summary>
            <NewMailPassword change={change} />
          </details>
        )}
      </div>
    </Card>
  );
}

function RemoveMailbox({ box }: { box: Mailbox }) {
  return (
    <>
      <MailExport box={box} />
      <Card title="Disconnect" tone="danger">
        <div class="row">
          <p class="row-main">
            Disconnecting deletes the copy on this machine, with its labels, drafts and search index. Mail on the server
            is kept.
          </p>
          <div class="row-actions">
            <ConfirmButton
              kind="danger"
              title={`Disconnect ${box.email}?`}
              text={
                <>
                  <p>
                    This deletes the copy of the mailbox on this machine, with its labels, local drafts and pending
                    sends. You cannot undo this.
                  </p>
                  <p>
                    <strong>The mail server keeps its mail</strong>, and you can connect the mailbox again at any time.
                    API keys bound to it stop working.
                  </p>
                </>
              }
              action="Disconnect mailbox"
              typed={box.email}
              act={() => removeMailbox(box)}
            >
              Disconnect mailbox
            </ConfirmButton>
          </div>
        </div>
      </Card>
    </>
  );
}
