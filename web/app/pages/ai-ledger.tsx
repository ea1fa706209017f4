import type { Static } from "@sinclair/typebox";
import type { Ledger as LedgerModel } from "../../../src/features/engines/model.ts";
import { app } from "../api/client.ts";
import { usePagedList } from "../api/paging.ts";
import { Badge, Card, Empty, FaultNotice, More, Skeleton } from "../parts/layout.tsx";
import { counted, size } from "../parts/numbers.ts";
import { Ago } from "../parts/time.tsx";

type Ledger = Static<typeof LedgerModel>;

/** The log of calls to language models. The server writes an entry before the first byte is sent. */
export function EgressLedger() {
  const calls = usePagedList("ledger", (cursor) => app<Ledger>("GET", "/ai/ledger", { query: { cursor, limit: 20 } }));
  return (
    <Card title="Data sent to language models" text="Every call is recorded before the first byte is sent.">
      <FaultNotice error={calls.error} retry={calls.reload} />
      {calls.rows === null ? (
        !calls.error && <Skeleton />
      ) : calls.rows.length === 0 ? (
        <Empty icon="check" title="No calls yet">
          <p>Calls to a language model appear here. Without a model, nothing is sent.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {calls.rows.map((call) => (
            <li key={`${call.at} ${call.host} ${call.bytes_out}`} class="row">
              <div class="row-main">
                <p class="row-title">
                  {call.purpose}{" "}
                  <Badge tone={call.result === "ok" ? "good" : "warn"}>{call.result ?? "interrupted"}</Badge>
                </p>
                <p class="hint">
                  {call.host} · {call.model} · text of {counted(call.message_ids.length, "message")} ·{" "}
                  <Ago at={call.at} />
                </p>
              </div>
              <p class="row-side numbers">
                {size(call.bytes_out)} sent
                <span class="hint">{call.bytes_in === null ? "no response" : `${size(call.bytes_in)} received`}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      <More more={calls.more} busy={calls.busy} onMore={calls.next} />
    </Card>
  );
}
