import { useEffect, useRef, useState } from "preact/hooks";
import type { Draft } from "../../../../src/features/drafts/model.ts";
import type { Send } from "../../../../src/features/sends/model.ts";
import { v1 } from "../../api/client.ts";
import type { PageOf } from "../../api/paging.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { TextArea, TextField } from "../../parts/field.tsx";
import { Await, Card, Facts, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { size } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { navigate } from "../../state/route.ts";
import { sandbox } from "../../state/sandbox.ts";
import { showToast } from "../../state/toasts.ts";
import { SendStatus } from "../approvals/send-status.tsx";
import { AiNote } from "./ai-note.tsx";
import { changesOf, type DraftValues, valuesOf } from "./draft-values.ts";
import { Gone, isGone } from "./gone.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { useShortcuts } from "./shortcuts.tsx";

const DRAFTS = "#/read/drafts";

/** A draft, to edit, send or delete. */
export function DraftPage({ id }: { id: string }) {
  const path = `/drafts/${encodeURIComponent(id)}`;
  const draft = useLoad(`draft ${id}`, () => v1<Draft>("GET", path));
  useShortcuts({ u: () => navigate(DRAFTS) });
  return (
    <Page title={draft.data ? draft.data.subject || "(no subject)" : "Draft"} back={{ href: DRAFTS, label: "Drafts" }}>
      {isGone(draft.error) ? (
        <Gone title="This draft does not exist" href={DRAFTS}>
          It was sent or deleted.
        </Gone>
      ) : (
        <Await of={draft} lines={8}>
          {(shown) =>
            shown.send_id ? (
              <Locked draft={shown} sendId={shown.send_id} reload={draft.reload} />
            ) : (
              // Edits stay when a reload brings a newer version of the same draft.
              <Editor key={shown.id} draft={shown} />
            )
          }
        </Await>
      )}
    </Page>
  );
}

/** A draft that is being sent: it can be read, and the send can be undone. */
function Locked({ draft, sendId, reload }: { draft: Draft; sendId: string; reload(): Promise<void> }) {
  const { from, to, cc, bcc, subject, body } = draft;
  return (
    <>
      <SendStatus
        id={sendId}
        inSandbox={sandbox.value}
        title="Waiting to be sent"
        onEnd={({ status }) => status !== "sent" && void reload()}
      />
      <Card>
        <Facts
          rows={[
            ["From", from],
            ["To", to.join(", ")],
            ...(cc.length > 0 ? ([["Cc", cc.join(", ")]] as [string, string][]) : []),
            ...(bcc.length > 0 ? ([["Bcc", bcc.join(", ")]] as [string, string][]) : []),
            ["Subject", subject || "(no subject)"],
          ]}
        />
        <div class="mail-text">{body}</div>
      </Card>
    </>
  );
}

function Editor({ draft }: { draft: Draft }) {
  const path = `/drafts/${encodeURIComponent(draft.id)}`;
  // The switch can change while this draft is open, and its edits are saved then.
  const [inSandbox] = useState(sandbox.value);
  const [stored, setStored] = useState(() => valuesOf(draft));
  const [sending, setSending] = useState(false);
  const store = async (values: DraftValues) => {
    const changes = changesOf(values, stored);
    if (!changes) return;
    await v1("PATCH", path, { body: changes, inSandbox });
    setStored(values);
  };
  const form = useForm<DraftValues>(stored, {
    async send(values) {
      await store(values);
      showToast("Draft saved.");
    },
  });
  const { values, set, faults } = form;
  const dirty = changesOf(values, stored) !== null;
  const leaving = useSaveOnLeave(dirty, () => store(values));
  const field = (name: keyof DraftValues, label: string) => (
    <TextField
      label={label}
      autocomplete="off"
      value={values[name]}
      onInput={(value) => set(name, value)}
      fault={faults[name]}
    />
  );
  return (
    <>
      <LastFailure draftId={draft.id} />
      {draft.ai && <AiNote note={draft.ai} body={values.body} />}
      <Card>
        <form class="stack" onSubmit={form.submit}>
          <p class="hint">
            From {draft.from}, last changed <Ago at={draft.updated_at} />
          </p>
          {field("to", "To")}
          <div class="columns">
            {field("cc", "Cc")}
            {field("bcc", "Bcc")}
          </div>
          {field("subject", "Subject")}
          <TextArea
            label="Message"
            rows={16}
            hint={isHtml(values.body) ? "This draft is HTML. You edit its source." : undefined}
            value={values.body}
            onInput={(body) => set("body", body)}
            fault={faults.body}
          />
          <Files draft={draft} />
          <FaultNotice error={form.fault} />
          <div class="actions between">
            <div class="actions">
              <Button kind="primary" icon="send" onClick={() => setSending(true)}>
                Send
              </Button>
              <Button type="submit" busy={form.busy} disabled={!dirty}>
                {dirty ? "Save" : "Saved"}
              </Button>
              {draft.thread_id && (
                <ButtonLink kind="quiet" icon="read" href={`#/read/${encodeURIComponent(draft.thread_id)}`}>
                  Open thread
                </ButtonLink>
              )}
            </div>
            <ConfirmButton
              icon="trash"
              kind="quiet"
              title="Delete this draft?"
              text={<p>The draft is deleted here and in the Drafts folder of the mailbox. You cannot undo this.</p>}
              action="Delete draft"
              act={async () => {
                leaving.current = true;
                await v1("DELETE", path).catch((error) => {
                  leaving.current = false;
                  throw error;
                });
                showToast("Draft deleted.");
                navigate(DRAFTS);
              }}
            >
              Delete
            </ConfirmButton>
          </div>
        </form>
      </Card>
      {sending && (
        <SendDialog
          draft={draft}
          values={values}
          save={() => store(values)}
          onClose={() => setSending(false)}
          onSent={() => {
            leaving.current = true;
            navigate(DRAFTS);
          }}
        />
      )}
    </>
  );
}

/** Simple HTML begins with a tag. The server decides in the same way when the message is sent. */
function isHtml(body: string): boolean {
  return /^\s*<(!doctype|[a-z][a-z0-9]*)\b[^<>]*>/i.test(body);
}

/**
 * Saves unsaved edits when the reader leaves the page, and warns before the tab is closed.
 * @returns a mark that the draft was sent or deleted, so that there is nothing to save
 */
function useSaveOnLeave(dirty: boolean, save: () => Promise<void>) {
  const gone = useRef(false);
  const latest = useRef({ dirty, save });
  latest.current = { dirty, save };
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current.dirty && !gone.current) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => {
      removeEventListener("beforeunload", warn);
      if (!latest.current.dirty || gone.current) return;
      latest.current.save().then(
        () => showToast("Draft saved."),
        (error) => showToast(`The draft was not saved. ${error instanceof Error ? error.message : ""}`, "bad"),
      );
    };
  }, []);
  return gone;
}

function Files({ draft: { attachments } }: { draft: Draft }) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map((file) => (
        <li key={file.id} class="attachment">
          <span class="row-main">
            <bdi>{file.name}</bdi> <span class="hint numbers">{size(file.size)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Says why the last try to send a draft failed. */
function LastFailure({ draftId }: { draftId: string }) {
  const failed = useLoad(`failed sends ${draftId}`, async () => {
    const { data } = await v1<PageOf<Send>>("GET", "/sends", { query: { status: "failed", limit: 25 } });
    return data.filter(({ draft_id }) => draft_id === draftId);
  });
  const last = failed.data?.[0];
  if (!last) return null;
  return (
    <Notice tone="bad" title="This message could not be sent">
      <p>{last.detail ?? "The mail server did not accept it."}</p>
      <p class="hint">
        Tried <Ago at={last.finished_at ?? last.created_at} />. The draft is kept. Correct the cause, then send it
        again.
      </p>
    </Notice>
  );
}
