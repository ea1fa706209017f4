import { expect, test } from "bun:test";
import { explainFault } from "./faults.ts";
import { EgressGuard } from "./guard.ts";
import { chooseResolver } from "./resolve.ts";

test("only names on the owner's list use the system's lookup, which an unresponsive server can block for all", async () => {
  const asked: string[] = [];
  const tell = (who: string) => async (host: string) => {
    asked.push(`${who} ${host}`);
    return [];
  };
  const resolve = chooseResolver(new EgressGuard(["Nas.local", "10.0.0.0/8"]), tell("system"), tell("dns"));
  for (const host of ["nas.local", "nas.local.", "other.local", "x.nas.local", "hooks.example.org"])
    await resolve(host);
  expect(asked).toEqual([
    "system nas.local",
    "system nas.local.",
    "dns other.local",
    "dns x.nas.local",
    "dns hooks.example.org",
  ]);
});

test("both resolvers find the addresses of a name", async () => {
  for (const guard of [new EgressGuard(["localhost"]), new EgressGuard([])]) {
    const addresses = await chooseResolver(guard)("localhost");
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
  }
});

test.each([
  ["DNS_ENOTFOUND", "the host name does not exist"],
  ["DNS_ENODATA", "the host name has no address"],
  ["DNS_ETIMEOUT", "DNS is not answering"],
  ["DNS_ESERVFAIL", "could not be resolved"],
  ["DNS_ECONNREFUSED", "could not be resolved"],
])("%s is reported as a DNS error", (code, sentence) => {
  const fault = explainFault(Object.assign(new Error("x"), { code }));
  expect([fault.reason, fault.message]).toEqual(["dns", expect.stringContaining(sentence)]);
});
