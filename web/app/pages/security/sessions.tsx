import { useState } from "preact/hooks";
import type { SessionRow } from "../../api/auth.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Await, Badge, Card, FaultNotice } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";

export function Sessions() {
  const sessions = useLoad("sessions", async () => (await app<{ data: SessionRow[] }>("GET", "/sessions")).data);
  const [fault, setFault] = useState<unknown>(null);
  const end = (path: string, done: string) => {
    app("DELETE", path)
      .then(() => sessions.reload())
      .then(() => {
        setFault(null);
        showToast(done);
      }, setFault);
  };
  const others = (sessions.data ?? []).filter(({ current }) => !current);
  return (
    <Card
      title="Active sessions"
      actions={
        others.length > 0 && (
          <Button small onClick={() => end("/sessions", "All other devices signed out.")}>
            Sign out other devices
          </Button>
        )
      }
    >
      <Await of={sessions}>
        {(rows) => (
          <ul class="rows">
            {rows.map((row) => (
              <li key={row.id} class="row">
                <div class="row-main">
                  <p class="row-title">
                    {row.device} {row.current && <Badge tone="good">This device</Badge>}
                  </p>
                  <p class="hint">
                    {row.address} · last used <Ago at={row.last_used_at} /> · signed in <Ago at={row.created_at} />
                  </p>
                </div>
                {!row.current && (
                  <Button
                    small
                    label={`Sign out ${row.device}`}
                    onClick={() => end(`/sessions/${encodeURIComponent(row.id)}`, "Device signed out.")}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Await>
      <FaultNotice error={fault} />
    </Card>
  );
}
