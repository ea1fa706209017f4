import { useState } from "preact/hooks";
import { app, Fault } from "../../api/client.ts";
import type { Discovery, LoginResults, Mailbox, OAuthProvider, Server } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, TextField } from "../../parts/field.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { type Faults, useForm } from "../../state/form.ts";
import { go } from "../../state/route.ts";
import { isOwner } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { LoginReport } from "./login-report.tsx";
import { ServerFields } from "./server-fields.tsx";

const FROM: Record<Discovery["source"], string> = {
  autoconfig: "Found in the settings that the provider publishes.",
  srv: "Found in the domain's DNS records.",
  provider: "Known settings of this provider.",
  ispdb: "Found in Thunderbird's directory of mail providers.",
  none: "Type the servers by hand.",
  guess: "Nothing is published for this domain, so these are guesses. Correct them where they are wrong.",
};

const OAUTH_NAMES = { google: "Google", microsoft: "Microsoft" } as const;
const OTHER_IMAP: Server = { host: "", port: 993, security: "tls" };
const OTHER_SMTP: Server = { host: "", port: 587, security: "starttls" };

/** What was found, to be corrected; both sign-ins are tried, and what is wrong is said in plain words. */
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
        if (!imap.host.trim()) faults.imap = "Type the name of the server.";
        if (!username.trim()) faults.username = "Type the user name.";
        if (!password) faults.password = "Type the password of the mailbox.";
        return faults;
      },
      async send({ imap, smtp, username, password, read_only }) {
        setResults(null);
        const servers = { imap, smtp: smtp?.host.trim() ? smtp : null };
        const body = { email, ...servers, username: username.trim(), password, read_only };
        try {
          const box = await app<Mailbox>("POST", "/mailboxes", { body });
          showToast(`${email} is connected.`);
          go(`#/mailboxes/${encodeURIComponent(box.id)}`);
        } catch (error) {
          const both = error instanceof Fault && error.code === "connection_failed" ? error.details : null;
          if (!both) throw error;
          setResults(both as LoginResults);
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
            <Button onClick={onBack}>Another address</Button>
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
              label="User name"
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
              hint="Empty: the mailbox can be read, and nothing can be sent from it."
              server={values.smtp ?? OTHER_SMTP}
              fault={faults.smtp}
              onChange={(smtp) => set("smtp", smtp)}
            />
          </>
        ) : (
          <Found {...values} onEdit={() => setEditing(true)} />
        )}
        <TextField
          label="Password of the mailbox"
          type="password"
          autocomplete="off"
          autofocus
          hint="Kept encrypted on this machine, and given to this mail server only."
          value={values.password}
          fault={faults.password}
          onInput={(value) => set("password", value)}
        />
        <Checkbox
          label="Read only"
          hint="Postroom then changes nothing on the server: no flags, no moves, no drafts. What you do here stays here."
          checked={values.read_only}
          onChange={(read_only) => set("read_only", read_only)}
        />
        {results && <LoginReport results={results} />}
        <FaultNotice error={form.fault} />
        <div class="actions between">
          <Button onClick={onBack}>Another address</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            {form.busy ? "Trying both sign-ins…" : "Test and connect"}
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
  const words = ({ host, port, security }: Server) =>
    `${host}, port ${port}, ${security === "none" ? "no encryption" : security.toUpperCase()}`;
  return (
    <div class="found">
      <dl class="facts">
        <div>
          <dt>Incoming</dt>
          <dd>{words(imap)}</dd>
        </div>
        <div>
          <dt>Outgoing</dt>
          <dd>{smtp ? words(smtp) : "none"}</dd>
        </div>
        <div>
          <dt>User name</dt>
          <dd>{username}</dd>
        </div>
      </dl>
      <Button small onClick={onEdit}>
        Edit
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
            {fault.message} {isOwner() && <a href="#/mailboxes">Set it up under Mailboxes.</a>}
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
  /** To connect an existing mailbox again. */
  account_id?: string;
  imap?: Server | null;
  smtp?: Server | null;
  username?: string;
}

/** Goes to the provider's own page; it sends the browser back to `app/oauth/callback`. */
export async function startOAuth(request: OAuthRequest): Promise<void> {
  const body = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null && value !== undefined));
  const { authorize_url } = await app<{ authorize_url: string }>("POST", "/mailboxes/oauth/start", { body });
  location.assign(authorize_url);
}
