/**
 * Requests in languages without labeled sentences: imperatives to the writer, needs, and polite forms. Sentences are read
 * in the form of `plain` (cues.ts).
 */

const S = "(?<![\\p{L}'-])";
const E = "(?![\\p{L}])";

const FORMS: readonly string[] = [
  // German
  `${S}(?:schick|schicke|schickt|send|sende|gib|gebt|sag|sagt|meld|melde|meldet|ruf|rufe|ruft|bring|bringt|teil|teile|prüf|prüfe|überweis|überweise|unterschreib|lies|schau|schaut|denk|denkt|trag|tragt|nimm|bestell|bestätige|antworte|hol|komm|kommt|hilf) (?:mir|uns|mich|dich|euch|bitte|es|das|die|den|doch|mal|dran|daran|noch|an die|an den)${E}`,
  `${S}(?:schicken|senden|geben|sagen|melden|rufen|bringen|teilen|prüfen|überweisen|unterschreiben|füllen|bestätigen|antworten|denken|lassen|nennen|reichen|beachten|tragen) sie (?:mir|uns|mich|sich|bitte|es|das|die|den|dies|daran|doch|noch)${E}`,
  `${S}(?:vergiss|vergesst|vergessen sie) (?:bitte )?nicht${E}|${S}(?:ich|wir) (?:brauche|bräuchte|brauchen|bräuchten|benötige|benötigen|erwarte|erwarten)${E}|${S}(?:ich|wir) (?:bitte|bitten) (?:sie|dich|euch|um)${E}|${S}es wäre (?:schön|super|toll|gut|nett|hilfreich|prima), wenn (?:du|sie|ihr)${E}|${S}(?:du|sie|ihr) (?:musst|müsstest|müssen|müssten|müsst|sollst|solltest|sollten) (?!nichts|nicht)|${S}um (?:rückmeldung|antwort|bestätigung|zusendung|freigabe)${E}|${S}wäre (?:ich )?(?:ihnen|dir) dankbar`,
  // French
  "^(?:[^,]{0,30}, )?(?!excus|laiss|permett|tenez-moi pas)\\p{L}+-(?:moi|nous|le-moi|la-moi|les-moi)(?!\\p{L})",
  `${S}(?:merci de (?:bien vouloir |nous |me |m'|ne pas |le |la |les )*\\p{L}+(?:er|ir|re|oir)|merci de votre retour|n'oublie(?:z)? pas|pense(?:z)? à|j'aurais besoin|nous aurions besoin|il me faut|il me faudrait|il nous faut|il nous faudrait|il faudrait que (?:tu|vous)|veuillez|prière de|j'attends (?:votre|ton|ta|vos|tes)|dans l'attente de (?:votre|vos|ton)|je (?:te|vous) (?:demande|prie) de|je (?:te|vous) serais reconnaissante?)${E}`,
  // Spanish
  `${S}(?:\\p{L}*[áéí]\\p{L}{1,6}(?:me|nos)(?:l[oa]s?)?|dime|dinos|dame|danos|hazme|haznos|ponme|tráe(?:me|nos))${E}(?<!cambiáramos|estábamos|íbamos|éramos)(?!\\p{L})`,
  `${S}(?:(?:necesito|necesitamos|necesitaría)(?! \\p{L}+[aei]r(?:l[eoa]s?)?${E})|me hace falta|nos hace falta|me harían? falta|no (?:olvides|olvide|te olvides)|recuerda|recuerde|quedo a la espera|(?:estoy|sigo|seguimos|estamos) esperando|te agradecería|le agradecería|agradecería|te pido|le pido|le ruego|les ruego|se ruega|tienes que|tiene que|confirma|confirme|confirmad|envía|envíe|manda|mande|revisa|revise|avisa|avise)(?! (?:a|al) (?:ver))${E}(?<!se (?:envía|manda|confirma|avisa|revisa))`,
  // Italian
  `${S}(?:mandami|mandaci|inviami|inviaci|dimmi|dicci|fammi|facci|dammi|dacci|scrivimi|chiamami|portami|confermami|ricordami|ricordati|avvisami|mi (?:mandi|faccia|invii|confermi|dica|scriva|chiami)|ci (?:mandi|faccia|invii|confermi|dica)|fateci|mandateci|inviateci|ho bisogno|abbiamo bisogno|avrei bisogno|avremmo bisogno|mi serve|mi servono|mi servirebbe|ci serve|ci servono|attendo|attendiamo|non dimenticar\\p{L}*|le chiedo|ti chiedo|vi chiedo|la prego|si prega|dovresti|dovrebbe inviar\\p{L}*|rimango in attesa|aspetto (?:la|il|una|tue|tua|sua|ancora)|sto aspettando|resto in attesa)${E}`,
  // Portuguese
  `${S}(?:envia|envie|enviem|manda|mande|mandem|diz|diga|digam|avisa|avise|avisem|confirma|confirme|confirmem|liga|ligue|dá|dê|traz|traga|explica|explique|ajuda|ajude|responde|responda|paga|pague)-(?:me|nos|mo|ma)${E}|${S}(?:me (?:envia|envie|manda|mande|diz|diga|avisa|avise|confirma|confirme|liga|ligue)|(?:preciso|precisava|precisamos|precisávamos)(?! (?:de )?(?:lhe |te |me )?\\p{L}+[aei]r${E})|necessito|agradeço que|agradecia|agradecíamos|agradeceria|não te esqueças|não se esqueça|não esqueças|lembra-te|lembre-se|fico a aguardar|ficamos a aguardar|aguardo|aguardamos|(?:estou|estamos|continuo) à espera|peço que|peço-te|peço-lhe|pedimos que|pedia-lhe|pedia-te|tens de|tem de|solicito|solicitamos|queira)${E}`,
  // Dutch
  `^(?:[^,]{0,30}, )?(?:stuur|mail|bel|laat|geef|zet|breng|lever|check|kijk|vergeet|denk|neem|vul|onderteken|teken|bevestig|zorg|maak|haal) (?:me|mij|ons|het|dit|dat|de|even|je|jullie|u|aan|niet|er|voor|svp|alsjeblieft)${E}`,
  `${S}(?:(?:ik|wij|we) (?:heb|hebben) .{1,40} nodig|graag (?:ontvang|hoor|zie|krijg|ontvangen|horen|je|jouw|uw|even|voor|een|vóór|uiterlijk|binnen)|(?:ik|wij|we) (?:ontvang|hoor|zie|ontvangen|horen) (?:het )?graag|wil je|wilt u|willen jullie|zou je|zou u|ik verzoek|ik wacht (?:nog )?op|wij wachten (?:nog )?op|wij verzoeken|gelieve|je moet|u moet|jullie moeten)${E}`,
  // Japanese
  "(?:ください|下さい|くださいませ|いただけますか|いただけますでしょうか|いただけませんか|いただけると(?:助かり|幸い|嬉し|うれし)\\p{L}*|いただければ(?:と|幸い|助かり)\\p{L}*|いただきたく\\p{L}*|いただきたいです|してほしい\\p{L}*|頂けますか|頂けますでしょうか)[^。]{0,16}。?$",
  "(?:を|の(?:ほど|程)|て|に|ご(?:確認|返信|連絡|回答|返送|検討|対応|手配|記入|提出|署名|共有|教示))[^。]{0,8}お願い(?:いた|致)?(?:します|できますか|できますでしょうか|申し上げます)",
];
/** Without any of these, no form matches. Much cheaper than the forms. */
const HINT =
  /[^\x00-\x7f]|-(?:me|nos|mo|ma|moi|nous|le-moi|la-moi|les-moi)\b|\b(?:mir|uns|mich|dich|euch|bitte|sie|du|ihr|ich|wir|um|je|il faut|dime|dinos|dame|danos|mi|ci|me|resto|sto|non|tens|tem|ik|wij|we|wil|u|jullie)\b|\b(?:fehl|vergiss|vergess|schick|sende|gib|gebt|sag|komm|denk|wart|melde|ruf|bring|teil|nimm|bestell|lies|schau|trag|antwort|hol|hilf|merci|besoin|faut|veuillez|attend|oubli|pense|neces|falta|confirm|env|mand|revis|avis|recuerd|rueg|pid|agrad|tien|esper|hazme|haznos|ponme|olvid|qued|fammi|facci|dimmi|dicci|dammi|dacci|invia|scriv|chiam|port|ricord|avvis|fate|bisogno|serv|aspett|chied|preg|dovr|rimang|diz|diga|lig|traz|trag|explic|ajud|respond|pag|precis|aguard|lembr|fic|solicit|queira|esto|stuur|mail|bel|laat|geef|zet|breng|lever|check|kijk|vergeet|neem|vul|teken|onderteken|bevestig|zorg|maak|haal|graag|wilt|zou|geliev|moet)/i;
