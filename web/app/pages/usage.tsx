import type { Usage as UsageModel } from "../../../src/features/usage/model.ts";
import { app, v1 } from "../api/client.ts";
import { type Day, DayBars, UsageMeter } from "../parts/chart.tsx";
import { Await, Badge, Card, Page } from "../parts/layout.tsx";
import { Ago } from "../parts/time.tsx";
import { useLoad } from "../state/load.ts";

interface History {
  requests: Day[];
  sends: Day[];
}

const IDLE_POLL_MS = 30_000;

/** What was used of what the plan allows, and the last 30 days. */
export function Usage() {
  const usage = useLoad("usage", () => v1<UsageModel>("GET", "/usage"), IDLE_POLL_MS);
  const history = useLoad("usage-history", () => app<History>("GET", "/usage/history"), IDLE_POLL_MS);
  return (
    <Page title="Usage" lead="What programs used with your keys. This page itself does not count.">
      <Card title="Now">
        <Await of={usage}>
          {({ plan, requests, sends, ai_credits }) => (
            <div class="meters">
              <UsageMeter label="Requests today" {...requests} />
              <UsageMeter label="Sends today" {...sends} />
              <UsageMeter
                label="AI credits this month"
                {...ai_credits}
                hint={ai_credits.byok ? "The engine is your own: counted, never refused." : undefined}
              />
              <p class="hint">
                Plan <Badge>{plan}</Badge> · daily amounts begin anew <Ago at={requests.resets} />
              </p>
            </div>
          )}
        </Await>
      </Card>
      <Card title="The last 30 days">
        <Await of={history} lines={6}>
          {({ requests, sends }) => (
            <div class="charts">
              <DayBars title="Requests" days={requests} />
              <DayBars title="Sends" days={sends} />
            </div>
          )}
        </Await>
      </Card>
    </Page>
  );
}
