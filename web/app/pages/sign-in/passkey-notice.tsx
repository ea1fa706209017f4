import { Notice } from "../../parts/layout.tsx";
import { localhostUrl } from "./webauthn.ts";

/**
 * Says how to open this page so that passkeys work, if it is open at an IP address or without HTTPS. Not a redirect:
 * a session belongs to one host name, and another program may use the port under the other name.
 */
export function PasskeyNotice() {
  const url = localhostUrl();
  if (url === null) {
    return (
      <Notice tone="quiet">
        <p>
          Passkeys need a host name with HTTPS, or localhost. The operations guide explains how to set up HTTPS with a
          proxy.
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="info">
      <p>
        Passkeys do not work at {location.hostname}. <a href={url}>Open Postroom at localhost</a> to use them.
      </p>
    </Notice>
  );
}
