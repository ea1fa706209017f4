import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../../src/features/ai/model.ts";
import type { Message } from "../../../src/features/messages/model.ts";
import type { SearchReply } from "../../../src/features/search/model.ts";
import { v1 } from "../api/client.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Await, Card, Empty, FaultNotice, Page, Skeleton } from "../parts/layout.tsx";
import { Marked } from "../parts/marked.tsx";
import { When } from "../parts/time.tsx";
import { useForm } from "../state/form.ts";
import { useLoad } from "../state/load.ts";
import { sandbox } from "../state/sandbox.ts";
import { searchHash } from "./search.tsx";

const MAX_QUESTION_CHARS = 1_000;
const MAX_RELATED = 3;
const EXAMPLES = ["When does the lease end?", "How much was the last invoice?", "What is the booking number?"];
/** Questions that the sample mail answers. */
const SANDBOX_EXAMPLES = [
  "When does the hazard log close?",
  "What time does my flight to Valencia leave?",
  'Who wrote "To the Far Bank"?',
];

const ENGINES: Record<Answer["engine"], string> = {
  extractive: "Answered by the built-in engine, without a language model.",
  local: "Answered by the language model on this machine.",
  hosted: "Answered by the language model on another machine.",
};

interface Answered {
  question: string;
  answer: Answer;
}

/** A question to the person's own mail, and the answer with the words that support it. */
export function Ask() {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const inSandbox = sandbox.value;
  const form = useForm(
    { question: "" },
    {
      check: ({ question }) => (question.trim() ? {} : { question: "Enter a question." }),
      async send({ question: text }) {
        const question = text.trim();
        setAnswered(null);
        const answer = await v1<Answer>("POST", "/ai/ask", { body: { question }, inSandbox });
        // An answer from one kind of mail must not appear beside the other.
        if (sandbox.value === inSandbox) setAnswered({ question, answer });
      },
    },
  );
  useEffect(() => setAnswered(null), [inSandbox]);
  const { values, faults, set, busy } = form;
  return (
    <Page title="Ask" lead="Ask about your mail. The answer quotes the messages that it is based on.">
      <Card>
        <form onSubmit={form.submit} class="with-button">
          <TextField
            label="Question"
            autocomplete="off"
            maxlength={MAX_QUESTION_CHARS}
            value={values.question}
            fault={faults.question}
            onInput={(value) => set("question", value)}
          />
          <Button type="submit" kind="primary" icon="ask" busy={busy}>
            Ask
          </Button>
        </form>
      </Card>
      <div aria-live="polite" class="stack">
        <FaultNotice error={form.fault} />
        {busy && (
          <Card>
            <span class="visually-hidden">Reading your mail</span>
            <Skeleton lines={4} />
          </Card>
        )}
        {!busy && answered && <AnswerCard key={answered.question} {...answered} />}
        {!busy && !answered && !form.fault && (
          <Card>
            <Empty icon="ask" title="Ask in your own words">
              <div class="chips">
                {(inSandbox ? SANDBOX_EXAMPLES : EXAMPLES).map((example) => (
                  <Button key={example} small onClick={() => set("question", example)}>
                    {example}
                  </Button>
                ))}
              </div>
            </Empty>
          </Card>
        )}
      </div>
    </Page>
  );
}

function AnswerCard({ question, answer: { answered, answer, citations, possible, engine, fallback } }: Answered) {
  if (!answered) {
    return (
      <Card title="No answer found">
        <p>
          Postroom answers only with the words of a message, and does not guess. You can ask again with words that the
          message uses.
        </p>
        <Fallback reason={fallback} />
        {possible.length > 0 && (
          <>
            <p>These passages may say it:</p>
            <Sources citations={possible} />
          </>
        )}
        <Related question={question} />
      </Card>
    );
  }
  return (
    <Card title="Answer" text={ENGINES[engine]}>
      <p class="answer">
        <bdi>{answer}</bdi>
      </p>
      <Fallback reason={fallback} />
      <Sources citations={citations} />
    </Card>
  );
}

/** Why the configured language model did not answer. */
function Fallback({ reason }: { reason: string | null }) {
  return reason === null ? null : <p class="hint">The language model that you set up did not answer: {reason}</p>;
}

/** The messages that a search for an unanswered question finds. Often one of them has the answer. */
function Related({ question }: { question: string }) {
  const reply = useLoad(`related ${question}`, () =>
    v1<SearchReply>("POST", "/search", { body: { query: question, mode: "hybrid", limit: MAX_RELATED } }),
  );
  return (
    <Await of={reply} lines={3}>
      {({ data }) =>
        data.length === 0 ? (
          <p>No message is about this.</p>
        ) : (
          <>
            <p>These messages could be about it:</p>
            <ul class="rows" aria-label="Related messages">
              {data.map(({ message_id, thread_id, subject, from, date, snippet }) => (
                <li key={message_id} class="row">
                  <div class="row-main">
                    <p class="row-title">
                      <a href={`#/read/${encodeURIComponent(thread_id)}`}>
                        <bdi>{subject || "(no subject)"}</bdi>
                      </a>
                    </p>
                    <p class="hint">
                      <bdi>{from.name || from.email}</bdi>, <When at={date} />
                    </p>
                    <p class="snippet">
                      <Marked snippet={snippet} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
            <div class="actions">
              <ButtonLink icon="search" href={searchHash(question)}>
                Search all mail
              </ButtonLink>
            </div>
          </>
        )
      }
    </Await>
  );
}

/** The quotes that support an answer, each with its message and a link to the thread. */
function Sources({ citations }: Pick<Answer, "citations">) {
  const ids = [...new Set(citations.map(({ message_id }) => message_id))];
  const messages = useLoad(`messages ${ids.join()}`, () =>
    Promise.all(ids.map((id) => v1<Message>("GET", `/messages/${encodeURIComponent(id)}`))),
  );
  if (citations.length === 0) return null;
  return (
    <Await of={messages} lines={3}>
      {(found) => (
        <ul class="rows" aria-label="Sources">
          {citations.map(({ message_id, thread_id, quote, start }) => {
            const { subject, from, date } = found.find(({ id }) => id === message_id)!;
            return (
              <li key={`${message_id} ${start}`} class="row">
                <div class="row-main">
                  <p class="row-title">
                    <a href={`#/read/${encodeURIComponent(thread_id)}`}>
                      <bdi>{subject || "(no subject)"}</bdi>
                    </a>
                  </p>
                  <p class="hint">
                    <bdi>{from.name || from.email}</bdi>, <When at={date} />
                  </p>
                  <blockquote class="quote">
                    <bdi>{quote}</bdi>
                  </blockquote>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Await>
  );
}
