import { contentDisposition } from "../../http/disposition.ts";
import type { Caller } from "../../http/guard/caller.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import type { Clock } from "../../kernel/clock.ts";
import { isoTime, utcDay } from "../../kernel/clock.ts";
import { type ExportSource, exportArchive } from "./export.ts";
import { Confirmation, InvitationLink, MemberList, MemberPatch, MemberView, NewMember } from "./model.ts";
import type { MemberService, MemberWriter } from "./service.ts";

export interface MemberRouteParts {
  members: MemberService;
  source: ExportSource;
  clock: Clock;
  /** Fills the sandbox of a new member; a failure here does not fail the creation of the member. */
  welcome: (user_id: string) => Promise<void>;
}

/** Defines the routes of the settings page "Members", and those with which each person manages their own data. */
export function memberAppRoutes(parts: MemberRouteParts): Route[] {
  return [...ownerRoutes(parts), ...ownRoutes(parts)];
}

function ownerRoutes(parts: MemberRouteParts): Route[] {
  const { members, welcome } = parts;
  const owner = { audience: "session", role: "owner" } as const;
  const params = { id: "user" } as const;
  return [
    read({
      method: "GET",
      path: "/members",
      ...owner,
      response: MemberList,
      handle: () => ({ data: members.list(), removing: members.removing() }),
    }),
    act({
      method: "POST",
      path: "/members",
      ...owner,
      // Where a provider or a proxy authenticates people, adding the member is enough.
      recentAuth: true,
      body: NewMember,
      response: MemberView,
      status: 201,
      handle: async ({ caller, body, commit }) => {
        const member = commit(() => members.add(writerOf(caller), body));
        void welcome(member.id);
        return member;
      },
    }),
    change({
      method: "PATCH",
      path: "/members/:id",
      ...owner,
      params,
      body: MemberPatch,
      response: MemberView,
      handle: ({ caller, params: { id }, body }) => members.setPlan(writerOf(caller), id, body.plan),
    }),
    change({
      method: "DELETE",
      path: "/members/:id",
      ...owner,
      params,
      recentAuth: true,
      body: Confirmation,
      handle: ({ caller, params: { id }, body }) => members.remove(writerOf(caller), id, body.confirm_email),
    }),
    change({
      method: "POST",
      path: "/members/:id/invite",
      ...owner,
      params,
      recentAuth: true,
      response: InvitationLink,
      status: 201,
      handle: ({ caller, params: { id }, context }) => {
        const { token, expires_at } = members.invite(writerOf(caller), id);
        // After "#", so that no server and no log sees the token.
        return { url: `${context.base_url}/app/#invitation=${token}`, expires_at: isoTime(expires_at) };
      },
    }),
    change({
      method: "DELETE",
      path: "/members/:id/invite",
      ...owner,
      params,
      handle: ({ caller, params: { id } }) => members.withdraw(writerOf(caller), id),
    }),
    read({
      method: "GET",
      path: "/members/:id/export",
      ...owner,
      params,
      recentAuth: true,
      produces: "application/zip",
      handle: ({ caller, params: { id }, openStream }) => archive(parts, caller, id, openStream),
    }),
  ];
}

function ownRoutes(parts: MemberRouteParts): Route[] {
  const { members } = parts;
  return [
    read({
      method: "GET",
      path: "/me/export",
      audience: "session",
      recentAuth: true,
      produces: "application/zip",
      handle: ({ caller, openStream }) => archive(parts, caller, writerOf(caller).user_id, openStream),
    }),
    change({
      method: "DELETE",
      path: "/me",
      audience: "session",
      recentAuth: true,
      body: Confirmation,
      handle: ({ caller, body }) => members.remove(writerOf(caller), writerOf(caller).user_id, body.confirm_email),
    }),
  ];
}

function archive(
  { members, source, clock }: MemberRouteParts,
  caller: Caller,
  id: string,
  openStream: () => AbortSignal,
) {
  const { email } = members.noteExport(writerOf(caller), id);
  const at = clock.now();
  openStream();
  return new Response(exportArchive(id, source, { email, at }), {
    headers: { "Content-Disposition": contentDisposition(`postroom-${email}-${utcDay(at)}.zip`) },
  });
}

/** Returns the person as the writer, even while the page shows their sandbox. */
function writerOf({ user, actor, request_id }: Caller): MemberWriter {
  return { user_id: user.sandbox_of ?? user.id, actor, request_id };
}
