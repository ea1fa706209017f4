import { createHash } from "node:crypto";
import type { AnyAuthMethod, AuthenticationType, ParsedKey } from "ssh2";
import type { PlaceSetting } from "./place-settings.ts";
import { StoreFault } from "./store.ts";

export interface SftpLogin {
  user: string;
  /** "" if there is none. */
  password: string;
  /** Text of the file with the private key; null if there is none. */
  key: string | null;
  /** "" if the private key is not encrypted. */
  passphrase: string;
}

type ParseKey = (text: string, passphrase?: string) => ParsedKey | ParsedKey[] | Error;
/** What ssh2 asks for the next way to authenticate; false ends it. */
type NextMethod = (method: AnyAuthMethod | false) => void;

/** Reads a private key. @throws StoreFault that names the setting */
export function readPrivateKey(parseKey: ParseKey, { key, passphrase }: SftpLogin): ParsedKey | null {
  if (key === null) return null;
  const refused = (message: string, setting: PlaceSetting = "backup.sftp.key_file") =>
    new StoreFault("refused", message, undefined, setting);
  const parsed = passphrase === "" ? parseKey(key) : parseKey(key, passphrase);
  if (parsed instanceof Error) {
    const encrypted = /passphrase|integrity check|bad decrypt/i.test(parsed.message);
    if (encrypted && passphrase === "") {
      throw refused(
        "The private key (backup.sftp.key_file) is encrypted. Set its passphrase (backup.sftp.key_passphrase).",
        "backup.sftp.key_passphrase",
      );
    }
    if (encrypted) {
      throw refused(
        "The passphrase (backup.sftp.key_passphrase) does not open the private key (backup.sftp.key_file).",
        "backup.sftp.key_passphrase",
      );
    }
    throw refused(
      "This is not a private key that Postroom can read, such as one that ssh-keygen makes (backup.sftp.key_file).",
    );
  }
  const [first] = Array.isArray(parsed) ? parsed : [parsed];
  if (first?.isPrivateKey()) return first;
  throw refused("This is a public key. Use the private key, from the file without .pub (backup.sftp.key_file).");
}

/** Returns the fingerprint of a public key, as ssh-keygen shows it. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** Asks which ways there are, tries the key, then the password, and remembers the outcome. */
export class Authentication {
  readonly #waiting: AnyAuthMethod[] = [];
  readonly #tried: AuthenticationType[] = [];
  /** Ways that the server named first. It may name fewer later. */
  #ways: readonly AuthenticationType[] | null = null;

  constructor(
    private readonly login: SftpLogin,
    private readonly key: ParsedKey | null,
  ) {
    const { user: username, password } = login;
    // The answer names the ways (RFC 4252 §5.2), so that a server without passwords gets none.
    this.#waiting.push({ type: "none", username });
    if (key) this.#waiting.push({ type: "publickey", username, key });
    if (password === "") return;
    this.#waiting.push({ type: "password", username, password });
    this.#waiting.push({
      type: "keyboard-interactive",
      username,
      // Servers that ask for the password in this way ask one question. Another one, such as a code, has no answer.
      prompt: (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password)),
    });
  }

  /** For `authHandler` of ssh2. @param offered null before the first attempt */
  next(offered: readonly AuthenticationType[] | null, next: NextMethod): void {
    this.#ways ??= offered;
    let method = this.#waiting.shift();
    while (method && offered && !offered.includes(method.type)) method = this.#waiting.shift();
    if (method) this.#tried.push(method.type);
    next(method ?? false);
  }

  /** Returns why the server did not let the user in. @param host for people */
  refusal(host: string): StoreFault {
    const { user } = this.login;
    const triedKey = this.#tried.includes("publickey");
    const triedPassword = this.#tried.includes("password") || this.#tried.includes("keyboard-interactive");
    const refused = (message: string, setting: PlaceSetting) => new StoreFault("refused", message, undefined, setting);
    if (triedPassword) {
      const both = triedKey ? "the key and the password" : "the password";
      return refused(
        `${host} refused ${both} of the user ${user}. Check the user and the password (backup.to, backup.sftp.password).`,
        "backup.sftp.password",
      );
    }
    if (this.key && triedKey) {
      const fingerprint = fingerprintOf(this.key.getPublicSSH());
      return refused(
        `${host} refused the key ${fingerprint} for the user ${user} (backup.sftp.key_file). Add its public key to the authorized keys of the user there.`,
        "backup.sftp.key_file",
      );
    }
    const ways = (this.#ways ?? []).join(", ");
    const [what, missing] = this.key
      ? (["a password", "backup.sftp.password"] as const)
      : (["a private key", "backup.sftp.key_file"] as const);
    return refused(`${host} accepts only this kind of sign-in: ${ways}. Set ${what} (${missing}).`, missing);
  }
}
