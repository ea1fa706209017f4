import { Button, ButtonLink } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Card, Notice } from "../../parts/layout.tsx";

export interface Secret {
  id: string;
  url: string;
  secret: string;
}

/** Shows the signing secret of an endpoint once. */
export function SigningSecret({ made: { id, url, secret }, onClose }: { made: Secret; onClose(): void }) {
  return (
    <Card title="Signing secret">
      <div class="stack" role="status">
        <p class="clip">{url}</p>
        <CopyBox text={secret} label="Copy secret" />
        <Notice tone="warn">
          <p>
            Copy the secret now. It is shown only once. Your receiver uses it to verify that requests are from Postroom
            and unmodified.
          </p>
        </Notice>
        <div class="actions">
          <ButtonLink kind="primary" href={`#/webhooks/${encodeURIComponent(id)}`}>
            {" "}
            Test endpoint{" "}
          </ButtonLink>
          <Button onClick={onClose}>I saved the secret</Button>
        </div>
      </div>
    </Card>
  );
}
