import type { Static } from "@sinclair/typebox";
import type {
  PasskeyRow as PasskeyModel,
  ReauthenticationMethods as ProofMethodsModel,
  SessionRow as SessionModel,
  SetupReply as SetupReplyModel,
  TotpStart as TotpStartModel,
  TotpState as TotpStateModel,
} from "../../../src/features/auth/model.ts";

/** Types of setup, sign-in, sessions and second factors in `app/api`. */
export type {
  KeyStorage as KeyStorageKind,
  SetupInput,
  SignInInput,
  State as AppState,
} from "../../../src/features/auth/model.ts";

export type SetupReply = Static<typeof SetupReplyModel>;
export type SessionRow = Static<typeof SessionModel>;
export type PasskeyRow = Static<typeof PasskeyModel>;
export type ReauthenticationMethods = Static<typeof ProofMethodsModel>;
export type TotpState = Static<typeof TotpStateModel>;
export type TotpStart = Static<typeof TotpStartModel>;
