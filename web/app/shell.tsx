import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { app } from "./api/client.ts";
import { Navigation, WaitingCount } from "./navigation.tsx";
import { Consent } from "./pages/assistants/consent.tsx";
import { AcceptInvitation } from "./pages/sign-in/invitation.tsx";
import { OAuthCallback } from "./pages/sign-in/oauth-callback.tsx";
import { ReAuthenticationDialog } from "./pages/sign-in/re-authentication.tsx";
import { Setup } from "./pages/sign-in/setup.tsx";
import { SignIn } from "./pages/sign-in/sign-in.tsx";
import { pageAt } from "./pages.tsx";
import { Button } from "./parts/button.tsx";
import { Icon, Mark } from "./parts/icon.tsx";
import { FaultNotice, Skeleton } from "./parts/layout.tsx";
import { PauseNotice } from "./parts/pause-notice.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { pendingReAuthentication } from "./state/re-authentication.ts";
import { currentRoute, type Route } from "./state/route.ts";
import { sandbox } from "./state/sandbox.ts";
import { refreshSession, session, unreachable } from "./state/session.ts";
import { setTheme, type Theme, theme } from "./state/theme.ts";

/** The whole page. What it shows depends on who is signed in. */
export function Shell() {
  const state = session.value;
  const { path, query } = currentRoute.value;
  const invitation = invitationToken();
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      {state === null ? (
        <SignInFrame>
          {unreachable.value ? <FaultNotice error={unreachable.value} retry={refreshSession} /> : <Skeleton />}
        </SignInFrame>
      ) : invitation !== null ? (
        <SignInFrame>
          <AcceptInvitation token={invitation} />
        </SignInFrame>
      ) : state.setup_needed || path[0] === "setup" ? (
        <SignInFrame wide>
          <Setup />
        </SignInFrame>
      ) : state.user === null ? (
        <SignInFrame>
          <SignIn />
        </SignInFrame>
      ) : location.pathname.endsWith("/oauth/callback") ? (
        <SignInFrame>
          <OAuthCallback />
        </SignInFrame>
      ) : path[0] === "assistants" && path[1] === "consent" ? (
        <SignInFrame wide>
          <Consent key={query.get("uid")} uid={query.get("uid") ?? ""} />
        </SignInFrame>
      ) : (
        <SignedIn />
      )}
      {pendingReAuthentication.value && <ReAuthenticationDialog done={pendingReAuthentication.value} />}
      <Toasts />
    </>
  );
}

/** Returns the token of an invitation link, "#invitation=…". It is in the fragment so that it never reaches a log. */
function invitationToken(): string | null {
  const { path } = currentRoute.value;
  return /^invitation=(.+)$/.exec(path[0] ?? "")?.[1] ?? null;
}

/** Moves the focus. A link to "#content" would change the route, which is in the fragment. */
function skip(): void {
  document.getElementById("content")?.focus();
}

function SignInFrame({ children, wide }: { children: ComponentChildren; wide?: boolean }) {
  return (
    <div class={wide ? "sign-in wide" : "sign-in"}>
      <header class="sign-in-head">
        <Mark size={32} />
        <span class="brand">Postroom</span>
        <ThemeSwitch />
      </header>
      <main id="content" tabIndex={-1}>
        <PauseNotice />
        {children}
      </main>
    </div>
  );
}

function SignedIn() {
  // The menu belongs to the page on which it was opened: the next page is visible, and can take the focus, at once.
  const [openedOn, setOpenedOn] = useState<Route | null>(null);
  const drawer = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const current = currentRoute.value;
  const menu = openedOn === current;
  const setMenu = (open: boolean) => setOpenedOn(open ? current : null);
  // Before the paint, so that Escape works as soon as the menu is visible.
  useLayoutEffect(() => {
    if (!menu) return;
    drawer.current?.querySelector<HTMLElement>("nav a")?.focus();
    const close = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setMenu(false);
      button.current?.focus();
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [menu]);
  return (
    <div class="frame">
      <header class="top">
        <button
          type="button"
          class="menu-button"
          ref={button}
          aria-expanded={menu}
          aria-controls="menu"
          onClick={() => setMenu(!menu)}
        >
          <Icon name={menu ? "cross" : "menu"} size={20} />
          <span>Menu</span>
          <WaitingCount />
        </button>
        <span class="top-brand">
          <Mark size={24} />
          Postroom
        </span>
      </header>
      <aside class={menu ? "side open" : "side"} id="menu" ref={drawer}>
        <a class="side-brand" href="#/">
          <Mark />
          Postroom
        </a>
        <Navigation />
        <div class="side-foot">
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={sandbox.value}
              checked={sandbox.value}
              onChange={(event) => {
                sandbox.value = event.currentTarget.checked;
              }}
            />
            <span class="switch-track" />
            <span>Sandbox</span>
          </label>
          <p class="side-user" title={session.value?.user?.email}>
            {session.value?.user?.email}
          </p>
          <div class="side-actions">
            <Button kind="quiet" small icon="out" onClick={signOut}>
              Sign out
            </Button>
            <ThemeSwitch />
          </div>
        </div>
      </aside>
      <main id="content" tabIndex={-1} inert={menu}>
        <PauseNotice />
        {sandbox.value && <SandboxBar page={current.path[0] ?? ""} />}
        {pageAt(current.path)}
      </main>
    </div>
  );
}

/** Pages about the person and this machine. They do not depend on the sandbox switch. */
const SAME_IN_SANDBOX = new Set(["notifications", "security", "people", "backup", "system"]);
/** Pages that list what belongs to the sandbox together with everything else. */
const WITH_SANDBOX = new Set(["keys", "assistants", "approvals"]);

/** Says what the sandbox switch does to the page that is open. */
function SandboxBar({ page }: { page: string }) {
  return (
    <p class="sandbox-bar">
      <Icon name="flask" size={16} />
      <span>
        {SAME_IN_SANDBOX.has(page)
          ? "The sandbox does not change this page: it is about you and this machine, and changes here are real."
          : WITH_SANDBOX.has(page)
            ? "The sandbox does not change this page: it lists entries for your mail and for the sandbox, which are marked."
            : "You are in the sandbox. It holds sample mail that you can change freely, and nothing you send leaves this machine."}
      </span>
    </p>
  );
}

async function signOut(): Promise<void> {
  await app("POST", "/sign-out").catch(() => {});
  await refreshSession();
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const THEME_LABELS: Record<Theme, string> = { system: "Auto", light: "Light", dark: "Dark" };

function ThemeSwitch() {
  const now = theme.value;
  return (
    <button
      type="button"
      class="theme"
      title={`Change to ${THEME_LABELS[NEXT[now]]}`}
      onClick={() => setTheme(NEXT[now])}
    >
      <Icon name={now === "dark" ? "moon" : "sun"} size={17} />
      <span>
        <span class="visually-hidden">Theme: </span>
        {THEME_LABELS[now]}
      </span>
    </button>
  );
}
