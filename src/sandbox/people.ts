import { FieldReader, readBlocks } from "./blocks.ts";
import source from "./mail/people.txt" with { type: "text" };
import { LANGS, type MailClient, type Person, type PersonKey } from "./person.ts";

const PROGRAMS: readonly MailClient[] = ["gmail", "outlook", "apple", "plain"];
const RESULTS = ["pass", "fail"] as const;

let known: ReadonlyMap<PersonKey, Person> | undefined;

/** Returns everyone who writes to the sandbox mailbox. */
function people(): ReadonlyMap<PersonKey, Person> {
  known ??= readPeople("src/sandbox/mail/people.txt", source);
  return known;
}

export const isPerson = (key: string): key is PersonKey => people().has(key);

/** @throws for an unknown name; the reader of sample mail reports those before */
export function personOf(key: PersonKey): Person {
  const person = people().get(key);
  if (!person) throw new Error(`There is no person ${key} in the sample mail.`);
  return person;
}

/** Reads the file of people (mail/README.md). @throws SampleMailError */
export function readPeople(file: string, content: string): ReadonlyMap<PersonKey, Person> {
  const found = new Map<PersonKey, Person>();
  const headers = new Map<string, Record<string, string>>();
  for (const block of readBlocks(file, content)) {
    const fields = new FieldReader(file, block);
    if (block.kind === "headers") headers.set(fields.name(), fields.headers());
    else if (block.kind !== "person") fields.fail(`\`${block.kind}\` is none of: person, headers.`);
    else if (found.has(fields.name())) fields.fail(`There are two people \`${block.name}\`.`);
    else found.set(block.name, readPerson(fields, headers));
  }
  return found;
}

function readPerson(fields: FieldReader, headers: ReadonlyMap<string, Record<string, string>>): Person {
  const lang = fields.value("language", `one of ${LANGS.join(", ")}`, (value) => LANGS.find((one) => one === value));
  const auth = fields.value("authentication", "`pass` or `fail`", (value) => RESULTS.find((one) => one === value));
  const further = fields.value("headers", "the name of a `=== headers` above", (value) => headers.get(value));
  const person: Person = {
    name: fields.required("name"),
    email: fields.required("email"),
    client: fields.needed("program", `one of ${PROGRAMS.join(", ")}`, (value) => PROGRAMS.find((one) => one === value)),
    ...(lang ? { lang } : {}),
    ...(auth ? { auth } : {}),
    ...(further ? { headers: further } : {}),
  };
  const signature = fields.text();
  return signature === "" ? person : { ...person, signature };
}
