import { X509Certificate } from "node:crypto";
import type { ChosenTarget } from "../../backup/target.ts";
import { parsePlace, sftpText } from "../../platform/objects/place.ts";

export type S3Target = Extract<ChosenTarget, { kind: "s3" }>;
export type SftpTarget = Extract<ChosenTarget, { kind: "sftp" }>;

/** For each field, what is wrong with it, as a sentence; null if nothing is. In the order of the form. */
type Checks<T> = Partial<Record<Exclude<keyof T, "kind">, (target: T) => string | null>>;

export const S3_CHECKS: Checks<S3Target> = {
  endpoint: ({ endpoint }) => {
    if (endpoint === "") return null;
    const [placeholder] = /REGION|ACCOUNT/.exec(endpoint) ?? [];
    if (placeholder) return `Replace ${placeholder} in the endpoint. The web console of the store shows the address.`;
    return isAddress(endpoint)
      ? null
      : "Enter an address that begins with https://, or with http:// in your own network.";
  },
  region: ({ region }) =>
    /^[a-z0-9-]{1,64}$/i.test(region) ? null : "Enter a region, such as eu-central-1. Many stores accept us-east-1.",
  bucket: ({ bucket, endpoint, path_style }) => {
    if (bucket === "") return "Enter the name of the bucket.";
    if (parsePlace(`s3://${bucket}`) === null || bucket.includes("/")) {
      return "The name of a bucket has lowercase letters, digits, dots and hyphens, without s3:// and slashes.";
    }
    if (bucket.includes(".") && !path_style && !endpoint.startsWith("http://")) {
      return "The certificate of the store does not include names with dots. Turn on the path style under More settings.";
    }
    return null;
  },
  prefix: ({ prefix }) =>
    prefix === "" || parsePlace(`s3://bucket/${prefix}`) !== null
      ? null
      : "A prefix has letters, digits, dots, hyphens, underscores and single slashes.",
  access_key_id: ({ access_key_id }) => (access_key_id === "" ? "Enter the ID of the access key." : null),
  secret_access_key: ({ secret_access_key }) =>
    secret_access_key === "" ? "Enter the secret of the access key." : null,
  ca: ({ ca }) =>
    ca === "" || isCertificate(ca) ? null : "Paste the certificate as PEM text, with its BEGIN and END lines.",
};

/** @param byKey whether the private key is used to sign in, not the password */
export const SFTP_CHECKS = (byKey: boolean): Checks<SftpTarget> => ({
  host: ({ host }) => {
    if (host === "") return "Enter the name or address of the server.";
    return isPlace({ host }) ? null : "Enter only the name or address of the server, without sftp:// and slashes.";
  },
  user: ({ user }) => (user === "" ? "Enter the name of the user on the server." : null),
  path: ({ path }) => {
    if (path === "") return "Enter the path of a folder on the server.";
    return isPlace({ path })
      ? null
      : "Enter a whole path, such as /volume1/postroom, or ~/postroom for a folder in the home folder of the user.";
  },
  ...(byKey
    ? { key: ({ key }: SftpTarget) => keyFault(key) }
    : { password: ({ password }: SftpTarget) => (password === "" ? "Enter the password of the user." : null) }),
  host_key: ({ host_key }) =>
    /^(SHA256:[A-Za-z0-9+/]{43}=?)?$/.test(host_key)
      ? null
      : "A fingerprint begins with SHA256: and has 43 more characters.",
});

/** "s3.example.com" and "s3.example.com/" are "https://s3.example.com". */
export function addressOf(text: string): string {
  if (text === "") return "";
  return (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`).replace(/\/+$/, "");
}

/** Returns a path as places have it: "postroom" for "~/postroom", and "." for the home folder. */
export function homePath(text: string): string {
  if (text === "~" || text === "~/") return ".";
  if (text.startsWith("~/")) return text.slice(2).replace(/\/+$/, "");
  // Without a slash at its beginning, no path is whole.
  if (text !== "" && !text.startsWith("/")) return "../";
  return text.replace(/(?<=.)\/+$/, "");
}

/** Returns the path as people write it. */
export function shownPath(path: string): string {
  if (path === ".") return "~";
  return path === "" || path.startsWith("/") ? path : `~/${path}`;
}

function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null && /^https?:$/.test(url.protocol) && !/[?#\s]/.test(text) && `${url.username}${url.password}` === ""
  );
}

function isPlace(part: { host: string } | { path: string }): boolean {
  return parsePlace(sftpText({ kind: "sftp", user: "user", host: "host", port: 22, path: "/", ...part })) !== null;
}

function keyFault(key: string): string | null {
  if (key === "") return "Paste the private key.";
  return key.includes("PRIVATE KEY-----")
    ? null
    : "Paste the whole private key, with its BEGIN and END lines. It is in the file without .pub.";
}

function isCertificate(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== null);
  } catch {
    return false;
  }
}
