import type { SpanKind } from "../../../ml/extract/spans/typed-span.ts";

/** What a question asks for. */
export type QuestionType =
  | "why"
  | "wants"
  | "phone"
  | "email"
  | "link"
  | "code"
  | "time"
  | "deadline"
  | "when"
  | "how long"
  | "how many"
  | "how much"
  | "measure"
  | "who"
  | "where"
  | "yes-no"
  | "what";

/** Spans that can answer a question of a type; none: any sentence can. */
export const ANSWERED_BY: Record<QuestionType, readonly SpanKind[]> = {
  why: [],
  wants: [],
  phone: ["phone"],
  email: ["email"],
  link: ["link"],
  code: ["code"],
  time: ["time"],
  deadline: ["date"],
  when: ["date", "time", "duration"],
  "how long": ["duration", "date"],
  "how many": ["count", "measure"],
  "how much": ["amount"],
  measure: ["measure", "duration"],
  who: ["name"],
  where: [],
  "yes-no": [],
  what: [],
};

const b = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "iu");

/**
 * Patterns of question types in English, German, French, Spanish, Portuguese, Italian, Dutch and Japanese. The first
 * that matches decides. The matched words ask; they are not what the question is about.
 */
export const PATTERNS: readonly [QuestionType, RegExp][] = [
  [
    "why",
    b(
      "why|how come|for what reason|what(?:'s| is| was) the reason|warum|wieso|weshalb|weswegen|aus welchem grund|pourquoi|pour quelle raison|por qué|por que(?: é que| razão| motivo)?|porque(?: é que)?|porquê|perché|come mai|waarom",
    ),
  ],
  ["why", /なぜ|どうして|何故|理由は?何/u],
  [
    "phone",
    b(
      "(?:tele|mobile |cell )?phone(?: number)?|direct (?:line|dial|number)|extension|ligne directe|línea directa|linha direta|linea diretta|doorkiesnummer|(?:mobile|cell|telephone) number|(?:which|what) number (?:do|should|can|must|to) \\p{L}* ?(?:ring|call|phone|dial)\\p{L}*|number to (?:ring|call)|telefonnummer|handynummer|mobilnummer|rufnummer|durchwahl|telefon|numéro de (?:téléphone|portable)|téléphone|(?:número de )?(?:teléfono|móvil)|(?:número de )?(?:telefone|telemóvel|celular)|(?:numero di )?(?:telefono|cellulare)|telefoonnummer|mobiele nummer|mobiel nummer|welche nummer|numéro dois-je appeler|qué número (?:llamo|debo llamar)",
    ),
  ],
  ["phone", /電話番号|携帯番号|電話は何番/u],
  [
    "email",
    b(
      "e-?mail address|e-?mail-?adresse|mailadresse|adresse (?:e-?)?mail|adresse électronique|correo electrónico|endereço de e-?mail|indirizzo e-?mail|indirizzo di posta|e-?mailadres",
    ),
  ],
  ["email", /メールアドレス/u],
  ["link", b("link|url|web address|webadresse|video link|enlace|lien|collegamento")],
  [
    "how long",
    b(
      "how long|for how long|how old|wie alt|quel âge|qué edad|cuántos años|quantos anos|quanti anni|hoe oud|durante cuánto tiempo|por quanto tempo|per quanto tempo|pendant combien de temps|wie lange?|combien de temps|cuánto tiempo|cuánto dura|quanto tempo|hoe lang|how many (?:days|weeks|months|years|hours|minutes|nights)|wie viele (?:tage|wochen|monate|jahre|stunden|nächte|minuten)|combien de (?:jours|semaines|mois|nuits|heures)|cuánt[oa]s (?:días|semanas|meses|noches|horas)|quant[oa]s (?:dias|semanas|meses|noites|horas)|quant[ie] (?:giorni|settimane|mesi|notti|ore)|hoeveel (?:dagen|weken|maanden|nachten|uur)",
    ),
  ],
  ["how long", /どのくらい(?:の期間)?かか|何日間|何泊|何時間|何週間/u],
  [
    "deadline",
    b(
      "tegen wanneer|by when|until when|till when|by what (?:date|day)|bis wann|bis zu welchem|jusqu[’']à quand|jusqu[’']à quelle date|avant quand|avant quelle date|d[’']ici quand|pour quand|hasta cuándo|antes de cuándo|hasta qué (?:días?|fecha)|até quando|até que dia|entro quando|fino a quando|entro che|entro quale|tot wanneer|voor wanneer|uiterlijk wanneer",
    ),
  ],
  ["deadline", /いつまで/u],
  [
    "time",
    b(
      "(?:at |from |by )?what time|at what hour|(?:ab |um |bis )?wie ?viel uhr|wie spät|ab wann kann|à partir de quelle heure|jusqu[’']à quelle heure|à quelle heure|quelle heure|a partir de qué hora|hasta qué hora|a qué hora|a partir de que horas?|até que horas|a que horas|(?:a partire )?dalle che ora|da che ora|fino a che ora|a che ora|vanaf hoe laat|tot hoe laat|hoe laat",
    ),
  ],
  ["time", /何時(?!間)/u],
  [
    "when",
    b(
      "(?:from |since )?when|(?:on )?(?:what|which) (?:days?|dates?|month|weekdays?)|what(?:'s| is| was) the date|(?:ab |seit )?wann|an welche[mn] tag(?:en)?|welche[rnms]? (?:tage?n?|datum|monat)|(?:à partir de |depuis )?quand|quels? jours?|quelle date|(?:a partir de |desde )?cuándo|qué (?:días?|fecha)|(?:a partir de |desde |da )?quando|em que (?:dias?|data|mês)|qual é a data|che giorn[oi]|in che (?:data|giorno)|(?:vanaf |sinds )?wanneer|welke (?:dag(?:en)?|datum)|op welke (?:dag(?:en)?|datum)",
    ),
  ],
  ["when", /いつ(?:から|です|ご)?|何日|何月|何曜日|日にちは/u],
  [
    "measure",
    b(
      "how (?:heavy|tall|high|wide|far|big|large|deep|warm|hot|cold|fast|thick)|wie (?:schwer|groß|breit|weit|tief|warm|schnell)|quelle (?:taille|distance|superficie|hauteur)|quel (?:poids|âge)|qué (?:altura|peso|distancia|tamaño)|quanto (?:pesa|mede)|cuánto (?:pesa|mide)|combien (?:pèse|mesure)|quanto è (?:alto|grande|lungo|lontano)|hoe (?:zwaar|groot|hoog|breed|ver|diep)",
    ),
  ],
  [
    "how many",
    b(
      "how many|(?:what|which) number of|the number of(?! the| my| our)|(?:mit |zu |an |auf |für )?wie ?vielen?|combien de|combien y|(?:para |de |a |con )?cuánt[oa]s|(?:para |de |a |com )?quant[oa]s|quant[ie]|a quant[ie]",
    ),
  ],
  ["how many", /(?<!\p{L})combien d['’](?=\p{L})/iu],
  ["how many", /(?<!\p{L})hoeveel (?!kost|bedra|betaal|moet|is |geld|euro|krij|vraag)(?=\p{L})/iu],
  ["how many", /何人|何名|何個|何本|何枚|何冊|何回|何台|いくつ|何セット/u],
  [
    "how much",
    b(
      "how much|how expensive|wie ?viel|wie teuer|wie hoch|combien|cuánto|cuánta|quanto|quanta|quant['’]è|hoeveel|hoe duur|what (?:does|do|did|will|would|is) .{1,80} (?:cost|charge|pay|come to|amount to|set (?:me|us) back)|what (?:do|did|will|must|should|would) (?:i|we) (?:pay|owe)|was (?:be)?zahl(?:e|t|en|st)|was (?:muss|müssen|soll) (?:ich|wir) (?:be)?zahlen|que pa(?:ie|yons|ye)|qué pag(?:o|amos|a)|cosa pag(?:o|hiamo|a)|o que pag(?:o|amos|a)|wat betaal(?:t|en)?|(?:what|which) (?:price|amount|sum|fee|cost|rate|rent|salary)|was (?:kostet|kosten|kostete)|welche[rn]? (?:preis|betrag|summe|miete)|que coûte|quel(?:le)? (?:est le )?(?:prix|montant|tarif|loyer)|qué (?:precio|importe)|qual é o (?:preço|valor|montante)|que (?:preço|valor)|quale (?:prezzo|importo)|che (?:prezzo|cosa costa)|welk bedrag|wat kost(?:en)?|welke prijs",
    ),
  ],
  ["how much", /いくら|何円|金額/u],
  [
    "who",
    b(
      "who|whose|whom|wer|wem|wen|wessen|quién(?:es)?|(?:a |de |con )quién|quem|(?:a|de|com) quem|chi|di chi|a chi|welke (?:persoon|klant|arts)|(?:what|which) (?:person|guest|client|customer|colleague|doctor|teacher|neighbour|neighbor|company|firm|author)|what(?:'s| is| was) the name|wie hei(?:ß|ss)(?:t|en)|welche[rn]? (?:name|kunde|kundin|gast|kollege|person|firma|arzt|lehrer\\p{L}*)|comment s[’']appelle(?:nt)?|quel(?:le)? (?:client|cliente|personne|invité|médecin|collègue|entreprise|société|est le nom)|cómo se llaman?|qué (?:cliente|persona|huésped|médico|empresa)|como se chamam?|que (?:cliente|pessoa|hóspede|empresa)|qual é o nome|come si chiaman?[ao]?|quale (?:cliente|persona|ospite|ditta)|hoe heet(?:en)?|welke (?:gast|firma|collega|dokter)",
    ),
  ],
  ["who", /^(?:(?:à|de|par|avec|chez|pour) )?qui(?= )/iu],
  ["who", /誰|だれ|どなた|どの(?:人|方|会社|お客)|名前は/u],
  [
    "where",
    b(
      "where|in (?:which|what) (?:town|city|place|street|restaurant|hotel|building|venue)|at (?:which|what) (?:place|restaurant|hotel|venue|address)|(?:what|which)(?:'s| is)? (?:the )?(?:new )?address|(?:what|which) (?:hotel|restaurant|venue|town|city)|to (?:which|what) address|wo|wohin|woher|in welche[rmn] (?:stadt|ort|hotel|restaurant|straße)|welche adresse|an welche adresse|où|à quelle adresse|dans quel(?:le)? (?:ville|hôtel|restaurant|rue)|quelle (?:est l[’'])?adresse|dónde|adónde|en qué (?:hotel|ciudad|calle|restaurante|lugar)|a qué dirección|qué dirección|onde|aonde|em que (?:hotel|cidade|rua|restaurante|lugar|sítio)|qual é (?:a morada|o endereço)|dove|in (?:che|quale) (?:hotel|città|via|ristorante|posto)|a quale indirizzo|waar|waarheen|in welk(?:e)? (?:hotel|stad|straat|restaurant)|welk adres|naar welk adres",
    ),
  ],
  ["where", /どこ|住所|場所は|どちら/u],
  [
    "wants",
    b(
      "what (?:does|do|did|would|is|was) .{1,60} (?:want|ask|need|expect|like|asking|after|request)\\p{L}*(?: (?:from|of) (?:me|us))?|was (?:möchte|will|wollte|wünscht|braucht|erwartet|verlangt)|was soll ich|que (?:veut|voulait|demande|souhaite|attend)|qu[’']est-ce que .{1,40} (?:veut|demande|attend|souhaite)|qué (?:quiere|quería|pide|pidió|necesita|espera)|o que (?:é que .{1,40} )?(?:quer|queria|pede|pediu|precisa|espera)|que quer|(?:che )?cosa (?:vuole|voleva|chiede|serve|si aspetta)|wat (?:wil|wilde|vraagt|vroeg|verwacht|heeft .{1,40} nodig)|(?:what|which) \\p{L}+ (?:does|do|did) .{1,40} (?:want|need|ask for|expect|require)(?: (?:from|of) (?:me|us))|what (?:must|should|do|does) (?:i|we) (?:have to |need to )?(?:do|send|bring|prepare)",
    ),
  ],
  ["wants", /何を(?:して)?(?:ほしい|求め|頼|お願い|希望)|何が欲し/u],
  [
    "code",
    b(
      "(?:what|which) (?:flight|train|bus|ferry)|what(?:'s| is| was) (?:my|our|his|her|their|the|\\p{L}+['’]s) (?:flight|seat|platform|gate|room)(?=[ ?]*$)|welche[rnms]? (?:flug|zug)|quel (?:vol|train)|qué (?:vuelo|tren)|que (?:voo|comboio|trem)|quale (?:volo|treno)|welke (?:vlucht|trein)|(?:what|which) (?:is |was )?(?:the |my |our )?(?:[\\p{L}'’-]+ ){0,3}(?:number|no|code|reference|ref|id|pin|iban)|(?:in |on |at |from )?(?:what|which) (?:room|gate|platform|seat|stand|carriage|coach|floor|terminal|track|table|unit|hall)|(?:flight|order|booking|invoice|policy|tracking|reference|customer|contract|account|room|seat|purchase order|po|claim|ticket|confirmation|member\\p{L}*) (?:number|no\\.?|code|reference)|nummer|\\p{L}+nummer|\\p{L}*code|aktenzeichen|kennzeichen|in welche[mrn] (?:raum|zimmer|halle|wagen|saal)|welche[snr]? (?:gleis|zimmer|sitzplatz|raum|flugsteig)|von welchem gleis|numéro|référence|dans quelle (?:chambre|salle)|quelle? (?:chambre|salle|voie|place|porte)|sur quel quai|número|código|referencia|en qué (?:habitación|sala|andén|asiento)|qué (?:habitación|sala|asiento|puerta)|referência|em que (?:quarto|sala|cais|lugar)|numero|codice|riferimento|in (?:che|quale) (?:camera|stanza|sala|binario)|kenmerk|in welke? (?:kamer|zaal|lokaal)|welk spoor|boekingscode|vluchtnummer",
    ),
  ],
  ["code", /番号|便名|コード|何番|何号室/u],
];

/** By language, words that ask "what" or "which" without saying for what kind of thing. */
export const WHAT: Record<string, RegExp> = {
  en: b("what(?:'s)?|which|how"),
  de: b("was|welche[rsnm]?|wie"),
  fr: b("quel(?:le)?s?|que|quoi|qu'est-ce|comment|lequel|laquelle"),
  es: b("qué|cuál(?:es)?|cómo"),
  pt: b("o que|que|qual|quais|como"),
  it: b("che|cosa|quale|quali|come"),
  nl: b("wat|welke?|hoe"),
  ja: /何|どの|どんな|どう/u,
};

/** Words about the sense of an answer, which need not stand beside it: the price, the date, the address. */
export const KIND_WORDS: Partial<Record<QuestionType, string>> = {
  "how much":
    "budget money cost costs price fee charge rate pay paid amount sum kosten kostet preis betrag bezahlen zahlen zahlt coûte coûter coûtera prix montant payer cuesta costar precio importe pagar custa custar preço valor pagar costa costerà costare prezzo importo pagare kost kosten prijs bedrag betalen betaald hoch fällt 料金 値段 価格 金額",
  when: "due fällig date day time take takes place happen scheduled held termin tag datum stattfinden findet statt date jour lieu fecha día lugar data dia giorno ora datum dag plaats 日 日付 予定",
  deadline:
    "deadline due date latest must have pay payment zahlung paiement pago pagamento betaling submit frist fällig spätestens muss date délai plazo fecha prazo data scadenza termine deadline uiterlijk 締め切り 期限",
  time: "time hour uhr heure hora horas ora uur tijd 時間",
  where:
    "address place located live adresse ort lieu dirección lugar morada endereço local indirizzo luogo adres plaats 住所 場所",
  who: "name person called name nom nombre nome naam 名前",
  phone:
    "number phone telephone mobile call ring contact reach nummer telefon handy anrufen erreichen numéro téléphone joindre appeler número teléfono llamar telefone ligar numero telefono chiamare nummer telefoon bellen 番号 電話",
  email: "email mail address e-mail adresse correo dirección endereço indirizzo adres",
  link: "link url address",
  code: "number code reference nummer numéro référence número código referencia numero codice 番号 便名",
  "how many": "number many anzahl nombre número numero aantal 数",
  "how long":
    "old alt edad años anos âge anni oud long lange lang temps tiempo tempo long last lasts take takes duration stay dauert dauer dure durée dura duración duração durata duurt",
  "yes-no":
    "may can could allowed dürfen darf kann können peut puis-je pouvons puede pode possiamo posso può mag mogen kunnen",
  why: "reason happen grund raison motivo razón razão ragione reden 理由",
  wants: "want ask need from me will möchte veut quiere quer vuole wil",
};

/** Asks for a code or a number of something that is not a phone. */
export const ASKS_CODE =
  /(?<!\p{L})(?:\p{L}*code|pin|iban|flight|train|seat|gate|platform|room|flug|zug|vol|vuelo|voo|volo|vlucht|reference|ref|referenz|référence|referencia|referência|riferimento|kenmerk|código|codice|aktenzeichen|kennzeichen)(?!\p{L})/iu;
