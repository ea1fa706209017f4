import { useState } from "preact/hooks";
import type { NamedAuditEntry } from "../../../../src/features/audit/model.ts";
import { app } from "../../api/client.ts";
import { type PageOf, usePagedList } from "../../api/paging.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, Empty, FaultNotice, More, Page, Skeleton } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { Verbatim } from "../../parts/verbatim.tsx";
import { DONE, sentenceOf } from "./sentences.ts";

const ACTIONS = Object.keys(DONE);

interface Filter {
  action: string;
  target: string;
}

/** The audit log, with the values before and after each change. */
export function Audit() {
  const [typed, setTyped] = useState<Filter>({ action: "", target: "" });
  const [filter, setFilter] = useState<Filter>(typed);
  const entries = usePagedList(`audit ${filter.action} ${filter.target}`, (cursor) =>
    app<PageOf<NamedAuditEntry>>("GET", "/audit", { query: { ...filter, cursor, limit: 25 } }),
  );
  const filtered = filter.action !== "" || filter.target !== "";
  return (
    <Page title="Audit log" lead="Every change, with who made it and the values before and after.">
      <Card>
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            setFilter({ action: typed.action.trim(), target: typed.target.trim() });
          }}
        >
          <TextField
            label="Action"
            placeholder="key.create"
            autocomplete="off"
            choices={ACTIONS}
            mono
            value={typed.action}
            onInput={(action) => setTyped({ ...typed, action })}
          />
          <TextField
            label="Target ID"
            placeholder="thr_…"
            autocomplete="off"
            mono
            value={typed.target}
            onInput={(target) => setTyped({ ...typed, target })}
          />
          <Button type="submit">Apply filter</Button>
          {filtered && (
            <Button
              kind="quiet"
              onClick={() => {
                setTyped({ action: "", target: "" });
                setFilter({ action: "", target: "" });
              }}
            >
              {" "}
              Clear filter{" "}
            </Button>
          )}
        </form>
      </Card>
      <Card>
        <FaultNotice error={entries.error} retry={entries.reload} />
        {entries.rows === null ? (
          !entries.error && <Skeleton lines={8} />
        ) : entries.rows.length === 0 ? (
          <Empty icon="audit" title={filtered ? "No matching entries" : "No entries yet"}>
            {" "}
            <p>
              {" "}
              {filtered
                ? "Change or clear the filter."
                : "Changes to mail, API keys, rules and settings appear here."}{" "}
            </p>{" "}
          </Empty>
        ) : (
          <ul class="rows">
            {entries.rows.map((entry) => (
              <EntryLine key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        <More more={entries.more} busy={entries.busy} onMore={entries.next} />
      </Card>
    </Page>
  );
}

function EntryLine({ entry }: { entry: NamedAuditEntry }) {
  const { actor, action, target, before, after, request_id } = entry;
  const { who, did, object, page } = sentenceOf(entry);
  return (
    <li class="row open">
      <details class="row-main">
        <summary>
          <span class="row-title">
            {who} <span class="plain">{did}</span> {object !== null && `“${object}”`}
          </span>
          <span class="hint">
            <Ago at={entry.at} />
          </span>
        </summary>
        <div class="stack">
          {page !== null && (
            <p>
              <a href={`#/${page}`}>Open {object === null ? "the page" : `“${object}”`}</a>
            </p>
          )}
          <p class="hint">
            Action <code>{action}</code>
            <Id name="actor" id={actor.id} />
            <Id name="tool" id={actor.tool ?? null} />
            <Id name="target" id={target} />
            <Id name="request" id={request_id} />
          </p>
          <div class="columns">
            <Value title="Before" value={before} />
            <Value title="After" value={after} />
          </div>
        </div>
      </details>
    </li>
  );
}

function Id({ name, id }: { name: string; id: string | null }) {
  return id === null ? null : (
    <>
      {` · ${name} `}
      <code>{id}</code>
    </>
  );
}

function Value({ title, value }: { title: string; value: unknown }) {
  return (
    <div class="value">
      <h3>{title}</h3>
      {value === null || value === undefined ? (
        <p class="hint">None</p>
      ) : (
        <Verbatim label={title} text={JSON.stringify(value, null, 2)} />
      )}
    </div>
  );
}
