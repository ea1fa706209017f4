import { useState } from "preact/hooks";
import { ButtonLink } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Choice, Select } from "../../parts/field.tsx";
import { Card, Notice } from "../../parts/layout.tsx";
import { CLIENTS, type Client, isLoopback, isPublicHttps, type SignIn } from "./clients.ts";

const SIGN_INS: { value: SignIn; title: string }[] = [
  { value: "browser", title: "Sign in with the browser" },
  { value: "key", title: "API key" },
];

/** Explains how to connect each known assistant, with texts to copy. @param url of the tool server */
export function ConnectAssistant({ url }: { url: string }) {
  const [id, setId] = useState(CLIENTS[0]!.id);
  const [wanted, setWanted] = useState<SignIn>("browser");
  const client = CLIENTS.find((known) => known.id === id)!;
  const signIn = client.signIns.includes(wanted) ? wanted : client.signIns[0];
  return (
    <Card title="Connect an assistant" text="Choose the assistant and follow the steps.">
      <div class="stack">
        <Select
          label="Assistant"
          value={id}
          options={CLIENTS.map(({ id: value, name }) => ({ value, label: name }))}
          onChange={setId}
        />
        {client.signIns.length > 1 && (
          <Choice
            legend="Authentication"
            name="sign-in"
            value={signIn}
            options={SIGN_INS}
            onChange={(value: SignIn) => setWanted(value)}
            inline
          />
        )}
        <Needs of={client} url={url} signIn={signIn} />
        <ol class="numbered">
          {client.steps(signIn).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <CopyBox block text={client.snippet(url, signIn)} label={`Copy the settings for ${client.name}`} />
        {signIn === "key" && (
          <div class="actions">
            <ButtonLink small icon="key" href="#/keys?new=assistant">
              Create API key
            </ButtonLink>
          </div>
        )}
      </div>
    </Card>
  );
}

/** States what an assistant needs, and warns if this installation does not have it. */
function Needs({ of, url, signIn }: { of: Client; url: string; signIn: SignIn }) {
  const key = signIn === "key" ? ", and an API key" : "";
  if (of.reach === "local") {
    return <p class="hint">Needs Postroom on the same computer{key}. No network is used.</p>;
  }
  if (of.reach === "network") {
    return (
      <p class="hint">
        Needs access to {url} from its computer{key}.{" "}
        {isLoopback(url) && "This address works only on the computer that runs Postroom."}
      </p>
    );
  }
  if (isPublicHttps(url)) return <p class="hint">Needs a public HTTPS address{key}.</p>;
  return (
    <Notice tone="warn">
      <p>
        {of.name} runs on its vendor's servers and needs a public HTTPS address. Postroom is at {url}. See “Reverse
        proxy” in the operations guide.
      </p>
    </Notice>
  );
}
