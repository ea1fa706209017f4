import { describe, expect, test } from "bun:test";
import { cased, instructedSentences } from "./instructions/instructions.ts";
import { composeReply, draftText, isGeneric, type ReplyParts } from "./reply.ts";
import { type MessageStyle, measureWritingStyle, messageStyle } from "./writing-style.ts";

const sent = (text: string, recipients: string[] = ["Bob"]): MessageStyle =>
  messageStyle({ text, language: "en", recipients });

describe("a writing style", () => {
  test("has the greeting, sign-off and name of most sent mail", () => {
    const style = measureWritingStyle([
      sent("Hey Bob,\n\nyes, Tuesday works.\n\nCheers,\nAda"),
      sent("Hey Zoe,\n\nhere it is!\n\nCheers,\nAda", ["Zoe"]),
      sent("Thanks a lot!"),
      sent("Hey Ann,\nsee you there.\nCheers,\nAda", ["Annabel"]),
    ]);
    expect(style).toMatchObject({
      greeting: "Hey {name},",
      sign_off: "Cheers,",
      name: "Ada",
      formality: "informal",
      language: "en",
      samples: 4,
    });
  });

  test("is formal if the words are formal", () => {
    const formal = sent("Dear Mr Jones,\n\nPlease find the contract below.\n\nKind regards,\nAda Lovelace", ["Jones"]);
    expect(measureWritingStyle([formal, formal])).toMatchObject({ formality: "formal", greeting: "Dear Mr {name}," });
  });

  test("is null without mail, and its fields are null if nothing was found", () => {
    expect(measureWritingStyle([])).toBeNull();
    expect(measureWritingStyle([sent("ok")])).toMatchObject({ greeting: null, sign_off: null, name: null });
  });
});

const audience = (language: string, formal: boolean) => ({ language, formal, several: false, names: [], tu: true });
const written = (instructions: string, language: string, formal = false): string[] =>
  instructedSentences(instructions, audience(language, formal)).map(({ text }) => text);

describe("notes and lists become sentences", () => {
  test.each([
    ["en", "love to dad", ["I send my love to dad."]],
    ["en", "tell Connor I'm still up for it", ["I'm still up for it."]],
    ["en", "um so tell her not to wait", ["Could you please not wait?"]],
    ["en", "ask weather I have to fast", ["Could you tell me whether I have to fast?"]],
    ["en", "I'll come at 5 and tell you then", ["I'll come at 5 and tell you then."]],
    ["de", "wir können das Angebot leider nicht annehmen", ["wir können das Angebot leider nicht annehmen."]],
    ["de", "Termin absagen", ["leider muss ich den Termin absagen."]],
    ["de", "danken und fragen wie es seinem Knie geht", ["vielen Dank!", "wie geht es deinem Knie?"]],
    ["fr", "accepter la visite mais plutôt à 19h", ["J'accepte la visite avec plaisir.", "Je te propose 19h."]],
    ["it", "di alla nonna che torniamo", ["torniamo."]],
    ["it", "digli di non comprarne un altro", ["Ti prego di non comprarne un altro."]],
    [
      "es",
      "dile a la abuela que se cuide mucho, que he aprobado y que iremos",
      ["¿Te podrías cuidar mucho?", "he aprobado.", "iremos."],
    ],
    ["nl", "ik moet helaas afzeggen want ik ben ziek", ["ik moet helaas afzeggen want ik ben ziek."]],
    ["nl", "hij kan hem vanavond ophalen", ["je kunt hem vanavond ophalen."]],
    ["en", "wrong date, should be the 5th not the 6th", ["The date is wrong.", "It should be the 5th not the 6th."]],
    ["en", "No projector needed in either case.", ["No projector needed in either case."]],
    ["de", "ihr sagen, dass ich mich freue", ["ich freue mich."]],
    ["de", "Vorschlagen, dass wir uns am Samstag treffen", ["ich schlage vor, dass wir uns am Samstag treffen."]],
    ["de", "klar bin dabei, bring Grillkohle mit", ["ja, ich bin dabei.", "ich bringe Grillkohle mit."]],
    ["de", "sonntag kommen wir um 3", ["Sonntag kommen wir um 3."]],
    ["fr", "s'excuser pour le retard", ["Excuse-moi pour le retard."]],
    ["fr", "24 pages", ["24 pages."]],
    ["es", "ofrecerme para el año que viene", ["me gustaría ofrecerme para el año que viene."]],
    ["es", "enviarme la factura", ["¿Podrías enviarme la factura?"]],
    [
      "it",
      "lo faccio entro il 15. proporre di sentirci mercoledì",
      ["lo faccio entro il 15.", "Propongo di sentirci mercoledì."],
    ],
    ["pt", "Concordo com a renda.", ["Concordo com a renda."]],
    [
      "nl",
      "sorry zeggen voor de fout, ik stuur een nieuwe factuur",
      ["Mijn excuses voor de fout.", "ik stuur een nieuwe factuur."],
    ],
  ])("in %s: %s", (language, instructions, expected) => {
    const found = written(instructions, language, false);
    expect(found.map((one) => one.toLowerCase())).toEqual(expected.map((one) => one.toLowerCase()));
  });

  test.each([
    ["en", "Gracious"],
    ["en", "1 yes"],
    ["de", "Kamera über drei Jahre"],
    ["it", "Quella di venerdì"],
  ])("what cannot stand in a mail is a gap: %s, %s", (language, instructions) => {
    expect(written(instructions, language, false)).toEqual([`[${instructions}]`]);
  });
});

