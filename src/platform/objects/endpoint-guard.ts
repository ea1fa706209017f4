import { addressKind, effectiveAddress } from "../egress/address-kind.ts";
import { EgressFault } from "../egress/faults.ts";
import { EgressGuard, type EgressPolicy } from "../egress/guard.ts";

/**
 * Permits requests to the endpoint that the owner configured, wherever it is. Without TLS, only addresses of the home
 * network are permitted, whatever the name of the endpoint resolves to.
 */
export class EndpointGuard extends EgressGuard {
  /** @param hosts names or addresses of the endpoint */
  constructor(
    hosts: readonly string[],
    private readonly plain: boolean,
  ) {
    super(hosts);
  }

  override permitted(host: string, addresses: readonly string[], policy?: EgressPolicy): string[] {
    const permitted = super.permitted(host, addresses, policy);
    if (!this.plain) return permitted;
    const home = permitted.filter((address) => addressKind(effectiveAddress(address)) !== "public");
    if (home.length > 0) return home;
    throw new EgressFault("refused", "http:// works only for stores in your own network; use https://");
  }
}
