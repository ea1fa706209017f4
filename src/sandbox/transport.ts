import { createHash } from "node:crypto";
import type { MailClient, Person } from "./person.ts";

/** Returns a short token derived from its arguments, so that identifiers are reproducible. */
export function token(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);
}

const PROGRAM: Record<MailClient, [name: string, value: string] | undefined> = {
  gmail: undefined,
  outlook: ["X-Mailer", "Microsoft Outlook 16.0"],
  apple: ["X-Mailer", "Apple Mail (2.3774.600.62)"],
  plain: ["User-Agent", "Mutt/2.2.12"],
};

/** Returns the header that names the sender's program, for mail that a person typed. */
export function programHeaders(client: MailClient): Record<string, string> {
  const header = PROGRAM[client];
  return header ? { [header[0]]: header[1] } : {};
}

const stamp = (date: Date) => date.toUTCString().replace("GMT", "+0000");

/**
 * Returns the headers that mail servers add: Return-Path, Received (RFC 5321 4.4) and Authentication-Results (RFC
 * 8601). Addresses are in the documentation network 192.0.2.0/24.
 */
export function arrivalHeaders(from: Person, owner: Person, date: Date, id: string): [name: string, value: string][] {
  const domain = from.email.split("@")[1]!;
  const address = `192.0.2.${(Number.parseInt(id.slice(0, 2), 16) % 200) + 10}`;
  const relay = from.auth === "fail" ? `host-${address.replace(/\./g, "-")}.dynamic.example` : `mx.${domain}`;
  const results =
    from.auth === "fail"
      ? `spf=softfail smtp.mailfrom=${domain}; dkim=none; dmarc=fail header.from=${domain}`
      : `spf=pass smtp.mailfrom=${domain}; dkim=pass header.d=${domain} header.s=s1; dmarc=pass header.from=${domain}`;
  return [
    ["Return-Path", `<${from.email}>`],
    ["Delivered-To", owner.email],
    [
      "Received",
      `from ${relay} (${relay} [${address}]) by mx.sandbox.example with ESMTPS id ${id.slice(0, 12)}; ${stamp(date)}`,
    ],
    ["Authentication-Results", `mx.sandbox.example; ${results}`],
    ...(from.auth === "fail" ? [["X-Spam-Flag", "YES"] as [string, string]] : []),
  ];
}
