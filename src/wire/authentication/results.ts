/** Parses the Authentication-Results header (RFC 8601). */

/** One result of a method, such as `dkim=pass header.d=example.org`. All names and results are in lower case. */
export interface MethodResult {
  method: string;
  result: string;
  /** By "ptype.property", such as "header.from". */
  properties: Map<string, string>;
}

export interface AuthenticationResults {
  /** The server that wrote the header, in lower case; null if it has none, as with Exchange Online. */
  server: string | null;
  results: MethodResult[];
}

/** Servers write at most a few hundred characters per signature. Longer headers are not read. */
const MAX_CHARS = 16 * 1024;
const MAX_RESULTS = 50;

/** Parses an unfolded value. Returns null if it is malformed or has another version. Runs in linear time. */
export function parseAuthenticationResults(value: string): AuthenticationResults | null {
  if (value.length > MAX_CHARS) return null;
  const segments = segmentsOf(value);
  if (segments === null) return null;
  let server: string | null = null;
  const first = segments[0] ?? [];
  if (first[1] !== "=") {
    const [name, version, ...rest] = first;
    if (name === undefined || rest.length > 0 || (version !== undefined && version !== "1")) return null;
    server = name.toLowerCase();
    segments.shift();
  }
  const results: MethodResult[] = [];
  for (const tokens of segments.slice(0, MAX_RESULTS)) {
    const result = resultOf(tokens);
    if (result) results.push(result);
  }
  return { server, results };
}

function resultOf(tokens: readonly string[]): MethodResult | null {
  const [method, equals, result, ...rest] = tokens;
  if (method === undefined || equals !== "=" || result === undefined || result === "=") return null;
  const properties = new Map<string, string>();
  for (let at = 0; at + 2 < rest.length; at++) {
    if (rest[at + 1] !== "=") continue;
    const name = rest[at]!.toLowerCase();
    // The first value counts, so that text behind it cannot replace it.
    if (!properties.has(name)) properties.set(name, rest[at + 2]!);
    at += 2;
  }
  return { method: method.toLowerCase().replace(/\/.*$/s, ""), result: result.toLowerCase(), properties };
}

/** Splits a value at semicolons into tokens: words, quoted strings without their quotes, and "=". Comments are left out. */
function segmentsOf(value: string): string[][] | null {
  const segments: string[][] = [[]];
  let at = 0;
  while (at < value.length) {
    const char = value[at]!;
    if (char === ";") segments.push([]);
    else if (char === "(") {
      at = endOfComment(value, at);
      if (at < 0) return null;
      continue;
    } else if (char === '"') {
      const quoted = quotedAt(value, at);
      if (quoted === null) return null;
      segments.at(-1)!.push(quoted.text);
      at = quoted.end;
      continue;
    } else if (char === "=") segments.at(-1)!.push("=");
    else if (char > " ") {
      const start = at;
      // A property's value may contain "=", as in smtp.mailfrom=SRS0=63fc=example.org@example.net.
      const inValue = segments.at(-1)!.at(-1) === "=";
      while (at < value.length && value[at]! > " " && !'();"'.includes(value[at]!) && (inValue || value[at] !== "="))
        at++;
      // A stray ")" is no token.
      if (at === start) at++;
      else segments.at(-1)!.push(value.slice(start, at));
      continue;
    }
    at++;
  }
  return segments.filter((tokens, index) => index === 0 || tokens.length > 0);
}

/** Returns the position after a comment, which may contain others; -1 if it has no end. */
function endOfComment(value: string, start: number): number {
  let depth = 0;
  for (let at = start; at < value.length; at++) {
    const char = value[at];
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at + 1;
  }
  return -1;
}

function quotedAt(value: string, start: number): { text: string; end: number } | null {
  let text = "";
  for (let at = start + 1; at < value.length; at++) {
    if (value[at] === '"') return { text, end: at + 1 };
    if (value[at] === "\\") at++;
    text += value[at] ?? "";
  }
  return null;
}
