import type { Mailbox } from "../../api/connect.ts";
import { Badge, Card, Facts } from "../../parts/layout.tsx";
import { count } from "../../parts/numbers.ts";
import { LocalFolders } from "./imported.tsx";
import { providerName, statusOf } from "./labels.ts";
import { TextIndexing } from "./text-indexing.tsx";

/** The mailbox of the sandbox. It has no server and no settings. */
export function SampleMailbox({ box }: { box: Mailbox }) {
  const { tone, label, sentence } = statusOf(box);
  const messages = box.folders.reduce((sum, { done }) => sum + done, 0);
  return (
    <>
      <Card
        title={
          <>
            <Badge tone={tone}>{label}</Badge> {sentence}
          </>
        }
      >
        <TextIndexing search={box.search} />
        <Facts
          rows={[
            ["Type", providerName(box.provider)],
            ["Messages", count(messages)],
          ]}
        />
      </Card>
      <LocalFolders box={box} />
    </>
  );
}
