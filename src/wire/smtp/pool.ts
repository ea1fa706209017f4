/** Connections that outlive a message, per account. */
import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { SubmitResult } from "./result.ts";
import { type OutgoingMessage, openSession, type SmtpSession, type SmtpTimeouts, TIMEOUTS } from "./session.ts";
import type { SmtpLogin } from "./verify.ts";

export interface SmtpPoolOptions {
  clock: Clock;
  /** PEM text of further certificate authorities. */
  ca?: string | null;
  /** An unused connection is closed after this long; servers do it themselves after some minutes. */
  idleMs?: number;
  /** A connection is closed after this many messages; some providers allow 100. */
  maxMessages?: number;
  timeouts?: Partial<SmtpTimeouts>;
}

interface Idle {
  session: SmtpSession;
  /** The login it was opened with, as one string: another password needs another connection. */
  login: string;
  stop: CancelTimer;
}

const IDLE_MS = 30_000;
const MAX_MESSAGES = 50;
/** Idle connections kept for one account; providers count all of them. */
const MAX_IDLE = 2;

/** Submits messages, several over one connection. How many run at once for one account is the caller's to bound. */
export class SmtpPool {
  #options: SmtpPoolOptions;
  #idle = new Map<string, Idle[]>();
  #closed = false;

  constructor(options: SmtpPoolOptions) {
    this.#options = options;
  }

  /**
   * One attempt; never rejects. A connection that died while it was idle is not the message's fault: when a reused one
   * fails before the server took DATA, the message is tried once more on a fresh one.
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

  /** Closes what is idle for an account that was changed or removed. */
  forget(key: string): void {
    for (const { session } of [...(this.#idle.get(key) ?? [])]) session.close();
  }

  /** Closes what is idle; what is under way finishes and is closed then. */
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
    // Its end takes it off the list.
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
  // A token only opens the door: a session that was let in with an earlier one goes on.
  return JSON.stringify([host, port, security, username, access_token === undefined ? password : "oauth2"]);
}
