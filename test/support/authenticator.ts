import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** A software authenticator (WebAuthn Level 3): creates passkeys for a site and signs with them. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #coseKey: Buffer;
  userHandle = "";
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = privateKey;
    const { x, y } = publicKey.export({ format: "jwk" });
    // COSE_Key (RFC 9053 §7.1.1): kty EC2, alg ES256, crv P-256, x, y
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
    const between = Buffer.from([0x22, 0x58, 0x20]);
    this.#coseKey = Buffer.concat([head, Buffer.from(x!, "base64url"), between, Buffer.from(y!, "base64url")]);
  }

  /** Returns the result of `navigator.credentials.create()` as JSON. */
  create(options: Json, origin: string) {
    this.userHandle = options.user.id;
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.#coseKey]);
    const authData = Buffer.concat([this.#head(options.rp.id, 0x45), attested]);
    // { "fmt": "none", "attStmt": {}, "authData": bytes }
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text("none"),
      text("attStmt"),
      Buffer.from([0xa0]),
      text("authData"),
      Buffer.from([0x59, authData.length >> 8, authData.length & 255]),
      authData,
    ]);
    return this.#credential({
      clientDataJSON: clientData("webauthn.create", options.challenge, origin),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Returns the result of `navigator.credentials.get()`. @param flags user present and verified by default */
  get(options: Json, origin: string, flags = 0x05) {
    this.counter++;
    const authData = this.#head(options.rpId, flags);
    const clientDataJSON = clientData("webauthn.get", options.challenge, origin);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    return this.#credential({
      clientDataJSON,
      authenticatorData: authData.toString("base64url"),
      signature: createSign("sha256").update(signed).sign(this.#privateKey).toString("base64url"),
      userHandle: this.userHandle,
    });
  }

  /** rpIdHash, flags, counter. */
  #head(rp_id: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(Buffer.from(rp_id)), Buffer.from([flags]), counter]);
  }

  #credential<T>(response: T) {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: options of the library, of many shapes
type Json = any;

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
/** Encodes a short CBOR text (RFC 8949 §3.1). */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