describe("instructions become sentences to the reader", () => {
  test.each([
    ["say that Tuesday at 10 works", ["Tuesday at 10 works."]],
    ["Tell him I'm late, ask for the invoice", ["I'm late.", "Could you please send me the invoice?"]],
    ["ask her whether she is coming", ["Are you coming?"]],
    ["ask whether he can bring his drill", ["Can you bring your drill?"]],
    [
      "offer to drive and complain that the floor is scratched",
      ["I would be happy to drive.", "Unfortunately, the floor is scratched."],
    ],
    ["say my mother is ill and she needs me", ["my mother is ill and she needs me."]],
    ["tell her about the kitchen", ["[Tell her about the kitchen]"]],
    ["Ask them to call me on Monday.", ["Could you please call me on Monday?"]],
    [
      "thank him for the flowers and decline politely",
      ["Thank you for the flowers.", "Unfortunately I have to decline this time."],
    ],
    ["accept", ["Yes, that works for me."]],
    [
      "confirm the copy freeze, say that the slide comes tonight",
      ["I confirm the copy freeze.", "the slide comes tonight."],
    ],
    ["confirm that Tuesday works", ["I confirm that Tuesday works."]],
    ["propose Friday at noon", ["How about Friday at noon?"]],
    ["We ship on Monday. The price stays.", ["We ship on Monday.", "The price stays."]],
    ["Sag zu", ["Yes, that works for me."]],
    ["too expensive, propose Monday", ["Unfortunately that is too expensive for me.", "How about Monday?"]],
    ["not interested", ["I am not interested."]],
    ["he should start without me", ["Could you please start without me?"]],
    ["pls confrim wednesday", ["I confirm Wednesday."]],
    ["um, can you tell him that I'm in, and, uh, ask when it starts", ["I'm in.", "Could you tell me when it starts?"]],
  ])("%s", (instructions, expected) => {
    expect(written(instructions, "en")).toEqual(expected);
  });

  test.each([
    [
      "de",
      true,
      "sag ihr, dass wir am Dienstag kommen, und frag, ob sie Zeit hat",
      "wir kommen am Dienstag. Haben Sie Zeit?",
    ],
    ["de", false, "bitte ihn, mir die Rechnung zu schicken", "könntest du mir bitte die Rechnung schicken?"],
    [
      "fr",
      true,
      "dis-lui que je viens jeudi et demande si elle peut réserver",
      "Je viens jeudi. Est-ce que vous pouvez réserver ?",
    ],
    ["fr", false, "remercie-le pour son aide", "Merci pour ton aide."],
    ["es", false, "pregúntale si puede venir", "¿Puedes venir?"],
    ["es", true, "pregúntale si puede venir", "¿Puede venir?"],
    ["it", false, "chiedile se può venire e di' che arrivo domani", "Puoi venire? Arrivo domani."],
    ["pt", false, "diz-lhe que envio a fatura amanhã", "Envio a fatura amanhã."],
    ["nl", false, "zeg hem dat ik vrijdag kom en vraag of hij tijd heeft", "Ik kom vrijdag. Heb je tijd?"],
    ["de", false, "zu teuer, lieber nächste Woche", "das ist leider zu teuer. Wie wäre es nächste Woche?"],
    ["de", false, "Dienstag passt", "Dienstag passt."],
    ["fr", false, "trop cher, plutôt jeudi", "Malheureusement, c'est trop cher pour moi. Je te propose jeudi."],
    ["nl", false, "bedank voor de bloemen, vrijdag niet", "Bedankt voor de bloemen. Vrijdag lukt helaas niet."],
  ])("in %s, formal %p: %s", (language, formal, instructions, expected) => {
    expect(
      written(instructions, language, formal)
        .map((text, i) => cased(text, language, i === 0, "Hi,"))
        .join(" "),
    ).toBe(expected);
  });

  test("what the lexicon knows is translated, and the rest stays a gap", () => {
    expect(written("thank her for the quote, ask whether she can start in June", "fr", true)).toEqual([
      "Merci pour le devis.",
      "Pouvez-vous commencer en juin ?",
    ]);
    const [known, unknown] = instructedSentences("propose Monday, say the heron flew off", audience("de", false));
    expect(known).toMatchObject({ text: "wie wäre es mit Montag?", gap: null });
    expect(unknown).toMatchObject({ text: "[Say the heron flew off]", gap: "language" });
  });
});

