import type { JSX } from "preact";
import { Agent } from "./pages/agent/agent.tsx";
import { Ai } from "./pages/ai.tsx";
import { ApprovalPage } from "./pages/approvals/approval.tsx";
import { Approvals } from "./pages/approvals/approvals.tsx";
import { Ask } from "./pages/ask.tsx";
import { Assistants } from "./pages/assistants/assistants.tsx";
import { Audit } from "./pages/audit/audit.tsx";
import { Backup } from "./pages/backup.tsx";
import { ImportMail } from "./pages/import/import.tsx";
import { Keys } from "./pages/keys/keys.tsx";
import { MailPage } from "./pages/mail.tsx";
import { ConnectMailbox } from "./pages/mailboxes/connect.tsx";
import { MailboxPage } from "./pages/mailboxes/mailbox.tsx";
import { Mailboxes } from "./pages/mailboxes/mailboxes.tsx";
import { Members } from "./pages/members/members.tsx";
import { Notifications } from "./pages/notifications/notifications.tsx";
import { DraftPage } from "./pages/read/draft.tsx";
import { Drafts } from "./pages/read/drafts.tsx";
import { Read } from "./pages/read/read.tsx";
import { RuleEditor } from "./pages/rules/editor.tsx";
import { Rules } from "./pages/rules/rules.tsx";
import { Search } from "./pages/search.tsx";
import { Security } from "./pages/security/security.tsx";
import { System } from "./pages/system.tsx";
import { Today } from "./pages/today/today.tsx";
import { Usage } from "./pages/usage.tsx";
import { WebhookPage } from "./pages/webhooks/webhook.tsx";
import { Webhooks } from "./pages/webhooks/webhooks.tsx";
import { Empty, Page } from "./parts/layout.tsx";
import { isOwner } from "./state/session.ts";

/** Returns the page for a route. A second path segment is an id: "#/webhooks/whk_…", "#/read/drafts/drf_…". */
export function pageAt([name = "", id, draftId]: readonly string[]): JSX.Element {
  switch (name) {
    case "":
      return <Today />;
    case "read":
      if (id === "drafts") return draftId ? <DraftPage key={draftId} id={draftId} /> : <Drafts />;
      return <Read id={id} />;
    case "ask":
      return <Ask />;
    case "mailboxes":
      if (id === "connect") return <ConnectMailbox />;
      if (id === "import") return <ImportMail />;
      return id ? <MailboxPage key={id} id={id} /> : <Mailboxes />;
    case "search":
      return <Search />;
    case "threads":
    case "messages":
    case "drafts":
      return id ? <MailPage key={id} kind={name} id={id} /> : <NotFound />;
    case "rules":
      return id ? <RuleEditor key={id} kind="inbox" id={id === "new" ? undefined : id} /> : <Rules />;
    case "agent":
      return id ? <RuleEditor key={id} kind="agent" id={id === "new" ? undefined : id} /> : <Agent />;
    case "ai":
      return <Ai />;
    case "assistants":
      return id ? <NotFound /> : <Assistants />;
    case "approvals":
      return id ? <ApprovalPage key={id} id={id} /> : <Approvals />;
    case "keys":
      return <Keys />;
    case "webhooks":
      return id ? <WebhookPage key={id} id={id} /> : <Webhooks />;
    case "usage":
      return <Usage />;
    case "audit":
      return <Audit />;
    case "notifications":
      return id ? <NotFound /> : <Notifications />;
    case "security":
      return <Security />;
    case "people":
      return isOwner() ? <Members /> : <NotFound />;
    case "backup":
      return isOwner() ? <Backup /> : <NotFound />;
    case "system":
      return isOwner() ? <System /> : <NotFound />;
    default:
      return <NotFound />;
  }
}

function NotFound() {
  return (
    <Page title="Page not found">
      <Empty icon="search" title="This page does not exist">
        <a href="#/">Go to Today</a>
      </Empty>
    </Page>
  );
}
