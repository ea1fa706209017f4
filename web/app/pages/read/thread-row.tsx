import type { ThreadItem } from "../../../../src/features/threads/model.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { Badge } from "../../parts/layout.tsx";
import { ListTime } from "../../parts/time.tsx";
import { type ActedOn, archive, isMovable, moveToInbox, toggleStar, trash } from "./actions.ts";
import { type Filters, readHash } from "./filters.ts";

/** Returns the link of a row; null while the row is not shown. */
export function rowLink(id: string): HTMLElement | null {
  return document.getElementById(`row-${id}`);
}

interface RowProps {
  row: ThreadItem;
  filters: Filters;
  onFocus(): void;
  /** Runs an action that removes the row. */
  onRemove(act: (row: ActedOn) => Promise<boolean>): void;
}

const MAX_LABELS = 3;

/** One thread in the list. */
export function ThreadRow({ row, filters, onFocus, onRemove }: RowProps) {
  const { id, subject, from, snippet, labels, unread, message_count, updated_at, has_attachment } = row;
  const name = subject || "(no subject)";
  const sender = from.name || from.email || "(no sender)";
  return (
    <li class={unread ? "thread unread" : "thread"} onFocusIn={onFocus}>
      <StarButton thread={row} />
      {/* The link covers the row. Its name has what the row shows in two places. */}
      <a id={`row-${id}`} class="thread-link" href={readHash(filters, id)}>
        <span class="visually-hidden">
          {unread && "Unread. "}
          {sender}: {name}
        </span>
      </a>
      <div class="thread-cells">
        <span class="thread-from">
          <span class="thread-name" aria-hidden="true">
            {sender}
          </span>
          {message_count > 1 && (
            <span class="thread-count numbers">
              {message_count}
              <span class="visually-hidden"> messages</span>
            </span>
          )}
        </span>
        <span class="thread-text">
          <span class="thread-subject" aria-hidden="true">
            {name}
          </span>
          <span class="thread-snippet">{snippet}</span>
        </span>
        {labels.length > 0 && (
          <span class="thread-labels">
            {labels.slice(0, MAX_LABELS).map((label) => (
              <Badge key={label}>{label}</Badge>
            ))}
            {labels.length > MAX_LABELS && <Badge>+{labels.length - MAX_LABELS}</Badge>}
          </span>
        )}
        <span class="thread-side">
          {has_attachment && (
            <span class="thread-clip">
              <Icon name="clip" size={15} />
              <span class="visually-hidden">Has attachments</span>
            </span>
          )}
          <span class="thread-time numbers">
            <ListTime at={updated_at} />
          </span>
        </span>
      </div>
      {isMovable(row) && (
        <span class="thread-quick">
          {row.state === "inbox" ? (
            <QuickButton icon="archive" label={`Archive: ${name}`} onClick={() => onRemove(archive)} />
          ) : (
            <QuickButton icon="inbox" label={`Move to inbox: ${name}`} onClick={() => onRemove(moveToInbox)} />
          )}
          {row.state !== "trash" && (
            <QuickButton icon="trash" label={`Move to trash: ${name}`} onClick={() => onRemove(trash)} />
          )}
        </span>
      )}
    </li>
  );
}

/** A shortcut for the mouse. With the keyboard, the keys of the focused row do the same. */
function QuickButton({ icon, label, onClick }: { icon: IconName; label: string; onClick(): void }) {
  return (
    <button type="button" class="icon-button" tabIndex={-1} title={label.split(":")[0]} onClick={onClick}>
      <Icon name={icon} size={17} />
      <span class="visually-hidden">{label}</span>
    </button>
  );
}

function StarButton({ thread }: { thread: ThreadItem }) {
  return (
    <button
      type="button"
      class="icon-button star"
      aria-pressed={thread.starred}
      aria-label={`Star: ${thread.subject || "(no subject)"}`}
      onClick={() => void toggleStar(thread)}
    >
      <Icon name="star" size={17} />
    </button>
  );
}
