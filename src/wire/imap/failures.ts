import { inWords, type Problem, problem, problemOfSocket, quoted, refusedLogin } from "../problems.ts";

/** Why a connection failed, in the words of the status of the account and of a sentence that a person can act on. */
export interface ImapFailure {
  status: "auth_failed" | "unreachable";
  /** The problem in one text. */
  sentence: string;
  problem: Problem;
}

interface Fault {
  code?: unknown;
  authenticationFailed?: unknown;
  responseStatus?: unknown;
  responseText?: unknown;
  serverResponseCode?: unknown;
  message?: unknown;
  /** Set on failures that were explained before they came here. */
  problem?: Problem;
}

/** A failure that is known already, such as a token that the provider does not give. */
export class ExplainedFailure extends Error {
  override readonly name = "ExplainedFailure";

  constructor(
    readonly problem: Problem,
    readonly authenticationFailed: boolean,
  ) {
    super(problem.message);
  }
}

/** The server understood a command and said no, over a connection that goes on. */
export function isRefusal(error: unknown): boolean {
  const { responseStatus, authenticationFailed } = (error ?? {}) as Fault;
  return responseStatus === "NO" && authenticationFailed !== true;
}

/** True for an error that is the server's NO or BAD to one command: some say BAD to what only one message makes them say. */
export function isRejection(error: unknown): boolean {
  return isRefusal(error) || (error as Fault | null)?.responseStatus === "BAD";
}

/** True when the server would not let this login in. */
export function isRefusedLogin(error: unknown): boolean {
  return (error as Fault | null)?.authenticationFailed === true;
}

/** What was tried: the host decides whose advice helps, and the password must not be repeated. */
interface Tried {
  host: string;
  password?: string;
  access_token?: string | undefined;
}

/** Explains a failed connection or login. */
export function explainImapFailure(error: unknown, tried: Tried = { host: "" }): ImapFailure {
  const found = problemOfImap(error, tried);
  return { status: isRefusedLogin(error) ? "auth_failed" : "unreachable", sentence: inWords(found), problem: found };
}

function problemOfImap(error: unknown, { host, password = "", access_token }: Tried): Problem {
  if (error instanceof ExplainedFailure) return error.problem;
  const fault = (typeof error === "object" && error !== null ? error : {}) as Fault;
  const said = quoted(fault.responseText, access_token ?? password);
  if (isTooMany(fault)) return problem("too_many_connections", said);
  if (fault.authenticationFailed === true) {
    return access_token === undefined ? refusedLogin(host, said) : problem("token_refused", said);
  }
  if (isRefusal(error)) return problem("server_refused", said);
  const message = typeof fault.message === "string" ? fault.message : "";
  const found = problemOfSocket(error);
  return /STARTTLS/i.test(message) && found.code === "connection_failed" ? problem("no_starttls") : found;
}

/** RFC 5530 LIMIT, and the words of those who send no code. */
function isTooMany({ serverResponseCode, responseText }: Fault): boolean {
  return serverResponseCode === "LIMIT" || /too many (simultaneous )?connections/i.test(String(responseText ?? ""));
}
