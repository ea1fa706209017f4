import { useState } from "preact/hooks";
import type { Thread, ThreadMessage } from "../../../../src/features/threads/model.ts";
import { Button } from "../../parts/button.tsx";
import { archive, isMovable, markSpam, markUnread, moveToInbox, toggleStar, trash } from "./actions.ts";
import { LabelsDialog } from "./labels.tsx";
import { ReplyDialog } from "./reply-dialog.tsx";
import { SnoozeDialog } from "./snooze.tsx";
import { ThreadUnsubscribe } from "./unsubscribe.tsx";

interface ActionsProps {
  thread: Thread;
  messages: readonly ThreadMessage[];
  /** Returns to the list. */
  leave(): void;
}

/** What can be done with a thread. An action that moves it returns to the list. */
export function ThreadActions({ thread, messages, leave }: ActionsProps) {
  const [dialog, setDialog] = useState<"reply" | "snooze" | "labels" | null>(null);
  const { state } = thread;
  const moving = (act: (thread: Thread) => Promise<boolean>) => () => void act(thread).then((done) => done && leave());
  const close = () => setDialog(null);
  return (
    <section class="thread-actions" aria-label="Actions for this thread">
      <Button small icon="draft" onClick={() => setDialog("reply")}>
        Draft a reply
      </Button>
      {isMovable(thread) && (
        <>
          {state === "inbox" || state === "snoozed" ? (
            <Button small icon="archive" onClick={moving(archive)}>
              Archive
            </Button>
          ) : null}
          {state !== "inbox" && (
            <Button small icon="inbox" onClick={moving(moveToInbox)}>
              {state === "spam" ? "Not spam" : "Move to inbox"}
            </Button>
          )}
          {state !== "trash" && state !== "spam" && (
            <Button small icon="snooze" onClick={() => setDialog("snooze")}>
              Snooze
            </Button>
          )}
        </>
      )}
      <Button small icon="label" onClick={() => setDialog("labels")}>
        Labels
      </Button>
      <Button small icon="star" onClick={() => void toggleStar(thread)}>
        {thread.starred ? "Remove star" : "Star"}
      </Button>
      <Button small icon="unread" onClick={moving(markUnread)}>
        Mark unread
      </Button>
      {isMovable(thread) && state !== "spam" && state !== "trash" && (
        <Button small icon="spam" onClick={moving(markSpam)}>
          Spam
        </Button>
      )}
      {isMovable(thread) && state !== "trash" && (
        <Button small icon="trash" onClick={moving(trash)}>
          Trash
        </Button>
      )}
      <ThreadUnsubscribe messages={messages} />
      {dialog === "reply" && <ReplyDialog thread={thread} onClose={close} />}
      {dialog === "snooze" && <SnoozeDialog thread={thread} onClose={close} onDone={leave} />}
      {dialog === "labels" && <LabelsDialog thread={thread} onClose={close} />}
    </section>
  );
}
