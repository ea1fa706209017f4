import { app } from "../api/client.ts";
import type { SystemState } from "../api/machine.ts";
import { Await, Badge, Card, Facts, Page } from "../parts/layout.tsx";
import { duration, size } from "../parts/numbers.ts";
import { useLoad } from "../state/load.ts";
import { FindingLine } from "./finding-line.tsx";

const IDLE_POLL_MS = 30_000;
const WEIGHT = { FAULT: 0, advice: 1, ok: 2 } as const;

/** What `postroom doctor` says, and how the machine is. */
export function System() {
  const system = useLoad("system", () => app<SystemState>("GET", "/system"), IDLE_POLL_MS);
  return (
    <Page title="System" lead="How this machine is, and what could be better.">
      <Await of={system} lines={8}>
        {({ version, uptime_s, disk, database, custody, findings }) => {
          const faults = findings.filter(({ result }) => result === "FAULT").length;
          const advice = findings.filter(({ result }) => result === "advice").length;
          return (
            <>
              <Card
                title="Checks"
                text={
                  <>
                    The same as the command <code>postroom doctor</code>.
                  </>
                }
                actions={
                  faults > 0 ? (
                    <Badge tone="bad">{faults} to mend</Badge>
                  ) : advice > 0 ? (
                    <Badge tone="warn">{advice} could be safer</Badge>
                  ) : (
                    <Badge tone="good">All well</Badge>
                  )
                }
              >
                <ul class="rows">
                  {[...findings]
                    .sort((a, b) => WEIGHT[a.result] - WEIGHT[b.result])
                    .map((finding) => (
                      <FindingLine key={`${finding.check} ${finding.detail}`} finding={finding} />
                    ))}
                </ul>
              </Card>
              <Card title="Postroom">
                <Facts
                  rows={[
                    ["Version", version],
                    ["Running for", duration(uptime_s)],
                    ["Key to the mail", keyStorageLabel(custody)],
                    ["Free on the disk", `${size(disk.free_bytes)} of ${size(disk.total_bytes)}`],
                    ["Database", size(database.size_bytes)],
                  ]}
                />
              </Card>
            </>
          );
        }}
      </Await>
    </Page>
  );
}

const KEY_STORAGE_LABELS: Record<string, string> = {
  key_file: "a file in the data folder",
  passphrase: "a passphrase",
  elsewhere: "kept elsewhere",
};

function keyStorageLabel(custody: string): string {
  return KEY_STORAGE_LABELS[custody] ?? custody;
}
