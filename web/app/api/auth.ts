import type { Static } from "@sinclair/typebox";
import type {
  PasskeyRow as PasskeyModel,
  ProofMethods as ProofMethodsModel,
  SessionRow as SessionModel,
  SetupReply as SetupReplyModel,
  TotpStart as TotpStartModel,
  TotpState as TotpStateModel,
} from "../../../src/features/door/model.ts";

/** Types of setup, sign-in, sessions and second factors in `app/api`. */
export type {
  Custody as KeyStorageKind,
  CustodyChoice,
  SetupInput,
  SignInInput,
  State as AppState,
} from "../../../src/features/door/model.ts";

export type SetupReply = Static<typeof SetupReplyModel>;
export type SessionRow = Static<typeof SessionModel>;
export type PasskeyRow = Static<typeof PasskeyModel>;
export type ProofMethods = Static<typeof ProofMethodsModel>;
export type TotpState = Static<typeof TotpStateModel>;
export type TotpStart = Static<typeof TotpStartModel>;
