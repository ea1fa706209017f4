/**
 * Returns `fetch` options that bypass a proxy from the environment (HTTP_PROXY) for unencrypted calls, including those
 * to servers on the local network and on this machine. The proxy would otherwise read requests and replies, passwords
 * included. An https call may use the proxy, which sees only the host name. Bun's value for a bypass is `false`, which
 * its types lack.
 */
export function directly({ protocol }: URL): { proxy?: string } {
  return protocol === "http:" ? ({ proxy: false } as unknown as { proxy: string }) : {};
}
