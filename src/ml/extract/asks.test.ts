import { describe, expect, test } from "bun:test";
import { openAsks, type Turn } from "./conversation.ts";

/** Monday. */
const AT = Date.parse("2026-03-02T09:00:00Z");
const turn = (text: string, more: Partial<Turn> = {}): Turn => ({
  id: "msg_1",
  at: AT,
  outgoing: false,
  addressed: "to",
  myNames: ["Alex Winter"],
  otherNames: [],
  text: () => ({ body_text: text, new_text: text }),
  language: () => null,
  ...more,
});
const asks = (text: string, more: Partial<Turn> = {}, names: string[] = []) =>
  openAsks([turn(text, more)], () => 0, names).map(({ text: sentence, due }) => [sentence, due]);

describe("these wait for an answer, although the text is too short to tell its language", () => {
  test.each([
    ["Schick mir bitte die Adresse.", null],
    ["Ich bräuchte noch deine Unterschrift bis übermorgen.", "2026-03-04"],
    ["Vergiss nicht, die Miete zu überweisen.", null],
    ["Envoie-moi ton adresse avant vendredi.", "2026-03-06"],
    ["J'aurais besoin de votre signature.", null],
    ["Merci de nous retourner le contrat d'ici lundi.", "2026-03-09"],
    ["Mándame la dirección cuando puedas.", null],
    ["Necesito la factura antes del viernes.", "2026-03-06"],
    ["Mi serve la fattura entro venerdì.", "2026-03-06"],
    ["Fammi sapere se vieni.", null],
    ["Envia-me a fatura até amanhã.", "2026-03-03"],
    ["Preciso da tua morada.", null],
    ["Stuur me even je adres.", null],
    ["Graag ontvang ik je akkoord voor vrijdag.", "2026-03-06"],
    ["Quale carta preferisce?", null],
    ["¿Vienes mañana?", "2026-03-03"],
    ["ご確認のほどよろしくお願いいたします。", null],
    ["金曜日までにご返信ください。", "2026-03-06"],
    ["明日までにご確認をお願いいたします。", "2026-03-03"],
  ])("%s", (sentence, due) => {
    expect(asks(sentence)).toEqual([[sentence, due]]);
  });
});

describe("these want nothing", () => {
  test.each([
    "Just so you know: I'm away for a week from Wednesday.",
    "Who wears a hat like that?",
    "FYI, the office is closed on Monday.",
    "Bei Fragen melden Sie sich gerne.",
    "Wenn du noch etwas brauchst, melde dich jederzeit.",
    "N'hésitez pas à me contacter.",
    "Si tienes alguna duda, avísame.",
    "Per qualsiasi dubbio mi scriva.",
    "Qualquer dúvida, avisa-me.",
    "Mocht je vragen hebben, laat het me weten.",
    "どうぞよろしくお願いいたします。",
    "ご不明な点がございましたらご連絡ください。",
    "Danke, alles gut angekommen.",
    "Tu n'as rien à faire.",
    "Freitag passt mir gut.",
  ])("%s", (sentence) => {
    expect(asks(sentence)).toEqual([]);
  });
});

describe("on a list", () => {
  const list = { addressed: "none", myNames: [], otherNames: ["dev@lists.example"] } as const;
  test.each([
    "Alex, could you look at the patch?",
    "@Alex can you look at the patch?",
    "What do you think, Alex?",
    "Could Alex look at the patch?",
    "Hi Alex,\nCould you look at the patch?",
  ])("what names the user is asked of the user: %s", (text) => {
    expect(asks(text, list, ["Alex Winter"])).toHaveLength(1);
  });

  test.each([
    "Could you look at the patch?",
    "Bob, could you look at the patch that Alex wrote?",
    "Alex wrote a patch.",
  ])("nothing else is: %s", (text) => {
    expect(asks(text, list, ["Alex Winter"])).toEqual([]);
  });
});

test("a question to another recipient is not asked of the user", () => {
  const more = { otherNames: ["Bob Stone"] };
  expect(asks("Could Bob send the slides?", more)).toEqual([]);
  expect(asks("Could you send the slides, Bob?", more)).toEqual([]);
  expect(asks("Could you send the slides, Alex?", more)).toHaveLength(1);
});

test("a text that is too short to tell its language has the language of its conversation", () => {
  const turns = [
    turn("Ik heb de offerte gekregen, maar nog niet gelezen.", { id: "msg_0", language: () => "nl" }),
    turn("3-12 akkoord?", { at: Date.parse("2026-11-27T09:00:00Z") }),
  ];
  const [found] = openAsks(turns, () => 0);
  expect(found?.text).toBe("3-12 akkoord?");
});
