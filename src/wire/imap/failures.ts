import { formatProblem, type Problem, problem, problemOfSocket, quoted, refusedLogin } from "../problems.ts";

/** Why a connection failed: a status for the account and a sentence that tells the user what to do. */
export interface ImapFailure {
  status: "auth_failed" | "unreachable";
  /** The problem as one text. */
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
  /** Set on failures that are already explained. */
  problem?: Problem;
}

/** A failure whose cause is already known, for example a token that the provider refuses to issue. */
export class ExplainedFailure extends Error {
  override readonly name = "ExplainedFailure";

  constructor(
    readonly problem: Problem,
    readonly authenticationFailed: boolean,
  ) {
    super(problem.message);
  }
}

/** True when the server understood a command and answered NO, over a connection that remains usable. */
function isRefusal(error: unknown): boolean {
  const { responseStatus, authenticationFailed } = (error ?? {}) as Fault;
  return responseStatus === "NO" && authenticationFailed !== true;
}

/** True when the server answered NO or BAD to one command. Some servers answer BAD because of a single message. */
export function isRejection(error: unknown): boolean {
  return isRefusal(error) || (error as Fault | null)?.responseStatus === "BAD";
}

/** True when the server refused the login. */
export function isRefusedLogin(error: unknown): boolean {
  return (error as Fault | null)?.authenticationFailed === true;
}

/** The attempted login. The host decides whose advice helps, and the password must not be repeated. */
interface Tried {
  host: string;
  password?: string;
  access_token?: string | undefined;
}

/** Explains a failed connection or login. */
export function explainImapFailure(error: unknown, tried: Tried = { host: "" }): ImapFailure {
  const found = problemOfImap(error, tried);
  return {
    status: isRefusedLogin(error) ? "auth_failed" : "unreachable",
    sentence: formatProblem(found),
    problem: found,
  };
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

/** True for RFC 5530's LIMIT, and for the texts of servers that send no response code. */
function isTooMany({ serverResponseCode, responseText }: Fault): boolean {
  return serverResponseCode === "LIMIT" || /too many (simultaneous )?connections/i.test(String(responseText ?? ""));
}
