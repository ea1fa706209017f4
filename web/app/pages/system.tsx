import { app } from "../api/client.ts";
import type { SystemState } from "../api/machine.ts";
import { Await, Badge, Card, Facts, Page } from "../parts/layout.tsx";
import { counted, duration, size } from "../parts/numbers.ts";
import { useLoad } from "../state/load.ts";
import { FindingLine } from "./finding-line.tsx";

const IDLE_POLL_MS = 30_000;
const ORDER = { FAULT: 0, advice: 1, ok: 2 } as const;

/** The results of `postroom doctor`, and facts about this installation. */
export function System() {
  const system = useLoad("system", () => app<SystemState>("GET", "/system"), IDLE_POLL_MS);
  return (
    <Page title="System" lead="The health of this installation, with recommendations.">
      <Await of={system} lines={8}>
        {({ version, uptime_s, disk, database, custody, findings }) => {
          const faults = findings.filter(({ result }) => result === "FAULT").length;
          const advice = findings.filter(({ result }) => result === "advice").length;
          return (
            <>
              <Card
                title="Diagnostics"
                text={
                  <>
                    The same checks as <code>postroom doctor</code>.
                  </>
                }
                actions={
                  faults > 0 ? (
                    <Badge tone="bad">{faults} failed</Badge>
                  ) : advice > 0 ? (
                    <Badge tone="warn">{counted(advice, "recommendation")}</Badge>
                  ) : (
                    <Badge tone="good">All passed</Badge>
                  )
                }
              >
                <ul class="rows">
                  {[...findings]
                    .sort((a, b) => ORDER[a.result] - ORDER[b.result])
                    .map((finding) => (
                      <FindingLine key={`${finding.check} ${finding.detail}`} finding={finding} />
                    ))}
                </ul>
              </Card>
              <Card title="Postroom">
                <Facts
                  rows={[
                    ["Version", version],
                    ["Uptime", duration(uptime_s)],
                    ["Key storage", keyStorageLabel(custody)],
                    ["Free disk space", `${size(disk.free_bytes)} of ${size(disk.total_bytes)}`],
                    ["Database size", size(database.size_bytes)],
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
  key_file: "File in the data folder",
  passphrase: "Passphrase",
  elsewhere: "Outside the data folder",
};

function keyStorageLabel(kind: string): string {
  return KEY_STORAGE_LABELS[kind] ?? kind;
}
