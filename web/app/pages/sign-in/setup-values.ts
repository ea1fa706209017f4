import type { KeyStorageKind } from "../../api/auth.ts";

/** The values of the setup form, over all of its steps. */
export interface SetupValues {
  token: string;
  email: string;
  password: string;
  custody: KeyStorageKind;
  passphrase: string;
  again: string;
  key_file: string;
}
