import type { Usage as UsageModel } from "../../../src/features/usage/model.ts";
import { app, v1 } from "../api/client.ts";
import { type Day, DayBars, UsageMeter } from "../parts/chart.tsx";
import { Await, Badge, Card, Page } from "../parts/layout.tsx";
import { Ago } from "../parts/time.tsx";
import { useLoad } from "../state/load.ts";
import { isAlone, isOwner } from "../state/session.ts";
import { ProgramLimitsCard } from "./usage-limits.tsx";

interface History {
  requests: Day[];
  sends: Day[];
}

const IDLE_POLL_MS = 30_000;

/** Current usage against the limits that apply, the last 30 days, and for the owner the limits for programs. */
export function Usage() {
  const usage = useLoad("usage", () => v1<UsageModel>("GET", "/usage"), IDLE_POLL_MS);
  const history = useLoad("usage-history", () => app<History>("GET", "/usage/history"), IDLE_POLL_MS);
  return (
    <Page
      title="Usage"
      lead="What programs use through your API keys. The settings page does not count toward the limits."
    >
      <Card title="Current usage">
        <Await of={usage}>
          {({ plan, requests, sends, ai_credits }) => (
            <div class="meters">
              <UsageMeter label="API requests today" {...requests} />
              <UsageMeter label="Messages sent today" {...sends} />
              {!(isAlone() && ai_credits.byok) && (
                <UsageMeter
                  label="AI credits this month"
                  {...ai_credits}
                  hint={
                    ai_credits.byok ? "AI runs on your own engine, so credits are counted but not limited." : undefined
                  }
                />
              )}
              <p class="hint">
                {!isAlone() && (
                  <>
                    Plan <Badge>{plan}</Badge>
                    {" · "}
                  </>
                )}
                {isAlone() ? "Daily counts reset " : "daily counts reset "}
                <Ago at={requests.resets} />
              </p>
            </div>
          )}
        </Await>
      </Card>
      {isOwner() && <ProgramLimitsCard onChange={usage.reload} />}
      <Card title="Last 30 days">
        <Await of={history} lines={6}>
          {({ requests, sends }) => (
            <div class="charts">
              <DayBars title="API requests" days={requests} />
              <DayBars title="Messages sent" days={sends} />
            </div>
          )}
        </Await>
      </Card>
    </Page>
  );
}
