import { renderSVG } from "uqr";
import type { Caller } from "../../http/guard/caller.ts";
import { invalidParam } from "../../kernel/errors.ts";
import type { Platform } from "../../platform/platform.ts";

/** Turns the authenticator app on and off. Sign-in requires a code while it is on. */
export class SecondFactor {
  constructor(private readonly platform: Platform) {}

  state({ user }: Caller): { on: boolean; backup_codes_left: number } {
    const { totp } = this.platform.signIn;
    return { on: totp.isOn(user.id), backup_codes_left: totp.backupCodesLeft(user.id) };
  }

  /** @throws ApiError invalid_params if it is already on, or if there is no password to combine it with */
  begin({ user }: Caller): { secret: string; uri: string; qr_svg: string } {
    const { totp, passwords } = this.platform.signIn;
    if (totp.isOn(user.id)) throw invalidParam("code", "The authenticator app is already on. Turn it off first.");
    if (!passwords.has(user.id))
      throw invalidParam("code", "Set a password first. The authenticator code is used together with it.");
    const { secret, uri } = totp.begin(user.id, user.email);
    return { secret, uri, qr_svg: renderSVG(uri) };
  }

  /** @throws ApiError invalid_params for a wrong code */
  confirm({ user, actor, request_id }: Caller, code: string): { backup_codes: string[] } {
    const { signIn, audit } = this.platform;
    if (signIn.totp.isOn(user.id)) throw invalidParam("code", "The authenticator app is already on.");
    const backup_codes = signIn.totp.confirm(user.id, code.replace(/\s/g, ""));
    if (!backup_codes) {
      throw invalidParam(
        "code",
        "This is not the code that the app should show now. Check that the clock of your phone is right.",
      );
    }
    audit.record({ user_id: user.id, actor, action: "totp.on", target: user.id, request_id });
    return { backup_codes };
  }

  remove({ user, actor, request_id }: Caller): void {
    const { signIn, audit } = this.platform;
    if (signIn.totp.remove(user.id)) {
      audit.record({ user_id: user.id, actor, action: "totp.off", target: user.id, request_id });
    }
  }
}
