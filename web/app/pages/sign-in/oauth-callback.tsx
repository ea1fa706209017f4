import { useEffect, useState } from "preact/hooks";
import { app, pageUrl } from "../../api/client.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { FaultNotice, Notice, Skeleton } from "../../parts/layout.tsx";
import { sandbox } from "../../state/sandbox.ts";

/** The page that Google and Microsoft redirect to. Sends the code to the server, which connects the mailbox. */
export function OAuthCallback() {
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const [state, code, refused] = ["state", "code", "error"].map((name) => query.get(name));
    // Keeps the code and the state out of the address bar and the history.
    history.replaceState(null, "", location.pathname);
    if (!state) {
      setFault(new Error("No sign-in with a mail provider is in progress. To connect a mailbox, try again."));
      return;
    }
    app("POST", "/mailboxes/oauth/finish", {
      body: { state, ...(code ? { code } : {}), ...(refused ? { error: refused } : {}) },
    }).then(() => {
      sandbox.value = false;
      location.replace(pageUrl("#/mailboxes"));
    }, setFault);
  }, []);
  return (
    <div class="sign-in-card stack">
      <h1>{fault ? "Mailbox not connected" : "Connecting mailbox"}</h1>
      {fault ? (
        <>
          <FaultNotice error={fault} />
          <Notice tone="quiet">Nothing was changed.</Notice>
          <ButtonLink href={pageUrl("#/mailboxes/connect")}>Try again</ButtonLink>
        </>
      ) : (
        <Skeleton />
      )}
    </div>
  );
}
