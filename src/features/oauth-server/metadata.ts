import { TOOL_SCOPES } from "../../kernel/scopes.ts";
import { PATHS } from "./paths.ts";

/**
 * Describes the authorization server (RFC 8414 §2). Made here and not by the library, so that clients can discover the
 * server without loading it, and without the parts of OpenID Connect that it would name.
 */
export function serverMetadata(issuer: string): Record<string, unknown> {
  const methods = ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"];
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorization,
    token_endpoint: issuer + PATHS.token,
    registration_endpoint: issuer + PATHS.registration,
    revocation_endpoint: issuer + PATHS.revocation,
    scopes_supported: TOOL_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: ["ES256", "RS256", "PS256", "EdDSA"],
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: ["ES256", "RS256", "PS256", "EdDSA"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/**
 * The same in the form of OpenID Connect Discovery 1.0 §3, for clients that know only that address. No ID token is ever
 * issued, and the key set is empty.
 */
export function openidMetadata(issuer: string): Record<string, unknown> {
  return {
    ...serverMetadata(issuer),
    jwks_uri: issuer + PATHS.jwks,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