const REQUEST = new RegExp(FORMS.map((form) => `(?:${form})`).join("|"), "u");

/** Polite phrases of these languages that have the form of a request. */
const COURTESY =
  /(?<!\p{L})(?:bei (?:weiteren )?(?:fragen|rückfragen)|für rückfragen|falls (?:du|sie|ihr) (?:noch )?fragen|wenn (?:du|sie|ihr) (?:noch )?(?:fragen|etwas)|melden sie sich (?:gerne|jederzeit)|meld(?:e)? dich (?:gerne|jederzeit)|n'hésite[zr]?|si (?:vous avez|tu as) (?:des|la moindre|d'autres) question|no dud|no duden|cualquier (?:duda|cosa)|si tienes (?:alguna )?(?:duda|pregunta)|non esit|per qualsiasi|não hesit|qualquer (?:dúvida|coisa)|aarzel niet|schroom niet|mocht je|mocht u|bij vragen|heb je vragen|heeft u vragen|pas(?:s|st) auf dich|dis(?:-| )bonjour|dale|saluta|dá (?:um )?(?:beijo|abraço)|figurati|imagínate|imagina|stell dir vor)|ご不明|ご質問|何かございましたら|ご遠慮なく|お気軽に|お気をつけ|ご自愛|お大事に|お体に|ご安心|今後とも|引き続き|^(?:それでは|では)?、?(?:どうぞ|何卒)?(?:宜しく|よろしく)/iu;

/** Returns whether a sentence may want something. May return true for one that does not. */
export const mayRequestElsewhere = (sentence: string): boolean => HINT.test(sentence);
/** Returns whether a sentence in another language than English, as `plain` returns it, wants something of its reader. */
export const requestsElsewhere = (text: string): boolean => REQUEST.test(text) && !COURTESY.test(text);
/** Returns whether it is a polite phrase that wants nothing. */
export const isCourtesyElsewhere = (text: string): boolean => COURTESY.test(text);
