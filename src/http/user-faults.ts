import { invalidParam, UserError } from "../kernel/errors.ts";

/**
 * Runs `work`, whose refusals are made for people at the command line, for a request: its sentence becomes a fault of the
 * parameter that it is about. @throws ApiError invalid_params
 */
export function faultOf<T>(param: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) throw invalidParam(param, error.message);
    throw error;
  }
}
