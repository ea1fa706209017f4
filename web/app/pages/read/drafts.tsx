import { useEffect, useRef } from "preact/hooks";
import type { DraftItem } from "../../../../src/features/drafts/model.ts";
import { v1 } from "../../api/client.ts";
import { type PageOf, usePagedList } from "../../api/paging.ts";
import { Badge, Card, Empty, FaultNotice, More, Page, Skeleton } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { navigate } from "../../state/route.ts";
import { pendingSends } from "../../state/sending.ts";
import { MailTabs } from "./filter-bar.tsx";
import { ShortcutHelp, useShortcuts } from "./shortcuts.tsx";

/** The drafts, the last changed first. */
export function Drafts() {
  const list = usePagedList("drafts", (cursor) => v1<PageOf<DraftItem>>("GET", "/drafts", { query: { cursor } }));
  const { rows } = list;
  const pending = pendingSends.value.length;
  const shown = useRef(pending);
  useEffect(() => {
    // A draft disappears when it was sent, and is unlocked when its send was undone.
    if (pending !== shown.current) void list.reload();
    shown.current = pending;
  }, [pending]);
  const links = () => [...document.querySelectorAll<HTMLElement>(".drafts a")];
  const step = (by: 1 | -1) => {
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLElement);
    (at < 0 ? all[0] : all[at + by])?.focus();
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    o: () =>
      links()
        .find((one) => one === document.activeElement)
        ?.click(),
    u: () => navigate("#/read"),
  });
  return (
    <Page title="Drafts" actions={<ShortcutHelp />}>
      <div class="mail-filters">
        <MailTabs filters={null} />
      </div>
      <Card>
        <FaultNotice error={list.error} retry={list.reload} />
        {rows === null ? (
          !list.error && <Skeleton lines={4} />
        ) : rows.length === 0 ? (
          <Empty icon="draft" title="No drafts">
            <p>
              Drafts from your mail programs, from assistants and from Postroom appear here. You can edit, send and
              delete them.
            </p>
          </Empty>
        ) : (
          <ul class="rows drafts">
            {rows.map(({ id, to, subject, send_id, updated_at }) => (
              <li key={id} class="row">
                <div class="row-main">
                  <p class="row-title">
                    <a href={`#/read/drafts/${encodeURIComponent(id)}`}>{subject || "(no subject)"}</a>{" "}
                    {send_id && <Badge tone="info">Being sent</Badge>}
                  </p>
                  <p class="hint">{to.length > 0 ? `To ${to.join(", ")}` : "No recipients yet"}</p>
                </div>
                <p class="hint">
                  <Ago at={updated_at} />
                </p>
              </li>
            ))}
          </ul>
        )}
        <More more={list.more} busy={list.busy} onMore={list.next} />
      </Card>
    </Page>
  );
}
