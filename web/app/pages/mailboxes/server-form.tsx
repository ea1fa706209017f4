import { useState } from "preact/hooks";
import { app, Fault } from "../../api/client.ts";
import type { Discovery, LoginResults, Mailbox, OAuthProvider, Server } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, TextField } from "../../parts/field.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { type Faults, useForm } from "../../state/form.ts";
import { navigate } from "../../state/route.ts";
import { sandbox } from "../../state/sandbox.ts";
import { isOwner } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { LoginReport } from "./login-report.tsx";
import { ServerFields } from "./server-fields.tsx";

const FROM: Record<Discovery["source"], string> = {
  autoconfig: "Found in the settings published by the provider.",
  srv: "Found in the domain's DNS records.",
  provider: "Built-in settings for this provider.",
  ispdb: "Found in Thunderbird's database of mail providers.",
  none: "No servers found. Enter them manually.",
  guess: "The domain publishes no settings, so these servers are guesses. Check and correct them.",
};

const OAUTH_NAMES = { google: "Google", microsoft: "Microsoft" } as const;
const OTHER_IMAP: Server = { host: "", port: 993, security: "tls" };
const OTHER_SMTP: Server = { host: "", port: 587, security: "starttls" };

/** Shows the servers that were found, for correction, and tests both sign-ins before connecting. */
export function ServerForm({ email, found, onBack }: { email: string; found: Discovery; onBack(): void }) {
  const [results, setResults] = useState<LoginResults | null>(null);
  const [editing, setEditing] = useState(found.source === "guess" || found.source === "none");
  const form = useForm(
    {
      imap: found.imap ?? OTHER_IMAP,
      smtp: found.smtp,
      username: found.username,
      password: "",
      read_only: false,
    },
    {
      check: ({ imap, username, password }) => {
        const faults: Faults = {};
        if (!imap.host.trim()) faults.imap = "Enter the server name.";
        if (!username.trim()) faults.username = "Enter the username.";
        if (!password) faults.password = "Enter the mailbox password.";
        return faults;
      },
      async send({ imap, smtp, username, password, read_only }) {
        setResults(null);
        const servers = { imap, smtp: smtp?.host.trim() ? smtp : null };
        const body = { email, ...servers, username: username.trim(), password, read_only };
        try {
          const box = await app<Mailbox>("POST", "/mailboxes", { body });
          showToast(`${email} connected.`);
          sandbox.value = false;
          navigate(`#/mailboxes/${encodeURIComponent(box.id)}`);
        } catch (error) {
          const details = error instanceof Fault && error.code === "connection_failed" ? error.details : null;
          if (!details) throw error;
          setResults(details as LoginResults);
        }
      },
    },
  );
  const { values, faults, set } = form;
  if (!found.methods.includes("password") && found.oauth) {
    return (
      <Card title={found.name || email} text={FROM[found.source]}>
        <div class="stack">
          {found.advice && <p>{found.advice}</p>}
          <OAuthStart found={found} email={email} />
          <div class="actions">
            <Button onClick={onBack}>Change address</Button>
          </div>
        </div>
      </Card>
    );
  }
  return (
    <Card title={found.name || email} text={FROM[found.source]}>
      <form class="stack" noValidate onSubmit={form.submit}>
        {found.advice && (
          <Notice tone="info">
            <p>{found.advice}</p>
          </Notice>
        )}
        {found.oauth && found.methods.includes("oauth2") && <OAuthStart found={found} email={email} />}
        {editing ? (
          <>
            <TextField
              label="Username"
              autocomplete="username"
              value={values.username}
              fault={faults.username}
              onInput={(value) => set("username", value)}
            />
            <ServerFields
              title="Incoming mail (IMAP)"
              server={values.imap}
              fault={faults.imap}
              onChange={(imap) => set("imap", imap)}
            />
            <ServerFields
              title="Outgoing mail (SMTP)"
              hint="Leave empty to read mail without sending."
              server={values.smtp ?? OTHER_SMTP}
              fault={faults.smtp}
              onChange={(smtp) => set("smtp", smtp)}
            />
          </>
        ) : (
          <Found {...values} onEdit={() => setEditing(true)} />
        )}
        <TextField
          label="Mailbox password"
          type="password"
          autocomplete="off"
          autofocus
          hint="Stored encrypted on this machine and sent only to this mail server."
          value={values.password}
          fault={faults.password}
          onInput={(value) => set("password", value)}
        />
        <Checkbox
          label="Read-only"
          hint="Postroom changes nothing on the server: no flags, moves or drafts. Your changes stay on this machine."
          checked={values.read_only}
          onChange={(read_only) => set("read_only", read_only)}
        />
        {results && <LoginReport results={results} />}
        <FaultNotice error={form.fault} />
        <div class="actions between">
          <Button onClick={onBack}>Change address</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            {form.busy ? "Testing sign-in…" : "Test and connect"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface FoundProps {
  imap: Server;
  smtp: Server | null;
  username: string;
  onEdit(): void;
}

function Found({ imap, smtp, username, onEdit }: FoundProps) {
  const address = ({ host, port, security }: Server) =>
    `${host}, port ${port}, ${security === "none" ? "no encryption" : security.toUpperCase()}`;
  return (
    <div class="found">
      <dl class="facts">
        <div>
          <dt>Incoming</dt>
          <dd>{address(imap)}</dd>
        </div>
        <div>
          <dt>Outgoing</dt>
          <dd>{smtp ? address(smtp) : "None"}</dd>
        </div>
        <div>
          <dt>Username</dt>
          <dd>{username}</dd>
        </div>
      </dl>
      <Button small onClick={onEdit}>
        {" "}
        Edit servers{" "}
      </Button>
    </div>
  );
}

function OAuthStart({ found, email }: { found: Discovery; email: string }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const { imap, smtp, username } = found;
  const provider = found.oauth!;
  return (
    <>
      <Button
        kind="primary"
        icon="external"
        busy={busy}
        onClick={() => {
          setBusy(true);
          startOAuth({ provider, email, imap, smtp, username }).catch((error) => {
            setFault(error);
            setBusy(false);
          });
        }}
      >
        Sign in with {OAUTH_NAMES[provider]}
      </Button>
      {fault instanceof Fault && fault.code === "oauth_client_missing" ? (
        <Notice tone="warn" live>
          <p>
            {fault.message} {isOwner() && <a href="#/mailboxes">Set up the sign-in under Mailboxes.</a>}
          </p>
        </Notice>
      ) : (
        <FaultNotice error={fault} />
      )}
      {found.methods.includes("password") && <p class="or">or with an app password</p>}
    </>
  );
}

interface OAuthRequest {
  provider: OAuthProvider;
  email: string;
  /** The id of a mailbox to reconnect. */
  account_id?: string;
  imap?: Server | null;
  smtp?: Server | null;
  username?: string;
}

/** Opens the provider's sign-in page, which redirects to `app/oauth/callback`. */
export async function startOAuth(request: OAuthRequest): Promise<void> {
  const body = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null && value !== undefined));
  const { authorize_url } = await app<{ authorize_url: string }>("POST", "/mailboxes/oauth/start", { body });
  location.assign(authorize_url);
}
