import { pattern } from "./act.ts";

/** How a clause begins, or ends, that is an instruction to the program and not a text for the reader. */
const RAW: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    pattern(
      "^(?:please |also |then |and |but |politely )*(?:tell|ask(?! yourself)|remind|reject|request|inform|complain|describe|mention|apologi[sz]e|decline|propose|suggest|congratulate|refuse|point out|find out|reply|respond|say (?:that|yes|no|sorry|thanks|congrat\\p{L}*)|thank (?:him|her|them)|let (?:him|her|them) know|write (?:him|her|them|back|that)|answer (?:him|her|them)|check (?:if|whether|with)|make (?:it|clear)|wish (?:him|her|them)|explain|add that|insist|stress|express|convey|emphasi[sz]e|give (?:him|her|them)|send (?:him|her|them)|object|appeal|apply|offer)\\b",
    ),
    /^(?!.*\b(?:I|we|to|you|they|he|she|will|can|must|should)\b.*\b(?:tell|ask|remind|thank)\b)(?:\p{L}+ ){0,3}(?:tell|ask|remind|thank) (?:him|her|them|(?-i:\p{Lu})\p{L}+)(?!\p{L})/iu,
  ],
  de: [
    pattern(
      "^(?:bitte |auch |dann |und |aber |noch )*(?:sage?|frage?|schreibe?|antworte?|bitte (?:ihn|sie|um)|teile?|bedanke?|entschuldige? dich|erkläre?|erwähne?|richte?|lehne?|schlage?|nimm|gib (?:ihm|ihr)|lass (?:ihn|sie)|informiere?|erinnere?|weise?|betone?|gratuliere?|dass|ob)\\b(?! ich| wir| es)",
    ),
    pattern("^(?:sagen|fragen|mitteilen|schreiben|antworten|erwähnen|ausrichten|erklären|bedanken|entschuldigen)\\b"),
    pattern(
      "^(?!.*\\b(?:ich|wir|es|man|Sie|du|ihr|kann|können|muss|müssen|möchte|möchten|will|wollen|werde|werden|soll|sollen|darf)\\b).*\\b(?:\\p{Ll}+sagen|sagen|hinweisen|mitteilen|ausrichten|fragen|nachfragen|nachhaken|vorschlagen|entschuldigen|bedanken|bitten|danken|erwähnen|betonen|gratulieren|einladen|grüßen|klarstellen|ergänzen|ablehnen|annehmen|bestätigen|anbieten|erklären|antworten|wünschen|erinnern|schicken|ankündigen)$",
    ),
  ],
  fr: [
    pattern(
      "^(?:et |puis |mais |aussi |lui |leur |la |le |les |de |d['’])*(?:dis|dites|demande[rz]?|réponds|répondez|écris|écrivez|remercie[rz]?|excuse-toi|présente[rz]|refuse[rz]|décline[rz]|propose[rz]|suggère|explique[rz]|précise[rz]|informe[rz]|préviens|félicite[rz]|souhaite[rz]|rappelle[rz]-lui|annonce[rz]|confirme[rz]|rassure[rz]|demande)(?:-\\p{L}+)?\\b(?! pas)",
    ),
    pattern(
      "^(?:(?:me|m['’]|se|s['’]|lui|leur|ne pas|nous|la|le|les|l['’]) ?)*\\p{L}{2,}(?:er|ir|dre|tre|ire|oire|aire)\\b(?<!\\b(?:hier|cher|fier|premier|dernier|février|janvier|notre|votre|autre|mer|hiver|plaisir|loisir|avenir|entre|faire|peut-être|dernier|courrier|dossier|papier|quartier|métier))(?!-)(?! (?:a|est|ont|sont|était|sera|n['’]a|n['’]est)\\b)",
    ),
    pattern("^(?:que|qu['’])"),
  ],
  es: [
    pattern(
      "^(?:y |pero |luego |también )*(?:di|dí|dile|diles|dígale|pregunta(?:le)?|pregúnt\\p{L}+|pida|pide|píde\\p{L}+|pída\\p{L}+|agradece|agradéce\\p{L}+|rechaza|confírma\\p{L}+|propón|sugiere|felicita|felicíta\\p{L}+|contésta\\p{L}+|respónde\\p{L}+|avísa\\p{L}+|explíca\\p{L}+|discúlpate|recuérda\\p{L}+|invíta\\p{L}+)(?![\\p{L}])",
    ),
    pattern(
      "^(?:no )?\\p{L}{2,}[aei]r(?:le|les|me|nos|se|lo|la|los|las)?\\b(?<!\\b(?:ayer|mujer|lugar|placer|mar|hogar|taller|azar|alquiler))",
    ),
    pattern("^que (?!bien|tal|pena|te vaya|le vaya|tengas|tenga|lo pases|descanses)"),
  ],
  it: [
    pattern(
      "^(?:e |ma |poi |anche )*(?:di['’]|di alla|di al|far presente|dille|digli|chiedi(?:gli|le)?|domanda(?:gli|le)?|ringrazia(?:lo|la|li)?|rifiuta|proponi(?:gli|le)?|suggerisci|scusati|congratulati|rispondi(?:gli|le)?|scrivi(?:gli|le)|spiega(?:gli|le)|avvisa(?:lo|la)|ricorda(?:gli|le)|augura(?:gli|le))(?![\\p{L}])",
    ),
    pattern(
      "^(?:non )?\\p{L}{2,}[aei](?:re|r(?:gli|le|mi|ci|si|lo|la|li|ti|vi))(?![\\p{L}])(?<!(?:mare|cuore|amore|signore|favore|piacere|sapere|ore|sole|padre|madre|parere|dottore|direttore|colore|errore|sere|mogli|figli))",
    ),
    pattern("^che (?!bello|bella|peccato|piacere|gioia|dire)"),
  ],
  pt: [
    pattern(
      "^(?:e |mas |depois |também )*(?:diz|diga|diz-lhe|diga-lhe|pergunta(?:-lhe)?|pergunte(?:-lhe)?|pede(?:-lhe)?|peça(?:-lhe)?|agradece(?:-lhe)?|recusa|propõe(?:-lhe)?|sugere|responde(?:-lhe)?|avisa|explica(?:-lhe)?|convida)(?![\\p{L}])",
    ),
    pattern("^(?:não )?\\p{L}{2,}[aei]r(?:-\\p{L}+)?(?![\\p{L}])(?<!(?:mulher|lugar|prazer|mar|lar|qualquer|jantar))"),
    pattern("^que (?!bom|pena|tal|corra|tenha|tenhas)"),
  ],
  nl: [
    pattern(
      "^(?:en |dan |maar |ook )*(?:zeg|vertel|vraag|bedank|laat (?:hem|haar|hun)|meld|accepteer|weiger|stel|sla|wijs|verontschuldig|feliciteer|herinner|informeer|leg uit|dat|of)\\b(?! ik| we| het)",
    ),
    pattern(
      "^(?!.*\\b(?:ik|we|wij|het|je|u|jullie|kan|kunnen|moet|moeten|wil|willen|zal|zullen)\\b).*\\b(?:zeggen|vragen|bedanken|afzeggen|afslaan|weigeren|voorstellen|melden|vertellen|aanbieden|uitnodigen|feliciteren|bevestigen|accepteren|uitleggen|doorgeven|toezeggen|wensen|benadrukken|navragen)\\b",
    ),
    pattern("^(?:zeggen|vragen|melden|vertellen|doorgeven|uitleggen|laten weten|vermelden|bedanken)\\b"),
    pattern("^(?:sorry|dank|excuses) (?:zeggen|aanbieden)\\b"),
  ],
};

/** Whether a text that is to be written as it is has an instruction in it: the worst that a draft can send. */
export function leaks(text: string, language: string): boolean {
  const forms = RAW[language];
  return (
    forms !== undefined &&
    text.split(/[,;:.!?]\s+/u).some((part, i) => {
      const clause = part.trim().replace(/[\s.,;:!?]+$/u, "");
      // Infinitives and subordinate clauses can follow a main clause.
      return forms.some(
        (form, kind) => (i === 0 || kind === 0 || language === "de" || language === "nl") && form.test(clause),
      );
    })
  );
}
