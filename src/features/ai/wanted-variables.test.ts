import { describe, expect, test } from "bun:test";
import { wantedVariables } from "./wanted-variables.ts";

const KEPT = {
  "bank.iban": "GB29NWBK60161331926819",
  "rate.hourly": "95.50",
  "discount.max": "17 percent",
  "salary.max": "82000",
  "phone.private": "+49 170 1234567",
  "door.code": "4711",
  "passport.number": "C01X00T47",
  "client.birthday": "1980-04-03",
  "diet.allergy": "hazelnuts",
  tone: "warm",
  "voice.name": "Ada",
};
const keys = (asked: { instructions?: string; questions?: string[]; said?: string }) =>
  Object.keys(wantedVariables(KEPT, { instructions: "", questions: [], said: "", ...asked }));

test("a draft that asks for nothing receives only the tone", () => {
  expect(keys({})).toEqual(["tone"]);
  expect(keys({ instructions: "accept and thank him" })).toEqual(["tone"]);
  expect(keys({ questions: ["Can you come on Friday?", "Könntest du das bis Montag machen?"] })).toEqual(["tone"]);
});

describe("a variable that the instructions name is sent", () => {
  test.each([
    ["give him the bank account", "bank.iban"],
    ["name our hourly rate", "rate.hourly"],
    ["tell her the discounts we can give", "discount.max"],
    ["nenne unseren Stundensatz", "rate.hourly"],
    ["send the door code", "door.code"],
    ["dis-lui le code de la porte", "door.code"],
    ["mention the allergy", "diet.allergy"],
  ])("%s", (instructions, key) => expect(keys({ instructions })).toEqual(expect.arrayContaining([key, "tone"])));
});

describe("a variable that the conversation asks for is sent", () => {
  test.each([
    ["What is your IBAN?", "bank.iban"],
    ["Could you send me your bank details?", "bank.iban"],
    ["Wie lautet Ihre Bankverbindung?", "bank.iban"],
    ["Quel est votre taux horaire ?", "rate.hourly"],
    ["¿Qué descuento nos puede dar?", "discount.max"],
    ["Hai allergie?", "diet.allergy"],
    ["When is your birthday?", "client.birthday"],
    ["Under which phone number can I reach you?", "phone.private"],
    ["Wat is je paspoortnummer?", "passport.number"],
  ])("%s", (question, key) => expect(keys({ questions: [question] })).toEqual([key, "tone"]));
  test("a value that the conversation already contains is sent, too", () => {
    expect(keys({ said: "Is it still GB29 NWBK 6016 1331 9268 19, as last year?" })).toEqual(["bank.iban", "tone"]);
  });
  test("a question about something else discloses nothing", () => {
    expect(keys({ questions: ["Is Monday a bank holiday?", "Do you have a private office?"] })).toEqual(["tone"]);
    expect(keys({ questions: ["What is the maximum number of guests?"] })).toEqual(["tone"]);
  });
});

describe("keys are recognized in the forms that users write", () => {
  const kept = {
    "client.vat_id": "DE123456789",
    "our.iban": "GB29",
    rate_per_hour: "95",
    doorCode: "4711",
    "addr.street": "14 Elm St",
  };
  const asked = (question: string) =>
    Object.keys(wantedVariables(kept, { instructions: "", questions: [question], said: "" }));
  test.each([
    ["Where should we transfer the money?", "our.iban"],
    ["Auf welches Konto darf ich überweisen?", "our.iban"],
    ["Wat is uw btw-nummer?", "client.vat_id"],
    ["¿Cuánto cobras por hora?", "rate_per_hour"],
    ["What is the door code?", "doorCode"],
    ["Where do you live?", "addr.street"],
  ])("%s", (question, key) => expect(asked(question)).toEqual([key]));
  test.each([
    "At any rate, are you coming?",
    "Did you address the issue?",
    "Shall we meet in an hour?",
    "How much time do you need?",
  ])("another meaning of the word discloses nothing: %s", (question) => expect(asked(question)).toEqual([]));
});
