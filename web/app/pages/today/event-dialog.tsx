import type { ComponentChildren } from "preact";
import type { CalendarItem } from "../../../../src/features/brief/model.ts";
import type { CalendarEvent } from "../../../../src/features/calendar/model.ts";
import { v1 } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Await, Facts, Notice } from "../../parts/layout.tsx";
import { When } from "../../parts/time.tsx";
import { Verbatim } from "../../parts/verbatim.tsx";
import { useLoad } from "../../state/load.ts";

const STATUSES: Partial<Record<CalendarEvent["status"], string>> = {
  tentative: "Tentative",
  needs_action: "You have not answered the invitation.",
  declined: "You declined.",
  cancelled: "Canceled by the organizer.",
};

/** Shows the details of an event that came with no mail. */
export function EventDialog({ item, onClose }: { item: CalendarItem; onClose(): void }) {
  const event = useLoad(`event ${item.event_id} ${item.start}`, async () => ({ found: await find(item) }));
  return (
    <Dialog title={item.title} onClose={onClose}>
      <Await of={event}>
        {({ found }) =>
          found ? (
            <div class="stack">
              <Facts rows={factsOf(found)} />
              {found.description && <Verbatim proportional label="Description" text={found.description} />}
            </div>
          ) : (
            <Notice tone="info">
              <p>This event was deleted or moved after the brief was generated.</p>
            </Notice>
          )
        }
      </Await>
    </Dialog>
  );
}

/** Returns the occurrence of the event; null if there is none at its time any more. */
async function find({ event_id, start }: CalendarItem): Promise<CalendarEvent | null> {
  const to = new Date(Date.parse(start) + 60_000).toISOString();
  const { data } = await v1<{ data: CalendarEvent[] }>("GET", "/calendar/events", { query: { from: start, to } });
  return data.find((event) => event.id === event_id && Date.parse(event.start) === Date.parse(start)) ?? null;
}

function factsOf({ start, end, location, organizer, attendees, status }: CalendarEvent) {
  const rows: [name: string, value: ComponentChildren][] = [
    ["Start", <When key="start" at={start} />],
    ["End", <When key="end" at={end} />],
  ];
  if (location) rows.push(["Location", <bdi key="location">{location}</bdi>]);
  if (organizer) rows.push(["Organizer", organizer]);
  if (attendees.length > 0) rows.push(["Attendees", attendees.join(", ")]);
  const known = STATUSES[status];
  if (known) rows.push(["Status", known]);
  return rows;
}
