/** One line of `postroom doctor` and of the system page. */
export interface Finding {
  /** The checked item: "disk space", "imap.example.org:993". */
  check: string;
  /** `advice`: it works, but could be better or safer. `FAULT`: it does not work. */
  result: "ok" | "advice" | "FAULT";
  /** One or two sentences for a person, including what to do. */
  detail: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, result: "ok", detail });
export const advice = (check: string, detail: string): Finding => ({ check, result: "advice", detail });
export const fault = (check: string, detail: string): Finding => ({ check, result: "FAULT", detail });
