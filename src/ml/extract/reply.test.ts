import { describe, expect, test } from "bun:test";
import { instructedSentences } from "./instructions.ts";
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

describe("instructions become sentences to the reader", () => {
  test.each([
    ["say that Tuesday at 10 works", ["Tuesday at 10 works."]],
    ["Tell him I'm late, ask for the invoice", ["I'm late.", "Could you please send me the invoice?"]],
    ["ask her whether she is coming", ["Could you tell me whether you are coming?"]],
    ["Ask them to call me on Monday.", ["Could you please call me on Monday?"]],
    [
      "thank him for the flowers and decline politely",
      ["Thank you for the flowers.", "Unfortunately I have to decline this time."],
    ],
    ["accept", ["Yes, that works for me."]],
    [
      "confirm the copy freeze, say that the slide comes tonight",
      ["I confirm the copy freeze.", "The slide comes tonight."],
    ],
    ["confirm that Tuesday works", ["I confirm that Tuesday works."]],
    ["propose Friday at noon", ["How about Friday at noon?"]],
    ["We ship on Monday. The price stays.", ["We ship on Monday.", "The price stays."]],
    ["Sag zu", ["Sag zu."]],
  ])("%s", (instructions, expected) => {
    expect(instructedSentences(instructions).map(({ text }) => text)).toEqual(expected);
  });
});

describe("a reply", () => {
  const parts: ReplyParts = {
    name: "Bob",
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
    expect(draftText(draft)).toBe("Hey Bob,\n\nTuesday works.\n\nCheers,\nAda");
    expect(draft.flat().map(({ source }) => source.from)).toEqual(["voice", "instructions", "voice", "voice"]);
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
    const text = draftText(composeReply({ ...parts, instructions: "", asked }));
    expect(text).toContain("You asked: “Can you come on Tuesday?”\n[your answer]");
  });

  test("is in the language of the conversation, even if the user's usual greeting is in another", () => {
    const text = draftText(composeReply({ ...parts, language: "de", instructions: "Dienstag passt." }));
    expect(text).toBe("Hallo Bob,\n\nDienstag passt.\n\nViele Grüße\nAda");
  });

  test("uses no name in the greeting if the name is unknown", () => {
    expect(draftText(composeReply({ ...parts, name: null }))).toStartWith("Hello,\n");
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
