import type { LoginResult, LoginResults } from "../../api/connect.ts";
import { Notice } from "../../parts/layout.tsx";

/** The results of the two test sign-ins. */
export function LoginReport({ results: { imap, smtp } }: { results: LoginResults }) {
  return (
    <div class="stack" role="alert">
      <Report name="Incoming mail (IMAP)" result={imap} />
      {smtp && <Report name="Outgoing mail (SMTP)" result={smtp} />}
      <p class="hint">Nothing was saved.</p>
    </div>
  );
}

function Report({ name, result: { ok, problem } }: { name: string; result: LoginResult }) {
  return (
    <Notice tone={ok ? "good" : "bad"} title={`${name}: ${ok ? "sign-in works" : "sign-in failed"}`}>
      {problem && <p>{problem.message}</p>}
      {problem?.advice && <p>{problem.advice}</p>}
    </Notice>
  );
}
