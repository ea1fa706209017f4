import { useState } from "preact/hooks";
import type { NotificationTarget, Notifications as State } from "../../../../src/features/notifications/model.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Await, Card, Empty, Notice, Page } from "../../parts/layout.tsx";
import { useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { showToast } from "../../state/toasts.ts";
import { QuietHours, Senders } from "./preferences.tsx";
import { TargetForm } from "./target-form.tsx";
import { TargetLine } from "./target-line.tsx";

const POLL_MS = 30_000;

/** Where and when the person is notified. */
export function Notifications() {
  const state = useLoad("notifications", () => app<State>("GET", "/notifications"), POLL_MS);
  const [editing, setEditing] = useState<NotificationTarget | "new" | null>(null);
  return (
    <Page
      title="Notifications"
      lead="Postroom writes to your phone or your chat when something needs you."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setEditing("new")}>
          Add target
        </Button>
      }
    >
      {sandbox.value && (
        <Notice>
          <p>The sandbox notifies no one. This page shows the notifications about your own mail.</p>
        </Notice>
      )}
      {editing && (
        <TargetForm
          target={editing === "new" ? undefined : editing}
          onClose={() => setEditing(null)}
          onSaved={({ name }) => {
            showToast(editing === "new" ? `Target “${name}” added. Send a test.` : "Target saved.");
            setEditing(null);
            void state.reload();
          }}
        />
      )}
      <Await of={state} lines={6}>
        {({ settings, targets, link_base }) => (
          <>
            <Card title="Targets">
              {targets.length === 0 ? (
                <Empty icon="bell" title="No targets yet">
                  <p>Your phones and chats appear here, with the result of the last message.</p>
                  <Button kind="primary" onClick={() => setEditing("new")}>
                    Add first target
                  </Button>
                </Empty>
              ) : (
                <ul class="rows">
                  {targets.map((target) => (
                    <TargetLine
                      key={target.id}
                      target={target}
                      onEdit={() => setEditing(target)}
                      onChanged={state.reload}
                    />
                  ))}
                </ul>
              )}
              {targets.length > 0 && link_base === null && (
                <p class="hint">
                  Notifications have no links, because http.public_url is not set in the configuration.
                </p>
              )}
            </Card>
            <QuietHours settings={settings} onSaved={state.set} />
            <Senders settings={settings} onSaved={state.set} />
          </>
        )}
      </Await>
    </Page>
  );
}
