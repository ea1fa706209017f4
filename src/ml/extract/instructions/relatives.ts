import { bare, pattern } from "./act.ts";

const MY =
  "(?:my|our|meine?[rmn]?|unsere?[rmn]?|ma|mon|notre|mi|nuestr[oa]|mi[oa]|nostr[oa]|minha|meu|noss[oa]|mijn|onze)";
const WOMEN =
  "(?:mother|mum|mom|wife|sister|daughter|girlfriend|aunt|grandmother|grandma|mutter|mama|frau|schwester|tochter|freundin|tante|oma|kollegin|nachbarin|mère|maman|femme|sœur|soeur|fille|copine|grand-mère|voisine|madre|mamma|moglie|sorella|figlia|fidanzata|zia|nonna|vicina|mujer|hermana|hija|novia|tía|abuela|vecina|mãe|mulher|irmã|filha|namorada|tia|avó|vizinha|moeder|vrouw|zus|dochter|vriendin|buurvrouw)";
const MEN =
  "(?:father|dad|husband|brother|son|boyfriend|uncle|grandfather|grandpa|vater|papa|mann|bruder|sohn|freund|onkel|opa|kollege|nachbar|père|mari|frère|fils|copain|oncle|grand-père|voisin|padre|papà|marito|fratello|figlio|fidanzato|zio|nonno|vicino|marido|hermano|hijo|novio|tío|abuelo|vecino|pai|irmão|filho|namorado|tio|avô|vizinho|vader|broer|zoon|vriend|oom|buurman)";
const WOMAN = pattern(`\\b${MY} ${WOMEN}\\b`);
const MAN = pattern(`\\b${MY} ${MEN}\\b`);
const SHE = pattern("^(?:she|sie|elle|ella|lei|ela|ze|zij)\\b");
const HE = pattern("^(?:he|er|il|él|lui|ele|hij)\\b");

/**
 * Returns a sentence about someone of the user's own whom an earlier sentence names, as it stands: in "my mother
 * collects him, she is called Jane", "she" is not the reader. Null if the pronoun can mean the reader.
 */
export function aboutRelative(text: string, before: string): string | null {
  const isTheirs = (SHE.test(text) && WOMAN.test(before)) || (HE.test(text) && MAN.test(before));
  return isTheirs ? `${bare(text)}.` : null;
}
