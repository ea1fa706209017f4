import { describe, expect, test } from "bun:test";
import { cased, instructedSentences } from "./instructions.ts";

const written = (instructions: string, language: string, formal = false) =>
  instructedSentences(instructions, { language, formal, several: false, names: [], tu: true });
/** The sentences as a draft shows them, after a greeting that ends with a comma. */
const draft = (instructions: string, language: string, formal = false): string =>
  texts(instructions, language, formal)
    .map((text, i) => cased(text, language, i === 0, "Hi,"))
    .join(" ");

const texts = (instructions: string, language: string, formal = false): string[] =>
  written(instructions, language, formal).map(({ text }) => text);

describe("an English instruction in a conversation in another language", () => {
  test.each([
    [
      "de",
      true,
      "ask when he can deliver and whether we can pay in cash",
      "wann können Sie liefern? Können wir bar bezahlen?",
    ],
    [
      "fr",
      true,
      "I haven't received the certificate yet, please send it again",
      "Je n'ai pas encore reçu l'attestation. Pourriez-vous me l'envoyer à nouveau ?",
    ],
    ["es", false, "yes I have the keys, ask how I can help", "Sí, tengo las llaves. ¿Cómo puedo ayudar?"],
    [
      "it",
      false,
      "say 5 is too late, propose 4 pm at the station",
      "Alle 5 è troppo tardi. Ti andrebbe bene alle 16 alla stazione?",
    ],
    [
      "pt",
      false,
      "we need the samples by Friday, I might be 15 minutes late",
      "Precisamos das amostras até sexta-feira. Talvez chegue 15 minutos atrasado.",
    ],
    [
      "nl",
      true,
      "we can't do Tuesday because we are on holiday, ask if there is a discount",
      "Dinsdag lukt helaas niet, want we zijn op vakantie. Is een korting mogelijk?",
    ],
    [
      "de",
      false,
      "great news, ask if she has the keys and what I should bring",
      "das sind tolle Neuigkeiten. Hast du die Schlüssel? Was soll ich mitbringen?",
    ],
    ["nl", false, "tell her to be there at 9", "Kun je alsjeblieft om 9 uur er zijn?"],
    [
      "fr",
      true,
      "Tuesday still works, but I can only come at 3 pm",
      "Mardi me convient toujours. Je ne peux venir qu'à 15 h.",
    ],
  ])("is written in %s, formal %p: %s", (language, formal, instructions, expected) => {
    expect(draft(instructions, language, formal)).toBe(expected);
  });

  test("what is unknown stays a gap that quotes it, and the clauses around it are written", () => {
    const found = written("sorry for the misunderstanding, the otter chewed the cable", "fr");
    expect(found.map(({ text, gap }) => [text, gap])).toEqual([
      ["Excuse-moi pour le malentendu.", null],
      ["[The otter chewed the cable]", "language"],
    ]);
    expect(texts("we need the samples by Friday, the otter has them", "de")).toEqual([
      "wir brauchen die Muster bis Freitag.",
      "[The otter has them]",
    ]);
  });
});

describe("a terse note in the language of the conversation", () => {
  test.each([
    ["en", "thurs ok, not before 11", "Thursday works for me. Unfortunately I can't make it before 11."],
    ["en", "friday fine but 8.30 better", "Friday works for me. How about 8.30 instead?"],
    ["en", "only after 5, great plan", "I can only make it after 5. Great plan!"],
    ["de", "sag zu, aber erst ab 9 Uhr", "ja, das passt mir gut. Ich kann erst ab 9 Uhr."],
    ["de", "freitag ok, nicht nach 14 Uhr", "der Freitag passt mir gut. Nach 14 Uhr kann ich leider nicht."],
    ["fr", "bonne idée, pas avant 20h", "Bonne idée ! Je ne suis pas disponible avant 20h."],
    ["fr", "pas demain", "Malheureusement je ne peux pas demain."],
    ["es", "perfecto, a las 9 en la plaza", "¡Perfecto! Nos vemos a las 9 en la plaza."],
    ["it", "bella idea, ma non prima delle 18", "Bella idea! Prima delle 18 non posso."],
    ["pt", "às 20h na estação", "Encontramo-nos às 20h na estação."],
    ["nl", "goed idee, maar pas vanaf 9 uur", "Goed idee! Ik kan pas vanaf 9 uur."],
  ])("is a whole sentence in %s: %s", (language, instructions, expected) => {
    expect(draft(instructions, language)).toBe(expected);
  });
});

