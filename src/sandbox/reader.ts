import { type Block, FieldReader, readBlocks, SampleMailError } from "./blocks.ts";
import { readParts, type Shared } from "./parts.ts";
import type { SandboxMessage, SandboxThread } from "./types.ts";
import * as values from "./values.ts";

/** Reads the threads of one file of sample mail (mail/README.md). @throws SampleMailError */
export function readThreads(file: string, content: string): SandboxThread[] {
  const shared: Shared = { brands: new Map(), headers: new Map() };
  const threads: SandboxThread[] = [];
  let parts: Block[] = [];
  const finish = () => {
    const thread = threads.at(-1);
    if (thread) thread.messages.push(...readMessages(file, parts, shared));
    parts = [];
  };
  for (const block of readBlocks(file, content)) {
    if (block.level === "---") {
      if (threads.length === 0) throw new SampleMailError(file, block.line, "This needs a `=== thread` above.");
      parts.push(block);
      continue;
    }
    finish();
    const fields = new FieldReader(file, block);
    if (block.kind === "thread") threads.push(readThread(fields));
    else if (block.kind === "brand") readBrand(fields, shared);
    else if (block.kind === "headers") shared.headers.set(fields.name(), fields.headers());
    else fields.fail(`\`${block.kind}\` is none of: thread, brand, headers.`);
  }
  finish();
  return threads;
}

function readThread(fields: FieldReader): SandboxThread {
  const thread = {
    id: fields.name(),
    subject: fields.required("subject"),
    ...present({
      lang: fields.value("language", values.A_LANGUAGE, values.asLanguage),
      folder: fields.value("folder", values.A_FOLDER, values.asFolder),
      labels: fields.list("labels", "a label", values.asLabel),
    }),
    messages: [],
  };
  fields.noText();
  return thread;
}

function readMessages(file: string, blocks: readonly Block[], shared: Shared): SandboxMessage[] {
  const messages: SandboxMessage[] = [];
  let parts: FieldReader[] = [];
  const finish = () => {
    const message = messages.at(-1);
    if (message) readParts(message, parts, shared);
    parts = [];
  };
  for (const block of blocks) {
    const fields = new FieldReader(file, block);
    if (block.kind === "message") {
      finish();
      messages.push(readMessage(fields, messages.length, shared));
    } else {
      if (messages.length === 0) fields.fail(`\`${block.kind}\` needs a \`--- message\` above.`);
      parts.push(fields);
    }
  }
  finish();
  return messages;
}

/** @param earlier how many messages of the thread are above this one */
function readMessage(fields: FieldReader, earlier: number, shared: Shared): SandboxMessage {
  const answered = (value: string) => {
    if (value === "none") return { index: null };
    const number = values.asNumber(value) ?? 0;
    return number >= 1 && number <= earlier ? { index: number - 1 } : undefined;
  };
  const flags = fields.list("flags", "one of unread, starred", values.asFlag) ?? [];
  const message = {
    from: fields.needed("from", values.A_PERSON, values.asPerson),
    at: fields.needed("at", values.A_TIME, values.asWhen),
    ...present({
      to: fields.list("to", values.A_PERSON, values.asPerson),
      cc: fields.list("cc", values.A_PERSON, values.asPerson),
      subject: fields.optional("subject"),
      replyTo: fields.value("answers", "`none` or the number of a message above", answered)?.index,
      quote: fields.value("quote", "`forward` or `none`", values.asQuote),
      lang: fields.value("language", values.A_LANGUAGE, values.asLanguage),
      folder: fields.value("folder", values.A_FOLDER, values.asFolder),
      labels: fields.list("labels", "a label", values.asLabel),
      unread: flags.includes("unread") || undefined,
      starred: flags.includes("starred") || undefined,
      headers: fields.value("headers", "the name of a `=== headers` above", (name) => shared.headers.get(name)),
    }),
  };
  const body = fields.text();
  return body === "" ? message : { ...message, body };
}

function readBrand(fields: FieldReader, { brands }: Shared): void {
  brands.set(fields.name(), {
    name: fields.required("name"),
    host: fields.required("host"),
    color: fields.required("color"),
    footer: fields.required("footer"),
  });
  fields.noText();
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the properties that have a value. */
function present<T extends object>(properties: T): Present<T> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Present<T>;
}
