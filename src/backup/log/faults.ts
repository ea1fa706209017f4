import { UserError } from "../../kernel/errors.ts";
import { StoreFault } from "../../platform/objects/store.ts";

/**
 * - missing: the store does not have the object
 * - damaged: a bit was changed, bytes are missing, or the object is of another installation
 * - replaced: another object of the same log is in its place, or one of another history
 * - incomplete: there is a log, but its first base is still being sent
 * - behind: the log ends before the state that was acknowledged, or `primary` is older than the log
 */
export type LogFaultKind = "missing" | "damaged" | "replaced" | "incomplete" | "behind";

/** Damage of a log. `message` names the object. */
export class LogFault extends UserError {
  constructor(
    readonly kind: LogFaultKind,
    message: string,
  ) {
    super(message);
  }
}

/** Runs a request for a person: a failure of the store is a sentence. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreFault ? new UserError(error.message, { cause: error }) : error;
  }
}
