import { Notice } from "../../parts/layout.tsx";

/** Loopback addresses and names, where plain HTTP stays on this machine. */
const HERE = /^http:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?#]|$)/i;

/** Returns whether an address is a program on this machine, reached without encryption. */
export function isPlainHere(address: string): boolean {
  return HERE.test(address);
}

/** Warns if events are sent without encryption; nothing for HTTPS. */
export function PlainHttpNotice({ url }: { url: string }) {
  const address = url.trim();
  if (!/^http:\/\//i.test(address)) return null;
  return isPlainHere(address) ? (
    <Notice tone="info" title="Program on this machine">
      <p>Events do not leave this machine. Responses are not kept unless webhooks.allow lists the address.</p>
    </Notice>
  ) : (
    <Notice tone="warn" title="Not encrypted">
      <p>
        Everyone in the network between this machine and the receiver can read the events: senders, subjects and ids.
        The signature still shows whether an event was changed. Use HTTPS where you can.
      </p>
    </Notice>
  );
}
