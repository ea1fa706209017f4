import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { Type } from "@sinclair/typebox";
import { act, change, publicAct, publicRead, type Route, read } from "../../http/route.ts";
import { Name } from "../../http/schema.ts";
import type { Auth } from "./auth.ts";
import * as shape from "./model.ts";

/** Routes that need no sign-in. */
function publicRoutes(auth: Auth): Route[] {
  return [
    publicRead({
      method: "GET",
      path: "/state",
      response: shape.State,
      handle: ({ caller, context, request_id }) => auth.state(caller, context, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/setup",
      body: shape.SetupInput,
      response: shape.SetupReply,
      handle: ({ body, context, request_id }) => auth.setup.run(body, context, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/sign-in",
      body: shape.SignInInput,
      handle: ({ body, context, request_id }) => auth.passwords.signIn(body, context, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/sign-in/passkey/options",
      response: shape.webauthnJson<PublicKeyCredentialRequestOptionsJSON>(),
      handle: ({ context }) => auth.passkeys.beginSignIn(context),
    }),
    publicAct({
      method: "POST",
      path: "/sign-in/passkey",
      body: shape.webauthnJson<AuthenticationResponseJSON>(),
      handle: ({ body, context, request_id }) => auth.passkeys.signIn(body, context, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/sign-out",
      handle: ({ context, request_id }) => auth.sessions.end(context, request_id),
    }),
    publicAct({
      method: "POST",
      path: "/invitation",
      body: shape.InvitationInput,
      response: shape.InvitationReply,
      handle: async ({ body, context, request_id }) => ({
        signed_in: await auth.passwords.accept(body, context, request_id),
      }),
    }),
  ];
}

/** Routes with which a person changes their own account and access. */
function ownRoutes(auth: Auth): Route[] {
  const { sessions, signIn } = auth.platform;
  return [
    change({
      method: "PATCH",
      path: "/me",
      audience: "session",
      body: shape.MePatch,
      response: shape.Person,
      handle: ({ body, caller }) => shape.viewPerson(auth.changeMe(caller, body)),
    }),
    act({
      method: "POST",
      path: "/password",
      audience: "session",
      body: shape.PasswordInput,
      handle: ({ body, caller, context }) =>
        auth.passwords.change(caller.user, body.current, body.new, context, caller.request_id),
    }),
    read({
      method: "GET",
      path: "/sessions",
      audience: "session",
      response: shape.dataOf(shape.SessionRow),
      handle: ({ caller, context }) => ({
        data: sessions.list(caller.user.id).map((row) => shape.viewSession(row, context.session?.id ?? null)),
      }),
    }),
    change({
      method: "DELETE",
      path: "/sessions",
      audience: "session",
      response: Type.Object({ ended: Type.Integer() }),
      handle: ({ caller, context }) => ({ ended: auth.endOtherSessions(caller, context) }),
    }),
    change({
      method: "DELETE",
      path: "/sessions/:id",
      audience: "session",
      params: { id: "session" },
      handle: ({ params, caller }) => auth.endSession(caller, params.id),
    }),
    read({
      method: "GET",
      path: "/passkeys",
      audience: "session",
      response: shape.dataOf(shape.PasskeyRow),
      handle: ({ caller }) => ({ data: signIn.passkeys.list(caller.user.id).map(shape.viewPasskey) }),
    }),
    act({
      method: "POST",
      path: "/passkeys/options",
      audience: "session",
      recentAuth: true,
      response: shape.webauthnJson<PublicKeyCredentialCreationOptionsJSON>(),
      handle: ({ caller, context }) => auth.passkeys.beginAdding(caller.user, context),
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
        shape.viewPasskey(await auth.passkeys.add(caller, body.name, body.credential)),
    }),
    change({
      method: "DELETE",
      path: "/passkeys/:id",
      audience: "session",
      // Without a passkey or password, a provider's word would count as re-authentication.
      recentAuth: true,
      params: { id: "passkey" },
      handle: ({ params, caller }) => auth.passkeys.remove(caller, params.id),
    }),
  ];
}

/** Re-authentication, the authenticator app, and the owner's recovery key. */
function reauthenticationRoutes(auth: Auth): Route[] {
  return [
    read({
      method: "GET",
      path: "/proof",
      audience: "session",
      response: shape.ReauthenticationMethods,
      handle: ({ caller, context }) => auth.recentAuth.methods(caller, context),
    }),
    act({
      method: "POST",
      path: "/proof",
      audience: "session",
      body: shape.OwnPassword,
      handle: ({ body, caller, context }) => auth.recentAuth.byPassword(caller, body.password, context),
    }),
    act({
      method: "POST",
      path: "/proof/passkey",
      audience: "session",
      body: shape.webauthnJson<AuthenticationResponseJSON>(),
      handle: ({ body, caller, context }) => auth.recentAuth.byPasskey(caller, body, context),
    }),
    read({
      method: "GET",
      path: "/totp",
      audience: "session",
      response: shape.TotpState,
      handle: ({ caller }) => auth.secondFactor.state(caller),
    }),
    act({
      method: "POST",
      path: "/totp",
      audience: "session",
      recentAuth: true,
      response: shape.TotpStart,
      handle: async ({ caller }) => auth.secondFactor.begin(caller),
    }),
    change({
      method: "POST",
      path: "/totp/confirm",
      audience: "session",
      body: shape.TotpCode,
      response: shape.BackupCodes,
      handle: ({ body, caller }) => auth.secondFactor.confirm(caller, body.code),
    }),
    act({
      method: "DELETE",
      path: "/totp",
      audience: "session",
      body: shape.OwnPassword,
      handle: async ({ body, caller, context, commit }) => {
        await auth.passwords.verify(caller.user, body.password, context, caller.request_id);
        commit(() => auth.secondFactor.remove(caller));
      },
    }),
    act({
      method: "POST",
      path: "/recovery-key",
      audience: "session",
      role: "owner",
      body: shape.OwnPassword,
      response: Type.Object({ recovery_key: Type.String() }),
      handle: async ({ body, caller, context }) => {
        await auth.passwords.verify(caller.user, body.password, context, caller.request_id);
        return { recovery_key: await auth.renewRecoveryKey(caller) };
      },
    }),
  ];
}

/** Returns the routes under /app/api for first run, sign-in and sessions. */
export function authAppRoutes(auth: Auth): Route[] {
  return [...publicRoutes(auth), ...ownRoutes(auth), ...reauthenticationRoutes(auth)];
}