describe("the grammar of an instruction", () => {
  test.each([
    // Requests of a list, and of "tell".
    [
      "en",
      false,
      "two small changes: drop the last slide and use a bigger font",
      "Could you please drop the last slide and use a bigger font?",
    ],
    ["en", false, "tell him to be quick", "Could you please be quick?"],
    // An imperative that is meant for the reader.
    ["en", false, "don't worry about the vase", "Don't worry about the vase."],
    ["en", false, "offer her a free night", "I can offer you a free night."],
    // A reason is never a sentence of its own.
    [
      "de",
      false,
      "um Entschuldigung bitten, weil der Brief zu spät kam",
      "bitte entschuldige, dass der Brief zu spät kam.",
    ],
    // The verb of the reader is the last one, behind "oder" too.
    ["de", true, "frag ob sie am 3. oder 4. Zeit hat", "haben Sie am 3. oder 4. Zeit?"],
    ["de", false, "fragen was er sich wünscht", "was wünschst du dir?"],
    ["de", true, "mit dem Entwurf einverstanden", "ich bin mit dem Entwurf einverstanden."],
    ["de", false, "schlag 9 Uhr vor am Hafen", "wie wäre es mit 9 Uhr am Hafen?"],
    ["nl", false, "stel 11 uur voor bij de kerk", "Ik stel 11 uur bij de kerk voor."],
    ["de", false, "sag ihr, dass ich sie vermisse", "ich vermisse dich."],
    ["es", false, "que empiece el lunes", "¿Podrías empezar el lunes?"],
    ["it", true, "grazie del passaggio", "Grazie per il passaggio."],
    // Nothing behind the proposal is lost, and a permission is no request.
    ["de", false, "schlag Montag vor, gleicher Ort", "wie wäre es mit Montag? [Gleicher Ort]"],
    ["nl", false, "zeg dat ze altijd mag langskomen", "Je mag altijd langskomen."],
    ["fr", false, "ça ne durera pas", "Ça ne durera pas."],
    // Several questions of one instruction.
    [
      "fr",
      true,
      "demande le code et s'il y a un ascenseur",
      "Pourriez-vous m'indiquer le code ? Est-ce qu'il y a un ascenseur ?",
    ],
    ["fr", false, "le spectacle a été annulé", "Le spectacle a été annulé."],
    // Someone of the user's own, whom a clause before names.
    [
      "fr",
      true,
      "c'est ma sœur qui vient, elle s'appelle Anne Petit, elle aura le badge",
      "C'est ma sœur qui vient. Elle s'appelle Anne Petit. Elle aura le badge.",
    ],
    ["de", true, "morgen kommt meine Tante. sie heißt Eva Lang", "morgen kommt meine Tante. Sie heißt Eva Lang."],
    ["it", false, "digli di non lamentarsi", "Ti prego di non lamentarti."],
    ["es", false, "dile que se lo merece", "Te lo mereces."],
    ["de", false, "sag ihr vielen Dank für den Kuchen", "vielen Dank für den Kuchen."],
    ["en", false, "love to but I'm in Leeds", "I would love to but I'm in Leeds."],
    // Two pronouns, and reflexive verbs.
    ["es", false, "dile que se la devuelvo el lunes en su oficina", "Te la devuelvo el lunes en tu oficina."],
    [
      "es",
      true,
      "no hay descuento, ofrécele un pago en tres meses",
      "No hay descuento. ¿Le vendría bien un pago en tres meses?",
    ],
    ["it", false, "dille di mettersi un cappello", "Potresti metterti un cappello?"],
    ["it", false, "certo che può", "Certo che puoi."],
    ["pt", false, "diz-lhe para trazer o mapa", "Podias trazer o mapa?"],
  ])("in %s, formal %p: %s", (language, formal, instructions, expected) => {
    expect(draft(instructions, language, formal)).toBe(expected);
  });
});
