import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { Type } from "@sinclair/typebox";
import { act, change, publicAct, publicRead, type Route, read } from "../../http/route.ts";
import { Name } from "../../http/schema.ts";
import type { Door } from "./auth.ts";
import * as shape from "./model.ts";

/** Coming in: paths that nobody need be signed in for. */
function publicRoutes(door: Door): Route[] {
  return [
    publicRead({
      method: "GET",
      path: "/state",
      response: shape.State,
      handle: ({ caller, visit, request_id }) => door.state(caller, visit, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/setup",
      body: shape.SetupInput,
      response: shape.SetupReply,
      handle: ({ body, visit, request_id }) => door.setup.run(body, visit, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/sign-in",
      body: shape.SignInInput,
      handle: ({ body, visit, request_id }) => door.passwords.signIn(body, visit, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/sign-in/passkey/options",
      response: shape.webauthnJson<PublicKeyCredentialRequestOptionsJSON>(),
      handle: ({ visit }) => door.passkeys.beginSignIn(visit),
    }),
    publicAct({
      method: "POST",
      path: "/sign-in/passkey",
      body: shape.webauthnJson<AuthenticationResponseJSON>(),
      handle: ({ body, visit, request_id }) => door.passkeys.signIn(body, visit, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/sign-out",
      handle: ({ visit, request_id }) => door.sessions.end(visit, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/invitation",
      body: shape.InvitationInput,
      response: shape.InvitationReply,
      handle: async ({ body, visit, request_id }) => ({
        signed_in: await door.passwords.accept(body.token, body.password, visit, request_id),
      }),
    }),
  ];
}

/** What a person changes about their own way in. */
function ownRoutes(door: Door): Route[] {
  const { sessions, sign_in } = door.platform;
  return [
    change({
      method: "PATCH",
      path: "/me",
      audience: "session",
      body: shape.MePatch,
      response: shape.Person,
      handle: ({ body, caller }) => shape.viewPerson(door.changeMe(caller, body)),
    }),
    act({
      method: "POST",
      path: "/password",
      audience: "session",
      body: shape.PasswordInput,
      handle: ({ body, caller, visit }) =>
        door.passwords.change(caller.user, body.current, body.new, visit, caller.request_id),
    }),
    read({
      method: "GET",
      path: "/sessions",
      audience: "session",
      response: shape.dataOf(shape.SessionRow),
      handle: ({ caller, visit }) => ({
        data: sessions.list(caller.user.id).map((row) => shape.viewSession(row, visit.session?.id ?? null)),
      }),
    }),
    change({
      method: "DELETE",
      path: "/sessions",
      audience: "session",
      response: Type.Object({ ended: Type.Integer() }),
      handle: ({ caller, visit }) => ({ ended: door.endOtherSessions(caller, visit) }),
    }),
    change({
      method: "DELETE",
      path: "/sessions/:id",
      audience: "session",
      params: { id: "session" },
      handle: ({ params, caller }) => door.endSession(caller, params.id),
    }),
    read({
      method: "GET",
      path: "/passkeys",
      audience: "session",
      response: shape.dataOf(shape.PasskeyRow),
      handle: ({ caller }) => ({ data: sign_in.passkeys.list(caller.user.id).map(shape.viewPasskey) }),
    }),
    act({
      method: "POST",
      path: "/passkeys/options",
      audience: "session",
      fresh: true,
      response: shape.webauthnJson<PublicKeyCredentialCreationOptionsJSON>(),
      handle: ({ caller, visit }) => door.passkeys.beginAdding(caller.user, visit),
    }),
    act({
      method: "POST",
      path: "/passkeys",
      audience: "session",
      body: Type.Object({
        name: Name(80),
        credential: shape.webauthnJson<RegistrationResponseJSON>(),
      }),
      response: shape.PasskeyRow,
      status: 201,
      handle: async ({ body, caller }) =>
        shape.viewPasskey(await door.passkeys.add(caller, body.name, body.credential)),
    }),
    change({
      method: "DELETE",
      path: "/passkeys/:id",
      audience: "session",
      // Without a passkey or password, what a provider says counts as a proof.
      fresh: true,
      params: { id: "passkey" },
      handle: ({ params, caller }) => door.passkeys.remove(caller, params.id),
    }),
  ];
}

/** Proving once more who sits there, the authenticator app, and the owner's recovery key. */
function proofRoutes(door: Door): Route[] {
  return [
    read({
      method: "GET",
      path: "/proof",
      audience: "session",
      response: shape.ProofMethods,
      handle: ({ caller, visit }) => door.proof.methods(caller, visit),
    }),
    act({
      method: "POST",
      path: "/proof",
      audience: "session",
      body: shape.OwnPassword,
      handle: ({ body, caller, visit }) => door.proof.byPassword(caller, body.password, visit),
    }),
    act({
      method: "POST",
      path: "/proof/passkey",
      audience: "session",
      body: shape.webauthnJson<AuthenticationResponseJSON>(),
      handle: ({ body, caller, visit }) => door.proof.byPasskey(caller, body, visit),
    }),
    read({
      method: "GET",
      path: "/totp",
      audience: "session",
      response: shape.TotpState,
      handle: ({ caller }) => door.second_factor.state(caller),
    }),
    act({
      method: "POST",
      path: "/totp",
      audience: "session",
      fresh: true,
      response: shape.TotpStart,
      handle: async ({ caller }) => door.second_factor.begin(caller),
    }),
    change({
      method: "POST",
      path: "/totp/confirm",
      audience: "session",
      body: shape.TotpCode,
      response: shape.BackupCodes,
      handle: ({ body, caller }) => door.second_factor.confirm(caller, body.code),
    }),
    act({
      method: "DELETE",
      path: "/totp",
      audience: "session",
      body: shape.OwnPassword,
      handle: async ({ body, caller, visit, commit }) => {
        await door.passwords.prove(caller.user, body.password, visit, caller.request_id);
        commit(() => door.second_factor.remove(caller));
      },
    }),
    act({
      method: "POST",
      path: "/recovery-key",
      audience: "session",
      role: "owner",
      body: shape.OwnPassword,
      response: Type.Object({ recovery_key: Type.String() }),
      handle: async ({ body, caller, visit }) => {
        await door.passwords.prove(caller.user, body.password, visit, caller.request_id);
        return { recovery_key: await door.renewRecoveryKey(caller) };
      },
    }),
  ];
}

/** Under /app/api: first run, signing in, sessions. */
export function doorAppRoutes(door: Door): Route[] {
  return [...publicRoutes(door), ...ownRoutes(door), ...proofRoutes(door)];
}
