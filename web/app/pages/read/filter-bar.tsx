import { useEffect, useState } from "preact/hooks";
import type { AccountItem } from "../../../../src/features/accounts/model.ts";
import type { ThreadItem } from "../../../../src/features/threads/model.ts";
import { Fault, v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, type Option, Select, TextField } from "../../parts/field.tsx";
import { useLoad } from "../../state/load.ts";
import { navigate } from "../../state/route.ts";
import { type Filters, filterCount, readHash, STATES, TABS } from "./filters.ts";
import { useLabels } from "./use-labels.ts";

/** Moves the focus to the search field of the list. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
}

/** Returns whether the search text could not be understood. The search field shows this error. */
export function isQueryFault(error: unknown): error is Fault {
  return error instanceof Fault && error.param === "q";
}

interface BarProps {
  filters: Filters;
  rows: readonly ThreadItem[];
  fault: unknown;
}

/** What the list shows: a folder, a search, and further filters. All of it is in the address. */
export function FilterBar({ filters, rows, fault }: BarProps) {
  const [q, setQ] = useState(filters.q);
  useEffect(() => setQ(filters.q), [filters.q]);
  const [open, setOpen] = useState(false);
  const show = (changed: Partial<Filters>) => navigate(readHash({ ...filters, ...changed }));
  const more = filterCount(filters);
  return (
    <div class="mail-filters">
      <MailTabs filters={filters} />
      <search>
        <form
          class="with-button"
          onSubmit={(event) => {
            event.preventDefault();
            show({ q: q.trim() });
          }}
        >
          <TextField
            label="Search these threads"
            type="search"
            autocomplete="off"
            placeholder="Words, or operators such as from:ada has:attachment"
            value={q}
            onInput={(value) => {
              setQ(value);
              // The field's own button to clear it.
              if (value === "" && filters.q) show({ q: "" });
            }}
            fault={isQueryFault(fault) ? fault.message : undefined}
          />
          <Button type="submit" icon="search">
            Search
          </Button>
          <button
            type="button"
            class="button plain mail-filters-toggle"
            aria-expanded={open}
            aria-controls="mail-more-filters"
            onClick={() => setOpen(!open)}
          >
            <span>{more > 0 ? `Filters (${more})` : "Filters"}</span>
          </button>
        </form>
      </search>
      <div id="mail-more-filters" class={open ? "mail-more open" : "mail-more"}>
        <MailboxSelect value={filters.account} onChange={(account) => show({ account })} />
        <Select label="Category" labelHidden value={filters.tab} options={TABS} onChange={(tab) => show({ tab })} />
        <LabelSelect value={filters.label} rows={rows} onChange={(label) => show({ label })} />
        <Checkbox label="Unread only" checked={filters.unread} onChange={(unread) => show({ unread })} />
      </div>
    </div>
  );
}

/** The folders, and the drafts. */
export function MailTabs({ filters }: { filters: Filters | null }) {
  return (
    <ul class="mail-tabs" aria-label="Folders">
      {STATES.map(({ value, label }) => (
        <li key={value}>
          <a
            href={
              filters ? readHash({ ...filters, state: value }) : `#/read${value === "inbox" ? "" : `?state=${value}`}`
            }
            aria-current={filters?.state === value ? "page" : undefined}
          >
            {label}
          </a>
        </li>
      ))}
      <li>
        <a href="#/read/drafts" aria-current={filters === null ? "page" : undefined}>
          Drafts
        </a>
      </li>
    </ul>
  );
}

function MailboxSelect({ value, onChange }: { value: string; onChange(value: string): void }) {
  const accounts = useLoad("read-accounts", async () => (await v1<{ data: AccountItem[] }>("GET", "/accounts")).data);
  const options: Option[] = (accounts.data ?? []).map(({ id, email }) => ({ value: id, label: email }));
  if (options.length < 2 && !value) return null;
  return (
    <Select
      label="Mailbox"
      labelHidden
      value={value}
      options={withCurrent([{ value: "", label: "All mailboxes" }, ...options], value)}
      onChange={onChange}
    />
  );
}

interface LabelProps {
  value: string;
  rows: readonly ThreadItem[];
  onChange(value: string): void;
}

function LabelSelect({ value, rows, onChange }: LabelProps) {
  const labels = useLabels(rows.flatMap((row) => row.labels));
  if (labels.length === 0 && !value) return null;
  const options = labels.map((label) => ({ value: label, label }));
  return (
    <Select
      label="Label"
      labelHidden
      value={value}
      options={withCurrent([{ value: "", label: "All labels" }, ...options], value)}
      onChange={onChange}
    />
  );
}

/** Adds the chosen value if it is not among the options, so that the control shows what applies. */
function withCurrent(options: Option[], value: string): Option[] {
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
}
