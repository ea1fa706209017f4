import { Button, ButtonLink } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Card, Notice } from "../../parts/layout.tsx";

export interface Secret {
  id: string;
  url: string;
  secret: string;
}

/** The signing secret of an endpoint, this once. */
export function SigningSecret({ made: { id, url, secret }, onClose }: { made: Secret; onClose(): void }) {
  return (
    <Card title="The signing secret">
      <div class="stack" role="status">
        <p class="clip">{url}</p>
        <CopyBox text={secret} label="Copy the secret" />
        <Notice tone="warn">
          <p>Shown this once. The receiver checks with it that a request comes from here and was not changed.</p>
        </Notice>
        <div class="actions">
          <ButtonLink kind="primary" href={`#/webhooks/${encodeURIComponent(id)}`}>
            Test it
          </ButtonLink>
          <Button onClick={onClose}>I have stored it</Button>
        </div>
      </div>
    </Card>
  );
}
