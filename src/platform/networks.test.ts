import { describe, expect, test } from "bun:test";
import { hostPort, ipv6Groups, Networks } from "./networks.ts";

test.each([
  ["mail.example.org", "mail.example.org:993"],
  ["192.0.2.1", "192.0.2.1:993"],
  ["2001:db8::1", "[2001:db8::1]:993"],
  ["[::1]", "[::1]:993"],
])("%s with its port is %s", (host, expected) => {
  expect(hostPort({ host, port: 993 })).toBe(expected);
});

describe("Networks", () => {
  test("contains addresses and networks of both families", () => {
    const list = new Networks(["192.168.1.0/24", "10.0.0.7", "2001:db8::/32"]);
    const inside = ["192.168.1.255", "10.0.0.7", "2001:db8:ffff::1"];
    const outside = ["192.168.2.1", "10.0.0.8", "2001:db9::1", "::ffff"];
    expect(inside.map((address) => list.has(address))).toEqual([true, true, true]);
    expect(outside.map((address) => list.has(address))).toEqual([false, false, false, false]);
  });

  test.each(["10.0.0.0/33", "10.0.0/8", "nonsense", "", "10.0.0.0/8/8", "10.0.0.0/", "::/129", "10.0.0.0/-1"])(
    "refuses %p with an error",
    (entry) => {
      expect(() => new Networks([entry])).toThrow("neither an address nor a network");
    },
  );
});

test.each([
  ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
  ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
  ["2001:db8::ff", [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0xff]],
  ["1:2:3:4:5:6:7:8", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["::ffff:192.168.1.2", [0, 0, 0, 0, 0, 0xffff, 0xc0a8, 0x102]],
  ["64:ff9b::10.0.0.1", [0x64, 0xff9b, 0, 0, 0, 0, 0xa00, 1]],
])("the groups of %s are parsed", (address, groups) => {
  expect(ipv6Groups(address)).toEqual(groups);
});
