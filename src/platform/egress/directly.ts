/**
 * For `fetch`: without encryption a proxy of the environment (HTTP_PROXY) would read what is asked and answered, passwords
 * included, also of servers at home and on this machine, so such calls pass it by. An https call may go through it: a proxy
 * sees the host's name alone. `false` is Bun's word for that, which its types do not know.
 */
export function directly({ protocol }: URL): { proxy?: string } {
  return protocol === "http:" ? ({ proxy: false } as unknown as { proxy: string }) : {};
}
