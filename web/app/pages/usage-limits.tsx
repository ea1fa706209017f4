import { useState } from "preact/hooks";
import type { LimitsForPrograms } from "../../../src/features/usage/model.ts";
import { app } from "../api/client.ts";
import { Choice } from "../parts/field.tsx";
import { Await, Badge, Card, FaultNotice } from "../parts/layout.tsx";
import { useLoad } from "../state/load.ts";
import { isAlone } from "../state/session.ts";
import { showToast } from "../state/toasts.ts";

type Programs = LimitsForPrograms["programs"];

const TITLES: Record<Programs, string> = { standard: "Standard", none: "None" };

/** The owner's choice of whether limits apply to programs. */
export function ProgramLimitsCard({ onChange }: { onChange(): Promise<void> }) {
  const limits = useLoad("program-limits", () => app<LimitsForPrograms>("GET", "/usage/limits"));
  const [fault, setFault] = useState<unknown>(null);
  async function choose(programs: Programs) {
    setFault(null);
    try {
      limits.set(await app<LimitsForPrograms>("PATCH", "/usage/limits", { body: { programs } }));
      showToast(programs === "none" ? "Programs are no longer limited." : "The standard limits apply to programs.");
      await onChange();
    } catch (error) {
      setFault(error);
      // The browser has selected the other option already.
      await limits.reload();
    }
  }
  return (
    <Card
      title="Limits for programs"
      text={
        isAlone()
          ? "For API keys and assistants."
          : "For API keys and assistants of everyone on this machine. The plans of members still decide what their programs can use."
      }
    >
      <Await of={limits} lines={2}>
        {({ programs, configured }) =>
          configured ? (
            <p>
              <Badge>{TITLES[programs]}</Badge> Set in the configuration (<code>limits.programs</code>). Change it
              there.
            </p>
          ) : (
            <Choice<Programs>
              legend="Limits"
              name="program-limits"
              value={programs}
              options={[
                {
                  value: "standard",
                  title: TITLES.standard,
                  text: "Requests and messages are limited, so that a faulty program is stopped.",
                },
                {
                  value: "none",
                  title: TITLES.none,
                  text: "Requests, messages and AI are counted but not limited. Sending rules of assistants, and the limit for API keys in their first 24 hours, still apply.",
                },
              ]}
              onChange={choose}
            />
          )
        }
      </Await>
      <FaultNotice error={fault} />
    </Card>
  );
}
