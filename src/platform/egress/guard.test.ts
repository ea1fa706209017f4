import { describe, expect, test } from "bun:test";
import { addressKind, effectiveAddress } from "./address-kind.ts";
import { EgressGuard, type EgressPolicy } from "./guard.ts";

const strict = new EgressGuard([]);
const refused = (guard: EgressGuard, url: string) => {
  try {
    guard.checkUrl(url);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ["1.1.1.1", "public"],
  ["8.8.8.8", "public"],
  ["2606:4700:4700::1111", "public"],
  ["::ffff:8.8.8.8", "public"],
  ["64:ff9b::808:808", "public"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["::", "unspecified"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["0:0:0:0:0:ffff:7f00:0001", "loopback"],
  ["64:ff9b::127.0.0.1", "loopback"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.1", "public"],
  ["192.168.1.1", "private"],
  ["::ffff:192.168.1.1", "private"],
  ["fc00::1", "private"],
  ["fd12:3456::1", "private"],
  ["fec0::1", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.127.255.255", "carrier-grade NAT"],
  ["100.128.0.1", "public"],
  ["169.254.1.1", "link-local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["169.254.169.254", "metadata"],
  ["::ffff:169.254.169.254", "metadata"],
  ["64:ff9b::a9fe:a9fe", "metadata"],
  ["fd00:ec2::254", "metadata"],
  ["168.63.129.16", "metadata"],
  ["100.100.100.200", "metadata"],
  ["224.0.0.1", "multicast"],
  ["ff02::1", "multicast"],
  ["255.255.255.255", "reserved"],
  ["240.0.0.1", "reserved"],
  ["192.0.2.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["2002:7f00:1::", "reserved"],
  ["2001::1", "reserved"],
  ["::127.0.0.1", "reserved"],
  ["64:ff9b:1::1", "reserved"],
  ["5f00::1", "reserved"],
])("%s is %s", (address, kind) => {
  expect(addressKind(effectiveAddress(address))).toBe(kind as never);
});

describe("calling a URL", () => {
  test.each([
    ["https://example.org/hook?x=1"],
    ["https://example.org:8443/"],
    ["https://1.1.1.1/"],
    ["https://[2606:4700:4700::1111]/"],
    ["https://xn--bcher-kva.example/"],
    ["https://bücher.example/"],
  ])("%s is permitted", (url) => {
    expect(refused(strict, url)).toBeNull();
  });

  test.each([
    ["http://example.org/", "only https"],
    ["ftp://example.org/", "only https"],
    ["nonsense", "not a URL"],
    ["https://", "not a URL"],
    ["https://user:secret@example.org/", "username or password"],
    [`https://example.org/${"x".repeat(3_000)}`, "more than"],
    ["https://127.0.0.1/", "loopback"],
    ["https://2130706433/", "loopback"],
    ["https://0x7f000001/", "loopback"],
    ["https://017700000001/", "loopback"],
    ["https://0177.0.0.1/", "loopback"],
    ["https://127.1/", "loopback"],
    ["https://127.0.0.1./", "loopback"],
    ["https://localhost/", "loopback"],
    ["https://LOCALHOST./", "loopback"],
    ["https://api.localhost/", "loopback"],
    ["https://0/", "unspecified"],
    ["https://0.0.0.0/", "unspecified"],
    ["https://[::]/", "unspecified"],
    ["https://[::1]/", "loopback"],
    ["https://[::ffff:10.0.0.1]/", "private"],
    ["https://[::ffff:a00:1]/", "private"],
    ["https://10.0.0.1/", "private"],
    ["https://192.168.1.1/", "private"],
    ["https://169.254.169.254/latest/meta-data/", "metadata"],
    ["https://[fd00:ec2::254]/", "metadata"],
    ["https://[fe80::1]/", "link-local"],
    ["https://100.64.0.1/", "carrier-grade NAT"],
    ["https://224.0.0.1/", "multicast"],
    ["https://１２７.０.０.１/", "loopback"],
    ["https://127。0。0。1/", "loopback"],
  ])("%s is refused: %s", (url, why) => {
    expect(refused(strict, url)).toContain(why);
  });
});

describe("a policy", () => {
  const home = new EgressGuard(["nas.home.arpa", "192.168.1.0/24"]);
  const check = (url: string, policy: EgressPolicy) => {
    try {
      home.checkUrl(url, policy);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    "http://127.0.0.1:5678/hook",
    "https://127.0.0.1/",
    "http://[::1]/",
    "http://localhost:1880/",
    "https://n8n.localhost/",
    "http://[::ffff:127.0.0.1]/",
    "http://2130706433/",
  ])("permits this machine: %s", (url) => {
    expect(check(url, { plainHttp: true, loopback: true })).toBeNull();
    expect(check(url, { plainHttp: true })).toContain("loopback");
    expect(check(url, {})).not.toBeNull();
  });

  test.each(["http://nas.home.arpa/", "http://NAS.home.arpa.:8080/", "http://192.168.1.9/"])(
    "permits plain HTTP to a host on the list: %s",
    (url) => {
      expect(check(url, { plainHttp: true })).toBeNull();
      expect(check(url, { loopback: true })).toContain("only https");
    },
  );

  test.each([
    ["http://example.org/", "http:// works only"],
    ["http://1.1.1.1/", "http:// works only"],
    ["http://192.168.2.1/", "private"],
    ["http://nas.home.arpa.example.org/", "http:// works only"],
    ["http://localhost.example.org/", "http:// works only"],
    ["http://169.254.169.254/", "metadata"],
    ["http://0.0.0.0/", "unspecified"],
    ["ftp://127.0.0.1/", "must start with https:// or http://"],
    ["http://user@127.0.0.1/", "username"],
  ])("does not permit %s", (url, why) => {
    expect(check(url, { plainHttp: true, loopback: true })).toContain(why);
  });

  test("does not permit a name elsewhere that resolves to this machine", () => {
    expect(() => home.permitted("rebind.example.org", ["127.0.0.1"], { loopback: true })).toThrow("loopback");
    expect(home.permitted("localhost", ["127.0.0.1", "::1"], { loopback: true })).toEqual(["127.0.0.1", "::1"]);
  });
});

test.each([
  ["a line break", "https://hooks.example.org/\n\nPay at once"],
  ["a line break in the name", "https://hooks.exa\nmple.org/"],
  ["a space", "https://hooks.example.org/a b"],
  ["a space before it", " https://hooks.example.org/"],
  ["a null byte", "https://hooks.example.org/\0"],
  ["a direction override character", "https://hooks.example.org/\u202egpj.exe"],
  ["an invisible character", "https://ho\u00adoks.example.org/"],
  ["half a surrogate pair", "https://hooks.example.org/\ud800"],
  ["a backslash", "https:\\\\hooks.example.org\\x"],
])("a URL with %s is refused, although a parser would repair it: it is shown and mailed as typed", (_what, url) => {
  expect(() => new EgressGuard([]).checkUrl(url)).toThrow("a URL must not contain");
});

test("port 0 is refused, because nothing can listen there", () => {
  expect(() => new EgressGuard([]).checkUrl("https://hooks.example.org:0/")).toThrow("port 0");
});

describe("an address from a lookup", () => {
  test("is refused when it is not an address", () => {
    for (const found of ["", "hooks.example.org", "0x7f000001", "127.1"]) {
      expect(() => new EgressGuard([]).permitted("hooks.example.org", [found])).toThrow("no public address");
    }
  });

  test("is judged address by address", () => {
    expect(strict.permitted("mixed.example", ["10.0.0.1", "1.1.1.1", "fd00::1"])).toEqual(["1.1.1.1"]);
    expect(() => strict.permitted("evil.example", ["10.0.0.1", "::ffff:127.0.0.1"])).toThrow("private, loopback");
    expect(() => strict.permitted("empty.example", [])).toThrow("none at all");
  });
});

describe("the owner's list of allowed targets", () => {
  const guard = new EgressGuard(["192.168.1.0/24", "fd00::/64", "127.0.0.1", "NAS.home.arpa", " ha.local. "]);

  test("can contain networks and addresses", () => {
    expect(guard.permitted("x", ["192.168.1.7"])).toEqual(["192.168.1.7"]);
    expect(guard.permitted("x", ["::ffff:192.168.1.7"])).toEqual(["::ffff:192.168.1.7"]);
    expect(guard.permitted("x", ["fd00::7", "192.168.2.7"])).toEqual(["fd00::7"]);
    expect(refused(guard, "https://127.0.0.1:8443/")).toBeNull();
    expect(refused(guard, "https://localhost:8443/")).toBeNull();
    expect(refused(guard, "https://127.0.0.2/")).toContain("loopback");
  });

  test("can contain host names on local networks, but their forbidden addresses stay forbidden", () => {
    expect(guard.permitted("nas.home.arpa", ["10.9.8.7"])).toEqual(["10.9.8.7"]);
    expect(guard.permitted("nas.home.arpa.", ["10.9.8.7"])).toEqual(["10.9.8.7"]);
    expect(guard.permitted("ha.local", ["127.0.0.1"])).toEqual(["127.0.0.1"]);
    expect(() => guard.permitted("nas.home.arpa", ["169.254.169.254"])).toThrow("metadata");
    expect(() => guard.permitted("nas.home.arpa", ["fe80::1"])).toThrow("link-local");
    expect(() => guard.permitted("other.home.arpa", ["10.9.8.7"])).toThrow("private");
    expect(() => guard.permitted("evil-nas.home.arpa", ["10.9.8.7"])).toThrow("private");
  });

  test("does not lift the https requirement", () => {
    expect(refused(guard, "http://nas.home.arpa/")).toContain("only https");
  });

  test.each(["10.0.0.0/40", "a b", "http://x", "300.1.1.1", "-x.example", ""])("refuses %p and names it", (entry) => {
    expect(() => new EgressGuard([entry])).toThrow("neither");
  });
});

test("a refusal names the setting in which the owner can list the host", () => {
  const guard = new EgressGuard(["192.168.1.0/24"], "webhooks.allow");
  for (const url of ["https://192.168.2.1/", "http://nas.lan/"]) {
    expect(() => guard.checkUrl(url, { plainHttp: true })).toThrow("listed under webhooks.allow in the configuration");
  }
});
