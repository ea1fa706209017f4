import { useState } from "preact/hooks";
import type { ConsentBody, ConsentRequest } from "../../api/assistants.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, Choice } from "../../parts/field.tsx";
import { Await, Badge, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { useLoad } from "../../state/load.ts";
import { isAlone, session } from "../../state/session.ts";
import { identityOf } from "./identity.ts";
import { LiftLimits } from "./lift-limits.tsx";

const ALL = "";
const SANDBOX = "sandbox";
type Permission = ConsentRequest["permissions"][number];
type Confirm = NonNullable<ConsentBody["confirm"]>;

const CONFIRM: { value: Confirm; title: string; text: string }[] = [
  {
    value: "ask",
    title: "In the assistant, or in Postroom",
    text: "The assistant's program asks you, if it can show questions. Otherwise, the message waits under Approvals.",
  },
  { value: "approve", title: "Always in Postroom", text: "Every message waits under Approvals." },
];

/** Asks the person what an assistant may do. @param uid of the request */
export function Consent({ uid }: { uid: string }) {
  const path = `/assistants/consents/${encodeURIComponent(uid)}`;
  const request = useLoad(`consent ${uid}`, () => app<ConsentRequest>("GET", path));
  if (request.error && request.data === null) {
    return (
      <Page title="This request has expired">
        <p>
          Requests expire soon and work only in the browser that started them. To start again, connect from the
          assistant.
        </p>
        <FaultNotice error={request.error} />
      </Page>
    );
  }
  return <Await of={request}>{(asked) => <Decision asked={asked} path={path} />}</Await>;
}

function Decision({ asked, path }: { asked: ConsentRequest; path: string }) {
  const { name, permissions, mailboxes, connection, refusal } = asked;
  const [chosen, setChosen] = useState<readonly string[]>(
    permissions.filter(({ suggested }) => suggested).map((permission) => permission.name),
  );
  const [mailbox, setMailbox] = useState(connection?.sandbox ? SANDBOX : (connection?.account_id ?? ALL));
  const [confirm, setConfirm] = useState<Confirm>("ask");
  const [busy, setBusy] = useState<"approve" | "deny" | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const scopes = permissions.filter((one) => chosen.includes(one.name)).flatMap((one) => one.scopes);
  const asksForSending = connection === null && chosen.includes("send_mail");

  async function decide(how: "approve" | "deny") {
    setBusy(how);
    setFault(null);
    const body: ConsentBody = {
      scopes,
      account_id: mailbox === ALL || mailbox === SANDBOX ? null : mailbox,
      sandbox: mailbox === SANDBOX,
      ...(asksForSending && { confirm }),
    };
    try {
      const sent = how === "approve" ? { body } : {};
      const { redirect_to } = await app<{ redirect_to: string }>("POST", `${path}/${how}`, sent);
      location.assign(redirect_to);
    } catch (error) {
      setFault(error);
      setBusy(null);
    }
  }
  return (
    <Page title={`Allow “${name}” to use your mail?`}>
      <div class="stack">
        <Identity of={asked} />
        <p>
          You are signed in as <strong>{session.value?.user?.email}</strong>.
        </p>
        {connection && (
          <p>
            You have connected this assistant before. It keeps its other permissions. Of those below, it keeps only the
            ones that you select.
          </p>
        )}
        {refusal ? (
          <Notice tone="warn">{isAlone() ? <LiftLimits /> : <p>{refusal.message}</p>}</Notice>
        ) : (
          <>
            <fieldset class="choice">
              <legend>Permissions</legend>
              <div class="stack">
                {permissions.map((permission) => (
                  <PermissionBox
                    key={permission.name}
                    permission={permission}
                    checked={chosen.includes(permission.name)}
                    onChange={(on) =>
                      setChosen(on ? [...chosen, permission.name] : chosen.filter((other) => other !== permission.name))
                    }
                  />
                ))}
              </div>
            </fieldset>
            <Choice
              legend="Mailboxes"
              name="mailbox"
              value={mailbox}
              options={[
                { value: ALL, title: "All mailboxes", text: "Including mailboxes that you connect later." },
                ...mailboxes.map(({ id, email }) => ({ value: id, title: email })),
                {
                  value: SANDBOX,
                  title: "Sample mailbox",
                  text: "Sample mail for testing. Nothing that is sent there leaves this machine.",
                },
              ]}
              onChange={setMailbox}
            />
            {asksForSending && (
              <Choice
                legend="How sends are confirmed"
                name="confirm"
                value={confirm}
                options={CONFIRM}
                onChange={(value: Confirm) => setConfirm(value)}
              />
            )}
            {chosen.includes("send_mail") && (
              <p class="hint">
                Messages to people you have never written to always wait under Approvals, unless you change this under
                Assistants.
              </p>
            )}
          </>
        )}
        <FaultNotice error={fault} />
        <div class="actions end">
          <Button busy={busy === "deny"} onClick={() => decide("deny")}>
            Deny
          </Button>
          {!refusal && (
            <Button
              kind="primary"
              busy={busy === "approve"}
              disabled={scopes.length === 0}
              onClick={() => decide("approve")}
            >
              Allow
            </Button>
          )}
        </div>
        {!refusal && <p class="hint">You can revoke this access at any time under Assistants.</p>}
      </div>
    </Page>
  );
}

function Identity({ of }: { of: ConsentRequest }) {
  const { publisher, where, said, trusted } = identityOf(of);
  return (
    <Notice tone={trusted ? "info" : "warn"}>
      <p>
        {publisher ? <Badge tone="info">Published at {publisher}</Badge> : <Badge tone="warn">Name not verified</Badge>}
      </p>
      <p>
        After you decide, the browser returns to <strong>{where}</strong>.
      </p>
      <p>{said}</p>
    </Notice>
  );
}

interface PermissionBoxProps {
  permission: Permission;
  checked: boolean;
  onChange(on: boolean): void;
}

function PermissionBox({ permission, checked, onChange }: PermissionBoxProps) {
  const { title, description, danger } = permission;
  return (
    <Checkbox
      label={
        <>
          {title} {danger && <Badge tone="warn">Acts on your behalf</Badge>}
        </>
      }
      hint={description}
      checked={checked}
      onChange={onChange}
    />
  );
}
