import type { ScriptedSmtp } from "../support/smtp-server.ts";
import type { FolderView } from "./off-machine-view.ts";

interface Arrival {
  /** Id of the send, of which the Message-ID is made. */
  id: string;
  subject: string;
  /** performance.now() */
  at: number;
}

/** What the submission server accepted, over all machines. */
export class Arrivals {
  readonly #all: Arrival[] = [];
  /** Arrivals that a new primary did not have to know of. */
  readonly #excused = new Set<Arrival>();
  readonly #reported = new Set<string>();
  /** Called when the server has a whole message that it has not answered yet. */
  onArrival: (() => void) | null = null;

  constructor(smtp: ScriptedSmtp) {
    const { accepted } = smtp;
    accepted.push = (...messages) => {
      for (const { raw } of messages) {
        const id = /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? "?";
        const subject = /^Subject: (.*)$/im.exec(raw)?.[1]?.trim() ?? "?";
        this.#all.push({ id, subject, at: performance.now() });
        this.onArrival?.();
      }
      return Array.prototype.push.apply(accepted, messages);
    };
  }

  get count(): number {
    return this.#all.length;
  }

  /** How often a send arrived. */
  of(id: string): number {
    return this.#all.filter((one) => one.id === id).length;
  }

  /**
   * Returns what arrived twice and was not returned before.
   * @param by "id": by Message-ID; "subject": by what a client asked for once, perhaps of two servers
   */
  takeRepeated(...by: readonly ("id" | "subject")[]): string[] {
    const found: string[] = [];
    for (const of of by) {
      const times = new Map<string, number>();
      for (const one of this.#all) times.set(one[of], (times.get(one[of]) ?? 0) + 1);
      for (const [name, count] of times) {
        if (count < 2 || this.#reported.has(name) || (of === "subject" && !/^Sent \d+$/.test(name))) continue;
        this.#reported.add(name);
        found.push(`${name} arrived ${count} times`);
      }
    }
    return found;
  }

  /**
   * Returns what arrived and what a new primary does not know as claimed: it could be sent again, or is not recorded.
   * @param isExcused whether the new primary does not have to know of this moment
   */
  unknownTo(view: FolderView, isExcused: (at: number) => boolean): string[] {
    return this.#all.flatMap((arrival) => {
      const { id, at } = arrival;
      const send = view.sends.get(id);
      if ((send && send.status !== "scheduled") || this.#excused.has(arrival)) return [];
      if (isExcused(at)) {
        this.#excused.add(arrival);
        return [];
      }
      return [`${id} arrived, and the new primary ${send ? "would send it again" : "does not know it"}`];
    });
  }
}
