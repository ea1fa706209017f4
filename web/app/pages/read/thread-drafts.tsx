import type { DraftItem } from "../../../../src/features/drafts/model.ts";
import { v1 } from "../../api/client.ts";
import type { PageOf } from "../../api/paging.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Notice } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";

const NEWEST_DRAFTS = 100;

/** Links to drafts that reply to a thread. */
export function ThreadDrafts({ threadId }: { threadId: string }) {
  const drafts = useLoad(`drafts of ${threadId}`, async () => {
    const { data } = await v1<PageOf<DraftItem>>("GET", "/drafts", { query: { limit: NEWEST_DRAFTS } });
    return data.filter(({ thread_id }) => thread_id === threadId);
  });
  return (
    <>
      {drafts.data?.map(({ id, updated_at, send_id }) => (
        <Notice key={id} tone="info" title={send_id ? "A reply is being sent" : "A reply is waiting as a draft"}>
          <p>
            Last changed <Ago at={updated_at} />.
          </p>
          <ButtonLink small icon="draft" href={`#/read/drafts/${encodeURIComponent(id)}`}>
            Open draft
          </ButtonLink>
        </Notice>
      ))}
    </>
  );
}