describe("a reply", () => {
  const parts: ReplyParts = {
    name: "Bob",
    names: ["Bob Miller"],
    forOne: false,
    formal: false,
    tu: false,
    ownName: null,
    style: {
      greeting: "Hey {name},",
      sign_off: "Cheers,",
      name: "Ada",
      formality: "informal",
      language: "en",
      words: 20,
      samples: 9,
    },
    language: "en",
    instructions: "say that Tuesday works",
    asked: [],
    opening: null,
  };

  test("follows the instructions in the user's writing style, with the source of each sentence", () => {
    const draft = composeReply(parts);
    expect(draftText(draft.paragraphs)).toBe("Hey Bob,\n\nTuesday works.\n\nCheers,\nAda");
    expect(draft.paragraphs.flat().map(({ source }) => source.from)).toEqual([
      "voice",
      "instructions",
      "voice",
      "voice",
    ]);
  });

  test("without instructions leaves a blank after each question", () => {
    const asked = [
      {
        kind: "question" as const,
        text: "Can you come on Tuesday?",
        shown: "Can you come on Tuesday?",
        start: 9,
        end: 33,
        score: 2,
        due: null,
        message_id: "msg_1",
      },
    ];
    const text = draftText(composeReply({ ...parts, instructions: "", asked }).paragraphs);
    expect(text).toContain("You asked: “Can you come on Tuesday?”\n[your answer]");
  });

  test("is in the language of the conversation, even if the user's usual greeting is in another", () => {
    const text = draftText(composeReply({ ...parts, language: "de", instructions: "Dienstag passt." }).paragraphs);
    expect(text).toBe("Hallo Bob,\n\nDienstag passt.\n\nViele Grüße\nAda");
  });

  test("uses no name in the greeting if the name is unknown", () => {
    expect(draftText(composeReply({ ...parts, name: null }).paragraphs)).toStartWith("Hello,\n");
  });
});

test("only sentences without specific details are reused from other mail", () => {
  expect(["Thanks for getting back to me so quickly.", "I will look into it."].map(isGeneric)).toEqual([true, true]);
  const specific = [
    "Your salary is 5000.",
    "I told Bob about it.",
    "See https://x.example for it.",
    "Write to a@b.example please.",
    "Ok.",
  ];
  expect(specific.filter(isGeneric)).toEqual([]);
});
