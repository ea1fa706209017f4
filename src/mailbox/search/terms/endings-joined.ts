import { fold } from "../fold.ts";

/**
 * Endings of languages that join several endings in one word: number, owner and case in turn. Each function returns
 * every combination, folded.
 */

const HUNGARIAN_NUMBER = "- k ak ek ok ök";
const HUNGARIAN_CASE =
  "- t at et ot öt ban ben ba be ból ből ra re ról ről on en ön n nál nél tól től nak nek val vel al el hoz hez höz ért ig kent ként";
const HUNGARIAN_OWNER = "m am em om d ad ed od a e ja je nk unk ünk juk jük tok tek ai ei jai jei";

/** Returns every combination of a Hungarian plural or possessive ending with a case ending. */
export function hungarianCases(): ReadonlySet<string> {
  const cases = list(HUNGARIAN_CASE);
  return product([...list(HUNGARIAN_NUMBER), ...list(HUNGARIAN_OWNER)], cases);
}

const TURKISH_NUMBER = "- lar ler";
const TURKISH_OWNER = "- m ım im um üm n ın in un ün ı i u ü sı si su sü mız miz ımız imiz umuz nız niz ınız iniz unuz";
const TURKISH_CASE =
  "- yı yi yu nı ni nu a e ya ye na ne da de ta te nda nde dan den tan ten ndan nden nın nin nun la le yla yle";

/** Returns every combination of Turkish plural, possessive and case endings. */
export function turkishCases(): ReadonlySet<string> {
  return product(product(list(TURKISH_NUMBER), list(TURKISH_OWNER)), list(TURKISH_CASE));
}

const FINNISH_STEMS = ["- i t", "us uks", "nen s", "e ee"];
const FINNISH_CASE =
  "- n t ssa sta an en on in lla lta lle na ksi tta a ta jen ja iden ien issa ista illa ilta ille isiin ihin iin een";
const FINNISH_OWNER = "- ni si nsa mme nne";

/** Returns the case endings of nouns, and of three groups of nouns whose stem changes before a case. */
export function finnishCases(): ReadonlySet<string>[] {
  const cases = product(list(FINNISH_CASE), list(FINNISH_OWNER));
  return FINNISH_STEMS.map((stems, at) =>
    at === 0
      ? cases
      : new Set([
          ...list(stems),
          ...product(
            list(stems).slice(1),
            new Set(["en", "et", "ta", "essa", "esta", "een", "ia", "ien", "ella", "elle", "elta"]),
          ),
        ]),
  );
}

function list(text: string): string[] {
  return text.split(" ").map((ending) => (ending === "-" ? "" : fold(ending)));
}

function product(first: Iterable<string>, second: Iterable<string>): Set<string> {
  const all = new Set<string>();
  const seconds = [...second];
  for (const a of first) for (const b of seconds) all.add(a + b);
  return all;
}
