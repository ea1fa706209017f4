import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Networks } from "../../platform/networks.ts";
import { addressBucket, clientAddress, isLoopback, plainAddress } from "./client-address.ts";

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["1.2.3.4:5678", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["[2001:DB8::1]:443", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["unknown", null],
  ["", null],
  ["1.2.3", null],
  ["_hidden", null],
])("plainAddress(%p) is %p", (text, address) => {
  expect(plainAddress(text)).toBe(address);
});

describe("clientAddress", () => {
  const trusted = new Networks(["10.0.0.0/8", "::1"]);

  test.each([
    ["192.0.2.1", null, "192.0.2.1"],
    ["192.0.2.1", "203.0.113.7", "192.0.2.1"],
    ["10.0.0.1", null, "10.0.0.1"],
    ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "203.0.113.7, 10.9.9.9", "203.0.113.7"],
    ["10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"],
    ["10.0.0.1", "203.0.113.7, garbage", "10.0.0.1"],
    ["::1", "[2001:db8::5]:80", "2001:db8::5"],
  ])("from %p with X-Forwarded-For %p is %p", (peer, forwarded, client) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(client);
  });

  test("never trusts the headers of a peer that is not a trusted proxy", () => {
    fc.assert(
      fc.property(fc.string(), (forwarded) => {
        expect(clientAddress("192.0.2.1", forwarded, trusted)).toBe("192.0.2.1");
      }),
    );
  });

  test("addresses that a client writes on the left never change the result", () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (lie, honest) => {
        fc.pre(!trusted.has(honest));
        expect(clientAddress("10.0.0.1", `${lie}, ${honest}`, trusted)).toBe(honest);
      }),
    );
  });
});

test("an IPv6 client counts by its /64, in any spelling", () => {
  expect(addressBucket("1.2.3.4")).toBe("1.2.3.4");
  const spellings = ["2001:db8:0:1::1", "2001:db8::1:0:0:0:ffff", "2001:0db8:0000:0001:aaaa::", "2001:db8:0:1:0:0:0:9"];
  expect(new Set(spellings.map(addressBucket))).toEqual(new Set(["2001:db8:0:1::/64"]));
  expect(addressBucket("::1")).toBe("0:0:0:0::/64");
  expect(addressBucket("2001:db8:0:2::1")).not.toBe(addressBucket("2001:db8:0:1::1"));
});

test("loopback is 127.0.0.0/8 and ::1", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "10.0.0.1", "::2"].map(isLoopback)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
