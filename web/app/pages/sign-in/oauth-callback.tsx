import { useEffect, useState } from "preact/hooks";
import { app, pageUrl } from "../../api/client.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { FaultNotice, Notice, Skeleton } from "../../parts/layout.tsx";

/** Where Google and Microsoft send people back: the code goes to the server, and the mailbox is connected. */
export function OAuthCallback() {
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const [state, code, refused] = ["state", "code", "error"].map((name) => query.get(name));
    // Neither stays in the address bar, nor in the history.
    history.replaceState(null, "", location.pathname);
    if (!state) {
      setFault(new Error("This address is where a mail provider sends you back to. There is nothing to finish."));
      return;
    }
    app("POST", "/mailboxes/oauth/finish", {
      body: { state, ...(code ? { code } : {}), ...(refused ? { error: refused } : {}) },
    }).then(() => location.replace(pageUrl("#/mailboxes")), setFault);
  }, []);
  return (
    <div class="sign-in-card stack">
      <h1>Connecting the mailbox</h1>
      {fault ? (
        <>
          <FaultNotice error={fault} />
          <Notice tone="quiet">Nothing has been changed.</Notice>
          <ButtonLink href={pageUrl("#/mailboxes/connect")}>Try again</ButtonLink>
        </>
      ) : (
        <Skeleton />
      )}
    </div>
  );
}
