/** Keeps SMTP connections open between messages, per account. */
import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { SubmitResult } from "./result.ts";
import { type OutgoingMessage, openSession, type SmtpSession, type SmtpTimeouts, TIMEOUTS } from "./session.ts";
import type { SmtpLogin } from "./verify.ts";

export interface SmtpPoolOptions {
  clock: Clock;
  /** Further certificate authorities as PEM text. */
  ca?: string | null;
  /** An unused connection is closed after this time; servers close theirs after some minutes. */
  idleMs?: number;
  /** A connection is closed after this many messages; some providers allow 100. */
  maxMessages?: number;
  timeouts?: Partial<SmtpTimeouts>;
}

interface Idle {
  session: SmtpSession;
  /** The login that opened the session, as one string: a new password needs a new connection. */
  login: string;
  stop: CancelTimer;
}

const IDLE_MS = 30_000;
const MAX_MESSAGES = 50;
/** Idle connections kept per account; providers count all of them. */
const MAX_IDLE = 2;

/** Submits messages, several over one connection. The caller limits how many run at once per account. */
export class SmtpPool {
  #options: SmtpPoolOptions;
  #idle = new Map<string, Idle[]>();
  #closed = false;

  constructor(options: SmtpPoolOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt; never rejects. When a reused connection fails before the server accepted DATA, the message is
   * tried once more on a new connection, because a connection that died while idle is not the message's fault.
   * @param key the account's id
   */
  async submit(key: string, login: SmtpLogin, message: OutgoingMessage): Promise<SubmitResult> {
    const reused = this.#take(key, login);
    if (reused) {
      const { result, begun } = await this.#run(key, login, reused, message);
      if (begun || !connectionFault(result)) return result;
    }
    const { clock, ca = null, timeouts } = this.#options;
    const opened = await openSession(login, { clock, ca, timeouts: { ...TIMEOUTS, ...timeouts } });
    if ("result" in opened) return opened.result;
    const { session } = opened;
    session.onEnd(() => this.#drop(key, session));
    return (await this.#run(key, login, session, message)).result;
  }

  /** Closes the idle connections of an account that was changed or removed. */
  forget(key: string): void {
    for (const { session } of [...(this.#idle.get(key) ?? [])]) session.close();
  }

  /** Closes the idle connections; a busy one is closed when its message is done. */
  close(): void {
    this.#closed = true;
    for (const key of [...this.#idle.keys()]) this.forget(key);
  }

  async #run(key: string, login: SmtpLogin, session: SmtpSession, message: OutgoingMessage) {
    const run = await session.submit(message);
    this.#give(key, login, session);
    return run;
  }

  #take(key: string, login: SmtpLogin): SmtpSession | null {
    const list = this.#idle.get(key) ?? [];
    const wanted = fingerprint(login);
    for (let idle = list.pop(); idle; idle = list.pop()) {
      idle.stop();
      if (idle.session.alive && idle.login === wanted) return idle.session;
      idle.session.close();
    }
    return null;
  }

  #give(key: string, login: SmtpLogin, session: SmtpSession): void {
    const { clock, idleMs = IDLE_MS, maxMessages = MAX_MESSAGES } = this.#options;
    if (!session.alive) return;
    const list = this.#idle.get(key) ?? [];
    if (this.#closed || session.sent >= maxMessages || list.length >= MAX_IDLE) {
      session.close();
      return;
    }
    // The session's end removes it from the list.
    list.push({ session, login: fingerprint(login), stop: clock.after(idleMs, () => session.close()) });
    this.#idle.set(key, list);
  }

  #drop(key: string, session: SmtpSession): void {
    const list = this.#idle.get(key) ?? [];
    list.find((idle) => idle.session === session)?.stop();
    const left = list.filter((idle) => idle.session !== session);
    if (left.length > 0) this.#idle.set(key, left);
    else this.#idle.delete(key);
  }
}

function connectionFault(result: SubmitResult): boolean {
  return result.outcome === "not_sent" || (result.outcome === "refused" && result.code === 421);
}

function fingerprint({ host, port, security, username, password, access_token }: SmtpLogin): string {
  // A token is only needed to log in: a session that used an earlier token remains usable.
  return JSON.stringify([host, port, security, username, access_token === undefined ? password : "oauth2"]);
}
