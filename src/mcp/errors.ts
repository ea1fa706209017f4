import type { ApiError } from "../kernel/errors.ts";

/** An error as a tool returns it: the codes of the REST API. */
export interface ToolError {
  code: string;
  message: string;
  param?: string;
  retry_after_s?: number;
}

export function toolError({ code, message, param, retryAfterS }: ApiError): ToolError {
  return { code, message, ...(param && { param }), ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }) };
}
