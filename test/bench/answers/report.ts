import { type Figure, judged } from "../figures.ts";
import { formatTable } from "../measure.ts";
import type { BriefTally, Entry, Item } from "./briefs.ts";
import type { Verdict } from "./judge.ts";
import type { Question, Split } from "./questions.ts";

/** A question of the set with the verdict on its answer. */
export interface Judged {
  question: Question;
  verdict: Verdict;
  answer: string;
}

export interface JudgedBrief {
  split: Split;
  language: string;
  kind: Item["kind"];
  tally: BriefTally;
  mail: string;
  /** What was expected of the mail, and what the brief listed. */
  expected: Pick<Item, "quote" | "due">[];
  listed: Pick<Entry, "quote" | "due">[];
}

interface Counts {
  asked: number;
  right: number;
  wrong: number;
  refused: number;
  /** Questions without an answer in the mail, and how many of them were refused. */
  unanswerable: number;
  rightlyRefused: number;
}

const share = (part: number, whole: number) => (whole === 0 ? "-" : `${Math.round((100 * part) / whole)}%`);

/** Counts a group. `right`, `wrong` and `refused` are of the questions that have an answer. */
export function countsOf(judged: readonly Judged[]): Counts {
  const answerable = judged.filter(({ question }) => question.expected !== null);
  const others = judged.filter(({ question }) => question.expected === null);
  const of = (verdict: Verdict) => answerable.filter((one) => one.verdict === verdict).length;
  return {
    asked: answerable.length,
    right: of("right"),
    wrong: of("wrong"),
    refused: of("refused"),
    unanswerable: others.length,
    rightlyRefused: others.filter(({ verdict }) => verdict === "refused").length,
  };
}

/** Reports all splits; of the held-out one only totals, neither groups nor questions. */
export function reportAnswers(
  judged: readonly Judged[],
  briefs: readonly JudgedBrief[],
): { text: string; data: object; figures: Figure[] } {
  const dev = judged.filter(({ question }) => question.split === "dev");
  const groups: Record<string, Counts> = {
    dev: countsOf(dev),
    "held-out": countsOf(judged.filter(({ question }) => question.split === "held-out")),
    check: countsOf(judged.filter(({ question }) => question.split === "check")),
  };
  const by = (name: string, of: (question: Question) => string) => {
    for (const key of [...new Set(dev.map(({ question }) => of(question)))].sort()) {
      groups[`${name} ${key}`] = countsOf(dev.filter(({ question }) => of(question) === key));
    }
  };
  by("source:", ({ mailbox }) => (mailbox === "sandbox" ? "sandbox" : "own mail"));
  by("type:", ({ type }) => type);
  by("language:", ({ language }) => language);
  const rows = Object.entries(groups).map(([name, { asked, right, wrong, refused, unanswerable, rightlyRefused }]) => [
    name.includes(":") ? `  ${name}` : name,
    String(asked),
    `${right} (${share(right, asked)})`,
    `${wrong} (${share(wrong, asked)})`,
    `${refused} (${share(refused, asked)})`,
    `${rightlyRefused} of ${unanswerable} (${share(rightlyRefused, unanswerable)})`,
  ]);
  const brief = briefGroups(briefs);
  const text = [
    "Questions",
    formatTable(["", "with answer", "right", "wrong", "refused", "without answer: refused"], rows),
    "",
    "Briefs",
    formatTable(
      ["", "items", "precision", "recall", "due right", "due wrong", "due missing"],
      Object.entries(brief).map(briefRow),
    ),
  ].join("\n");
  const failed = dev
    .filter(({ question, verdict }) => verdict !== (question.expected === null ? "refused" : "right"))
    .map(({ question: { mailbox, text: asked }, verdict, answer }) => ({ mailbox, question: asked, verdict, answer }));
  const failedBriefs = briefs
    .filter(({ split, tally: { expected, listed, found, dueRight } }) => {
      return split === "dev" && (dueRight < expected || listed > found);
    })
    .map(({ mail, kind, expected, listed }) => ({ mail, kind, expected, listed }));
  return { text, data: { questions: groups, briefs: brief, failed, failedBriefs }, figures: figuresOf(groups, brief) };
}

function figuresOf(questions: Record<string, Counts>, briefs: Record<string, BriefTally>): Figure[] {
  const percent = (part: number, whole: number) => (whole === 0 ? Number.NaN : (100 * part) / whole);
  const { asked, right, wrong, unanswerable, rightlyRefused } = questions["held-out"]!;
  const found = ["held-out, asks", "held-out, promises"].map((name) => briefs[name]!);
  const due = (of: (tally: BriefTally) => number) => found.reduce((sum, tally) => sum + of(tally), 0);
  return judged("answers", [
    { key: "right", value: percent(right, asked) },
    { key: "wrong", value: percent(wrong, asked) },
    { key: "refused", value: percent(rightlyRefused, unanswerable) },
    {
      key: "due",
      value: percent(
        due(({ dueRight }) => dueRight),
        due(({ dueRight, dueWrong, dueMissing }) => dueRight + dueWrong + dueMissing),
      ),
    },
  ]);
}

function briefGroups(briefs: readonly JudgedBrief[]): Record<string, BriefTally> {
  const groups: Record<string, BriefTally> = {};
  const add = (name: string, fits: (brief: JudgedBrief) => boolean) => {
    const total: BriefTally = { expected: 0, listed: 0, found: 0, dueRight: 0, dueWrong: 0, dueMissing: 0 };
    for (const { tally } of briefs.filter(fits)) {
      for (const key of Object.keys(total) as (keyof BriefTally)[]) total[key] += tally[key];
    }
    groups[name] = total;
  };
  for (const kind of ["ask", "promise"] as const) {
    for (const split of ["dev", "held-out"] as const) {
      add(`${split}, ${kind}s`, (brief) => brief.split === split && brief.kind === kind);
    }
  }
  const dev = briefs.filter(({ split }) => split === "dev");
  for (const language of [...new Set(dev.map((brief) => brief.language))].sort()) {
    add(`  language: ${language}`, (brief) => brief.split === "dev" && brief.language === language);
  }
  return groups;
}

const briefRow = ([name, { expected, listed, found, dueRight, dueWrong, dueMissing }]: [string, BriefTally]) => [
  name,
  String(expected),
  share(found, listed),
  share(found, expected),
  String(dueRight),
  String(dueWrong),
  String(dueMissing),
];
