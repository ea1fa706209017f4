import { describe, expect, test } from "bun:test";
import { readQuestion } from "./question.ts";
import type { QuestionType } from "./question-words.ts";
import { searchWords } from "./search-words.ts";

const ASKED = Date.parse("2026-03-02T09:00:00Z");
const read = (text: string) => readQuestion(text, ASKED);

describe("the type of a question", () => {
  const cases: [QuestionType, string[]][] = [
    [
      "when",
      [
        "When does Mum land?",
        "An welchem Tag ist der Elternabend?",
        "Quel jour arrive le colis ?",
        "¿Cuándo llega el tren?",
        "Quando arriva il preventivo?",
        "Em que dia faz anos a avó?",
        "Wanneer wordt de toog geplaatst?",
        "春の便はいつ出荷されますか。",
      ],
    ],
    [
      "time",
      [
        "What time is the match?",
        "Um wie viel Uhr beginnt es?",
        "À quelle heure atterrit le vol ?",
        "何時に到着しますか。",
      ],
    ],
    [
      "deadline",
      [
        "By when must I pay?",
        "Bis wann gilt das Angebot?",
        "Até quando tenho de pagar?",
        "Entro quando devo rispondere?",
      ],
    ],
    [
      "who",
      [
        "Who has our keys?",
        "Wer leitet die Kita?",
        "Qui opère Papa ?",
        "Chi stampa la copertina?",
        "誰が担当しますか。",
      ],
    ],
    [
      "where",
      [
        "Where is the lunch?",
        "Wo wohnt Lukas?",
        "Où dort Papa ?",
        "Dove abita Marco?",
        "Waar parkeer ik?",
        "場所はどこですか。",
      ],
    ],
    [
      "how much",
      [
        "What does it cost?",
        "Was kostet die Klassenfahrt?",
        "Combien coûte le toit ?",
        "Hoeveel kost de toog?",
        "いくらですか。",
      ],
    ],
    [
      "how many",
      [
        "How many people come?",
        "Combien d'écrans faut-il ?",
        "¿Cuántas personas vienen?",
        "Hoeveel tafels zijn er?",
        "何人ですか。",
      ],
    ],
    ["how long", ["How long does it take?", "Wie lange bleibt sie?", "¿Cuánto tiempo dura?", "Hoe lang duurt het?"]],
    ["measure", ["How much does the dog weigh?", "Wie schwer ist das Paket?"]],
    ["phone", ["What is Rita's phone number?", "Wie ist die Handynummer von Lukas?", "電話番号は何ですか。"]],
    ["code", ["What is my flight number?", "Dans quelle chambre est Papa ?", "Qual é o número da encomenda?"]],
    ["why", ["Why was it moved?", "Warum wird es verschoben?", "Perché è in ritardo?", "なぜですか。"]],
    [
      "wants",
      ["What does Marcus want from me?", "Was möchte Frau Demir?", "¿Qué quiere Lucía de mí?", "Wat wil Joris?"],
    ],
    [
      "yes-no",
      ["Is breakfast included?", "Dürfen wir den Hund mitbringen?", "¿Cabe la furgoneta?", "Mag ik muziek spelen?"],
    ],
  ];
  for (const [type, questions] of cases) {
    test.each(questions)(`${type}: %s`, (text) => expect(read(text).type).toBe(type));
  }
});

test("a question is about its nouns; its verbs, titles and words of asking matter less", () => {
  const roles = (text: string) => Object.fromEntries(read(text).terms.map(({ form, role }) => [form, role]));
  expect(roles("When will Mr Gupta send the contract?")).toEqual({
    gupta: "essential",
    send: "action",
    contract: "essential",
  });
  expect(roles("Wann kommt die Firma Metrix zum Ablesen?")).toMatchObject({ firma: "essential", metrix: "essential" });
});

test("mail is searched for words of the same meaning in other languages, too", () => {
  const { own, synonyms } = searchWords(read("How much is the rent?"));
  expect(own).toContain("rent");
  expect(synonyms).toEqual(expect.arrayContaining(["Miete".toLowerCase(), "loyer", "huur", "家賃"]));
});

test("questions without words, and long ones, are read", () => {
  expect(read("?").terms).toEqual([]);
  expect(read("the of and").terms).toEqual([]);
  expect(read(`When ${"word ".repeat(180)}?`).terms.length).toBeLessThanOrEqual(24);
});

test("a size is no time, a distance may be", () => {
  const kinds = (text: string) => readQuestion(text, 0).kinds;
  expect(kinds("How big is the school?")).toEqual(["measure"]);
  expect(kinds("Wie schwer ist das Paket?")).toEqual(["measure"]);
  expect(kinds("How far is the hotel from the station?")).toContain("duration");
});
