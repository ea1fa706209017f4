import { invalidParam, UserError } from "../kernel/errors.ts";

/**
 * Runs `work` for a request. Its UserError, written for the command line, becomes an error of the parameter that caused
 * it. @throws ApiError invalid_params
 */
export function faultOf<T>(param: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) throw invalidParam(param, error.message);
    throw error;
  }
}
