/** Passkeys: converts between the browser's WebAuthn API and the server's JSON (WebAuthn Level 3, 5.1.8 and 5.1.9). */

interface CredentialName {
  id: string;
  type: "public-key";
  transports?: AuthenticatorTransport[];
}

export interface PasskeyRequest {
  challenge: string;
  rpId?: string;
  timeout?: number;
  userVerification?: UserVerificationRequirement;
  allowCredentials?: CredentialName[];
}

export interface PasskeyCreation {
  challenge: string;
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: PublicKeyCredentialParameters[];
  timeout?: number;
  attestation?: AttestationConveyancePreference;
  authenticatorSelection?: AuthenticatorSelectionCriteria;
  excludeCredentials?: CredentialName[];
}

/** Returns whether the browser supports passkeys on this page. They belong to a host name, never to an IP address. */
export function passkeysAvailable(): boolean {
  return typeof PublicKeyCredential !== "undefined" && isSecureContext && !isAddress(location.hostname);
}

/** Returns the address of this page under the name `localhost`; null if the page is not at a loopback address. */
export function localhostUrl(): string | null {
  if (!/^(127(\.\d+){3}|\[::1\])$/.test(location.hostname)) return null;
  const url = new URL(location.href);
  url.hostname = "localhost";
  return url.href;
}

function isAddress(host: string): boolean {
  return host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host);
}

/** Authenticates with an existing passkey. @returns the assertion for the server @throws Error with a message for users */
export async function getPasskey(options: PasskeyRequest): Promise<unknown> {
  const credential = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        allowCredentials: options.allowCredentials?.map(descriptor),
      },
    }),
  );
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    ...named(credential),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : undefined,
    },
  };
}

/** Creates a passkey. @returns the credential for the server @throws Error with a message for users */
export async function createPasskey(options: PasskeyCreation): Promise<unknown> {
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        user: { ...options.user, id: bytes(options.user.id) },
        excludeCredentials: options.excludeCredentials?.map(descriptor),
      },
    }),
  );
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...named(credential),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!passkeysAvailable()) throw new Error("Passkeys need HTTPS or localhost, and a browser that supports them.");
  try {
    const credential = await request();
    if (credential) return credential as PublicKeyCredential;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "InvalidStateError") throw new Error("This device already has a passkey for your account.");
    if (name !== "NotAllowedError" && name !== "AbortError") throw error;
  }
  throw new Error("No passkey was used. Try again, or use your password.");
}

function named(credential: PublicKeyCredential) {
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

function descriptor({ id, type, transports }: CredentialName): PublicKeyCredentialDescriptor {
  return { id: bytes(id), type, transports };
}

/** Encodes as base64url without padding, as WebAuthn requires. */
function text(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
