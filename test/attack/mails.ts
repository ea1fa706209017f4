import { wordList } from "./word-list.ts";

/** A mail whose every word the attacker knows because they sent it, or whose words they want to learn. */
export interface Mail {
  subject: string;
  text: string;
}

/** Words of the counting mail: the first occurs once, the next twice, and so on. */
const COUNTED = 40;
const COUNTED_STEP = 7;
const WORDS_BETWEEN = 20;

/**
 * Where the first mail repeats itself: the word at `first`, and at each `period` after it, equals the word `distance`
 * before.
 */
export const ANCHORS = { first: WORDS_BETWEEN, period: WORDS_BETWEEN + 1, distance: 5 } as const;

/** The counting mail's words by how often they occur: the one at [k] occurs k times. */
export function countedWords(words: number): string[] {
  const list = wordList(words);
  return ["", ...Array.from({ length: COUNTED }, (_, i) => list[i * COUNTED_STEP]!)];
}

/**
 * Builds two mails that make an index readable. The first has the whole list in order, and repeats a word after every
 * twenty, so that a guess where it is stored can be verified. In the second, each of forty words occurs a different
 * number of times.
 * @param words in the list
 */
export function chosenMails(words: number): Mail[] {
  const list = wordList(words);
  const inOrder = list.flatMap((word, i) =>
    i % WORDS_BETWEEN === WORDS_BETWEEN - 1 ? [word, list[i + 1 - ANCHORS.distance]!] : [word],
  );
  const counted = countedWords(words).slice(1);
  const rounds = counted.flatMap((_, round) => counted.slice(round));
  return [
    { subject: "Vocabulary for our course", text: lines(inOrder) },
    { subject: "Vocabulary exercise", text: lines(rounds) },
  ];
}

function lines(words: readonly string[]): string {
  const out: string[] = [];
  for (let i = 0; i < words.length; i += 12) out.push(words.slice(i, i + 12).join(" "));
  return out.join("\n");
}

/** Returns the words of a text. Texts here have only ASCII words and punctuation. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
}

const OPENINGS = [
  "Thank you for your message from last week.",
  "I hope you had a lovely weekend by the sea.",
  "Sorry that my answer is so late, the office was very busy.",
  "As promised on the telephone, here are the details.",
  "Good news from the council: the permit arrived this morning.",
  "Please read this before Thursday, it is quite urgent.",
];
const MIDDLES = [
  "The plumber will repair the radiator in the bathroom on Tuesday afternoon and needs the key from the neighbour.",
  "Our flight leaves at seven in the evening, so we should meet at the airport two hours before departure.",
  "The invoice for the kitchen furniture is wrong: the discount of twelve percent was not included in the total.",
  "My sister had her interview at the hospital and they want to offer her the position of night nurse.",
  "The landlord wants to increase the rent again, although the heating has been broken since January.",
  "Could you bring the old photographs of grandmother to the wedding, and the recipe for her lemon cake?",
  "The insurance company refuses to pay for the damage to the garage roof until they receive the estimate.",
  "We booked a small cottage near the lake for the second week of August, with three bedrooms and a boat.",
  "The bank confirmed the mortgage at a lower rate, and the lawyer has prepared the contract for signature.",
  "The children finished their exams and would like to stay with their cousins during the summer holiday.",
  "Our doctor suggested another appointment with the specialist because of the pain in his shoulder.",
  "The parcel with the winter coats is still at the post office, you must show your passport to collect it.",
  "The choir sings in the village church on Saturday, tickets cost nine pounds and children enter free.",
  "The council meeting about the new cycle path was moved to the town library because of the storm.",
  "He sold the van to a student from the university who paid half of the price in cash.",
  "Her password for the savings account is written in the green notebook behind the piano.",
  "The engineer measured the pressure of the water pump and found a leak under the terrace.",
  "The museum asks all visitors to reserve a guided tour online, at least three days before the visit.",
];
const ENDINGS = [
  "Let me know whether that suits you.",
  "Give my love to everybody at home.",
  "With kind regards and many thanks for your patience.",
  "Call me tonight if anything is unclear.",
  "I look forward to seeing you both on Friday.",
];
const SUBJECTS = [
  "The plan for next week",
  "Invoice and payment",
  "Our summer holiday",
  "Question about the contract",
  "Family news",
  "Repairs in the house",
  "Tickets for Saturday",
];
const NAMES = ["Margarethe", "Oluwaseun", "Priyanka", "Sebastiano", "Wilhelmina", "Thorvald", "Ekaterina"];

/** Returns mail that the attacker has never seen: sixty everyday messages, all different. */
export function victimMails(count = 60): Mail[] {
  return Array.from({ length: count }, (_, i) => {
    const pick = (list: readonly string[], step: number) =>
      list[(i * step + Math.floor(i / list.length)) % list.length]!;
    const middles = [pick(MIDDLES, 1), pick(MIDDLES, 5), pick(MIDDLES, 7)];
    const name = pick(NAMES, 1);
    return {
      subject: `${pick(SUBJECTS, 1)}, ${name} ${1840 + i}`,
      text: [
        `Dear ${name},`,
        pick(OPENINGS, 1),
        ...new Set(middles),
        pick(ENDINGS, 1),
        `Reference ${7300 + i * 13}`,
      ].join("\n"),
    };
  });
}
