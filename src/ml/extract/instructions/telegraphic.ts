import { bare, pattern } from "./act.ts";
import { withArticle } from "./articles.ts";

/** A short form, and the whole instruction that it stands for. `$1` and `$x` are groups; `@x` is a group with an article. */
type Short = readonly [form: RegExp, whole: string];

const rows = (text: string): Short[] =>
  text
    .trim()
    .split("\n")
    .map((row) => {
      const at = row.lastIndexOf(" => ");
      return [pattern(`^${row.slice(0, at).trim()}$`), row.slice(at + 4).trim()] as const;
    });

const EN_DAY =
  "(?:(?:this|next|on|the|early|late|tomorrow|today|maybe|either|or|and|at|around|after|before|from|in|week|weekend|spring|summer|autumn|winter|later|morning|afternoon|evening|night|noon|tonight|lunch|lunchtime|month|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December|\\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:[:.]\\d\\d)?\\s?(?:am|pm)|\\d{1,2}[:.]\\d\\d|o'clock)\\b ?)+";
const DE_DAY =
  "(?:(?:den|dem|der|die|das|am|im|um|ab|nach|vor|gegen|kommenden?|nächsten?|nächster|diesen?|dieses?|oder|und|morgen|übermorgen|heute|früh|abend|vormittags?|nachmittags?|mittags?|abends|morgens|Abend|Vormittag|Nachmittag|Mittag|Morgen|Woche|Wochenende|Monat|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|\\d{1,2}\\.?(?:\\d{1,2}\\.)?|\\d{1,2}[:.]\\d\\d|Uhr|h)(?:\\b|(?<=\\.)) ?)+";
const FR_DAY =
  "(?:(?:le|la|ce|cette|au|à|vers|après|avant|ou|et|en|début|fin|de|d'|l'|prochaine?|suivante?|demain|aujourd'hui|soir|matin|midi|après-midi|semaine|week-end|mois|printemps|été|automne|hiver|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|\\d{1,2}(?: ?h ?(?:\\d\\d)?)?|heures?)(?:\\b|(?<=')) ?)+";
const ES_DAY =
  "(?:(?:el|la|las|los|este|esta|al|a|por|de|o|y|en|próxim[oa]|que viene|siguiente|mañana|pasado|hoy|tarde|noche|mediodía|semana|fin|mes|primavera|verano|otoño|invierno|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|\\d{1,2}(?:[:.]\\d\\d)?)\\b ?)+";
const IT_DAY =
  "(?:(?:il|la|le|lo|l'|quest[oa]|alle|al|a|di|o|e|in|prossim[oa]|domani|dopodomani|oggi|sera|mattina|pomeriggio|mezzogiorno|settimana|mese|fine|primavera|estate|autunno|inverno|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|ore|\\d{1,2}(?:[:.]\\d\\d)?)(?:\\b|(?<=')) ?)+";
const PT_DAY =
  "(?:(?:o|a|as|os|às|na|no|à|de|da|do|ou|e|em|próxim[oa]|que vem|seguinte|amanhã|hoje|tarde|noite|manhã|meio-dia|semana|fim|mês|primavera|verão|outono|inverno|segunda|terça|quarta|quinta|sexta|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|\\d{1,2}(?:h\\d{0,2}|[:.]\\d\\d)?)(?![\\p{L}]) ?)+";
const NL_DAY =
  "(?:(?:de|om|op|in|na|voor|vanaf|rond|of|en|volgende|komende|deze|morgen|overmorgen|vandaag|ochtend|middag|avond|week|weekend|weekeinde|maand|voorjaar|zomer|najaar|winter|(?:maan|dins|woens|donder|vrij|zater|zon)dag(?:ochtend|middag|avond)?|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|uur|\\d{1,2}(?:[:.]\\d\\d)?)\\b ?)+";

/** Short forms of each language, tried in order. */
const SHORTS: Readonly<Record<string, readonly Short[]>> = {
  en: rows(`
(?:I'd |would )?love to => I would love to
love to (but .+) => I would love to $1
love to (come|join|help|see|meet|go|have|be|do|take|visit|try|hear)\\b(.*) => I would love to $1$2
(arriving|leaving|coming|staying|bringing|moving|travelling|working|driving|flying|taking) (.+) => I am $1 $2
(no \\p{L}+(?: \\p{L}+)?) (?:is )?(needed|required|necessary) => say that $1 is $2
(?:I'm |I am |count me )?in for (${EN_DAY}) => I'm in for $1
(disagree|don't agree|do not agree|don't want|don't need|don't know|don't have|don't like|can't wait|can't find) (.+) => I $1 $2
(?:the |my )?((?!I\\b|we\\b|the\\b|my\\b)\\p{L}+(?: (?!is\\b|are\\b)\\p{L}+){2,3}) (?:is )?(?:attached|enclosed) => I have attached @1
(?:ideally|preferably) (${EN_DAY}) => propose $1
got ((?:a|an|no|another|two|three|some) .+) => I have $1
got to (.+) => I have to $1
not (today|tonight|tomorrow(?: morning| afternoon| evening)?|this (?:week|evening|weekend|afternoon|morning)|next week) => say that unfortunately I can't make it $1
(great|lovely|wonderful|fantastic|nice|terrible) (holiday|trip|weekend|evening|party|concert|dinner|flight|day|film) => The $2 was $1
(at \\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)? (?:at|in|outside|by|near) .+) => Let's meet $1
not ((?:before|after|until|on|at) ${EN_DAY}) => say that unfortunately I can't make it $1
(?:but )?(?:only|just) ((?:before|after|from|until|on|at|in) ${EN_DAY})(?:works|possible|ok|okay)? => say that I can only make it $1
any ?time ((?:before|after|from|on|in) ${EN_DAY})(?:is fine|works|is ok|ok|is good)? => say that any time $1works for me
offer (?:him|her|them) ((?!to\\b).+) => say that I can offer you $1
(?:yes|ok|okay|fine|happy)[ ,]+(?:to|with|for|on) (${EN_DAY}) => accept $1
(?:yes|ok|okay|happy) (?:to|with|for) (the .+|(?:her|his|their|your) .+) => accept $1
no (?:to|for) (.+) => decline $1
(?:happy|glad) to (.+) => say that I would be happy to $1
(?:yes )?(${EN_DAY})(?:is |are )?(?:fine|ok|okay|good|great|perfect|works?)(?: for me| with me)? => accept $1
(?:not |no )?(${EN_DAY})(?:not possible|impossible|no good|is no good|doesn't work|is bad) => decline $1
(?:can't|cannot|can not) (?:do|make|manage) (${EN_DAY}) => say that unfortunately I can't make it $1
(?:I )?(?:can't|cannot) (?:come|make it|attend) => say that unfortunately I can't make it
(?:(?:how|what) about|maybe|perhaps|rather|better|or|prefer) (${EN_DAY})(?:instead|better|\\?)* => propose $1
(${EN_DAY})(?:instead|better|would be better|is better|rather)\\?* => propose $1instead
(${EN_DAY})(?:possible|ok|okay|good|any good)\\?* => ask whether $1would work
(?:a bit |way |far )*too (expensive|late|early|far|long|short|small|big|much|high|soon|tight|risky)(?: for (?:me|us))? => Unfortunately that is too $1 for me
(?:(?:the|her|his|their) )?price (?:is )?too high => Unfortunately the price is too high for me
(?:too )?tight budget => Unfortunately my budget is tight
(?:many )?(?:thanks|thank you) (?:so much |very much |a lot )?(for .+) => thank $1
(?:I'm |I am )?(?:so |very )?sorry (?:to hear )?((?:about|for|that) .+) => I am sorry $1
congratulations (?:on|for) (.+) => congratulate on $1
(?:my |our )?((?!I\\b|we\\b)\\p{L}+(?: \\p{L}+)?) (?:is )?(?:attached|enclosed) => I have attached @1
attached(?: is| are)? (.+) => I have attached @1
(paid|sent|got|received|found|booked|ordered|checked|signed|talked|spoke|called|finished|moved|bought|forgot|lost|fixed|tried|missed|loved|enjoyed|read|asked|told|posted|transferred|cancelled|reserved|have|haven't|hope|need|want|prefer|hate|love(?! to\\b)|appreciate|think|understand)( .+)? => I $1$2
(just|already) (paid|sent|got|received|found|booked|ordered|checked|signed|spoke|called|finished|bought)( .+)? => I have $1 $2$3
(?:really )?looking forward to (.+) => I am looking forward to $1
(?:really )?looking forward => I am looking forward to it
(not (?:interested|available|free|sure|able).*|back .+|available .+|free .+|stuck .+|in (?:town|bed|hospital|Berlin|London|Paris).*|at (?:work|home).*|out of .+|abroad.*) => I am $1
will (.+) => I will $1
would (?:love|like|prefer) (.+) => I would like $1
ask (?:for )?(?:a |some )?(discount|rebate) => ask whether a $1 is possible
(?:and |also )?ask (?:her |him |them )?(?:for )?(?:the |his |her |their )?(price|cost|name|size|date|time|address|deadline|total|colou?r|phone number|exact time|start time|exact date|exact address|meeting point|room number|opening hours|dress code|rate|fee|weight|iban|account number)(?: again)? => ask what the $1 is
(?:price|cost)\\? => ask what the price is
ask (?:her |him |them )?((?!for |if |whether |about |to |how |what |when |where |who |which |why |him |her |them |that |not )\\p{Ll}+) => ask about $1
no,? thanks?(?: you)? => I would rather not this time
(bring|take|come|park|pay|use|stay|leave|keep)( .+?)?,? (?:ok|okay|possible|alright|fine)\\? => ask whether it is OK to $1$2
([^,]+?),? (included|available|needed|required|possible|ok|okay)\\? => ask whether @1 is $2
who else(?: is)? (?:coming|comes)\\?? => ask who else is coming
what time\\?? => ask what time
(?:say )?(?:hi|hello) to (?!him\\b|her\\b|them\\b)(.+) => I send my best regards to $1
(?:send |give )?(?:my |our )?(love|regards|greetings|best wishes) to (?!him\\b|her\\b|them\\b)(.+) => I send my $1 to $2
(?:I'm |I am )?(?:so |very )?sorry ((?:I|we|to) .+) => I am sorry $1
(?:strongly )?(object|appeal|apply|register|subscribe|unsubscribe|complain|agree) (to|for|against|about|from) (?!him\\b|her\\b|them\\b)(.+) => I would like to $1 $2 $3
(\\d{1,2}(?:st|nd|rd|th)) (.+) => the $1 $2
offer (it|them|this) to (?!him\\b|her\\b|them\\b)(.+?)(?: maybe)?\\?* => maybe you could offer $1 to $2
(?:gladly |happily )?accept(?: with pleasure| gladly| happily)? => accept
attach (.+) => I have attached @1
(?:tell|ask|remind) (him|her|them) not to (.+) => ask $1 to not $2
remind (?:him|her|them) (?:about|of) (.+) => please remember $1
(?:politely )?decline (?:with regret|with thanks|politely|kindly) (?:due to|because of) (.+) => decline because of $1
(?:politely )?decline with (?:regret|thanks) => decline
recommend (.+?)(?: instead)? => I would recommend $1
wrong (.+) => the $1 is wrong
should be (.+) => it should be $1
happy birthday(?: to .+)? => wish him a happy birthday
merry christmas => I wish you a merry Christmas
please (fix|correct|change|wait|note|keep|let (?:me|us)|call (?:me|us)|send (?:me|us)|give (?:me|us)|email (?:me|us)|bring|check)( .+)? => ask him to $1$2
(reject|point out|stress|clarify|discuss|withdraw|question|dispute|return|exchange|renew) ((?:the|this|his|her|their|our|my|that) .+) => I would like to $1 $2
`),
  de: rows(`
((?:mit|zu) .+) einverstanden => ich bin $1 einverstanden
(?:am besten|idealerweise|am liebsten|möglichst) (${DE_DAY}) => am besten passt es mir $1
(um \\d{1,2}(?:[:.]\\d\\d)?(?: Uhr)? (?:am|im|vor|beim|bei|an|in) .+) => wir treffen uns $1
nicht ((?:vor|nach) ${DE_DAY}) => $1 kann ich leider nicht
(?:aber )?(erst|nur) (${DE_DAY}) => ich kann $1 $2
(?:biete?|anbieten) (?:ihm|ihr|ihnen) (.+?)(?: an)? => schlag $1 vor
(\\d{1,2}\\.(?:\\d{1,2}\\.)?) (?:geht|passt|ist ok|ok|ist gut|klappt)(?: bei mir| mir)? => der $1 passt mir gut
(\\d{1,2}\\.(?:\\d{1,2}\\.)?) (?:geht|passt|klappt) (?:leider )?nicht => der $1 passt mir leider nicht
(?:nee|nö|ne)(?: danke)? => leider geht das nicht
((?:viel|gute|guten|alles|schöne[sn]?) .+|frohe .+) wünschen => wünsch ihm $1
(?:ja|ok|okay|einverstanden|passt)[ ,]+(?:zu[mr]?|mit|für) (.+) => nimm $1 an
(?:ein andermal|ein anderes Mal|nächstes Mal)(?: gerne?)? => ein andermal komme ich gerne
(${DE_DAY})(?:dann )?gerne? => $1passt es mir gut
(?:ja |ok )?(${DE_DAY})(?:ist ok|ist okay|ok|okay|klar) => $1passt mir gut
(${DE_DAY})(?:geht nicht|passt nicht|klappt nicht|ist schlecht|schlecht|geht leider nicht|unmöglich|kann ich nicht) => $1passt mir leider nicht
(?:kann|können) (${DE_DAY})(?:leider )?nicht => $1kann ich leider nicht
(?:lieber|besser|eher|stattdessen|alternativ|oder|vielleicht) (${DE_DAY})\\?* => schlag $1 vor
(${DE_DAY})(?:lieber|besser|ist besser|wäre besser|stattdessen)\\?* => schlag $1 vor
(${DE_DAY})(?:möglich|ok|okay)\\? => frag, ob $1möglich wäre
(?:das ist |es ist |leider |viel )*(?:uns |mir )?zu (teuer|spät|früh|weit|lang|kurz|klein|groß|viel|hoch|knapp|riskant) => das ist leider zu $1
(?:der )?Preis (?:ist )?zu hoch => der Preis ist leider zu hoch
nein,? (?:danke|leider nicht) => leider passt das nicht
leider nein => leider geht das nicht
(?:nochmals? )?(?:danke|vielen Dank|danke schön|danken|dank) für (.+?)(?: sagen| ausrichten)? => danke für @1
(?:sorry|entschuldigung|tut mir leid) (?:für|wegen) (.+?)(?: sagen)? => entschuldige dich für $1
(?:glückwunsch|gratulation|herzlichen glückwunsch|gratuliere) (zu[mr]? .+) => gratulier $1
((?:(?:die|der|das|den|meine?n?) )?\\p{Lu}\\p{L}+) (?:im Anhang|anbei|angehängt|hängt an|liegt bei) => @1 habe ich angehängt
(?:im Anhang|anbei) (?:ist |sind )?((?:(?:die|der|das|den) )?\\p{Lu}\\p{L}+) => @1 habe ich angehängt
(freue mich|freu mich|freuen uns)(.*) => ich freue mich$2
(?:nach )?((?!und\\b)\\p{Lu}\\p{L}+) (?:nachfragen|erfragen) => frag nach $1
((?:die |das |den )?\\p{Lu}\\p{L}+) (?:anfordern|erbitten) => um @1 bitten
(?:er|sie) soll sich keine Sorgen machen => es gibt keinen Grund zur Sorge
(?:(?:dem|der|den|ihm|ihr) )?(?:\\p{Lu}\\p{L}+ )?(?:ganz |sehr )?(?:lieb|herzlich) danken => danke ihm
((?:die |das |den )?\\p{Lu}\\p{L}+) ablehnen => ich kann @1 leider nicht akzeptieren
(?:viele |liebe )?(?:grüße|grüsse|gruß) (?:auch )?an (.+) => ich lasse $1 herzlich grüßen
((?!ihn\\b|sie\\b|ihm\\b|ihr\\b).+) grüßen => ich lasse $1 herzlich grüßen
((?:die |das |den |meine?n? )?.+) (?:anhängen|beifügen|mitschicken) => ich habe @1 angehängt
(?:ja |klar |natürlich |gerne? |super )+(bin|komme?|habe?|mache?|kann|bringe?) ((?!ich\\b|wir\\b|sie\\b|er\\b|du\\b).+) => ja, ich $1 $2
(bring|nehm|komm|mach|hol|ruf|zahl|meld|freu|denk|hab|schau|fahr|wart)e? ((?!ihm\\b|ihr\\b|ihnen\\b|ich\\b|wir\\b).+) => ich $1e $2
(?:um )?Rückruf(?: bitten)? => bitte um einen Rückruf
((?:gerade |noch |bis \\S+ )?(?:krank|im Urlaub|verreist|unterwegs|beschäftigt|verhindert|nicht da)(?: .*)?) => ich bin $1
(?:brauche?|benötige) (.+) => ich brauche $1
(schon|gestern|heute|bereits) (bezahlt|überwiesen|geschickt|erledigt|bestellt|abgeschickt) => ich habe es $1 $2
`),
  fr: rows(`
(?:de préférence|idéalement|si possible) (${FR_DAY}) => propose $1
pas ((?:ce|cette|demain|aujourd'hui|le|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\\b ?(?:${FR_DAY})?) => dis que malheureusement je ne peux pas $1
(à \\d{1,2} ?h(?:\\d\\d)? (?:à|au|devant|chez|dans|en) .+) => on se retrouve $1
pas ((?:avant|après) ${FR_DAY}) => dis que je ne suis pas disponible $1
(?:mais )?(?:seulement|uniquement) ((?:avant|après|à|le|vers|en|dans|dès) ${FR_DAY}) => dis que je suis disponible seulement $1
(?:oui|ok|d'accord|partant|partante)[ ,]+(?:pour|à) (${FR_DAY}) => accepte $1
non (?:pour|à) (.+) => refuse $1
(?:pour )?(${FR_DAY})(?:ok|ça marche|ça va|c'est bon|c'est parfait|parfait|me va|va bien) => accepte $1
(${FR_DAY})(?:impossible|pas possible|ça ne va pas|n'est pas possible|je ne peux pas) => dis que malheureusement $1n'est pas possible
(?:impossible|pas possible|peux pas|je ne peux pas|je peux pas) (${FR_DAY}) => dis que malheureusement je ne peux pas $1
(?:plutôt|mieux|peut-être|sinon|ou alors|ou) (${FR_DAY})(?:plutôt)?\\s?\\?* => propose $1
(${FR_DAY})(?:plutôt|à la place|serait mieux)\\s?\\?* => propose $1
(${FR_DAY})(?:possible|ok|ça va)\\s?\\? => demande si $1serait possible
(?:c'est |un peu |bien |beaucoup )*trop (cher|tard|tôt|loin|long|court|petit|grand|élevé|risqué) => malheureusement, c'est trop $1 pour moi
(?:le )?prix trop élevé => malheureusement, le prix est trop élevé
(?:un grand |encore )?merci (pour|de|d') ?(.+) => remercie pour $2
(?:désolée?|pardon) (?:pour|de|d') ?(.+) => excuse-toi pour $1
(?:bravo|félicitations) pour (.+) => félicite pour $1
((?:la|le|les|l'|ma|mon|mes) ?\\p{L}+) (?:en pièce jointe|ci-jointe?s?|joint|jointe|en PJ) => je joins $1 à ce message
(?:en pièce jointe|ci-joint|joindre) ((?:la|le|les|l'|ma|mon|mes) ?\\p{L}+) => je joins $1 à ce message
(?:bises|bisous|salutations|bonjour) à (.+) => j'embrasse aussi $1
accepte[rz]? (?:avec plaisir|volontiers) => accepte
joindre (.+) => je joins $1 à ce message
(hâte de .+) => j'ai $1
(?:besoin (?:de |d')) ?(.+) => j'ai besoin de $1
(pas (?:disponible|dispo|libre|intéressée?|sûre?).*) => je ne suis $1
(malade|en vacances|en déplacement|absente?|occupée?|disponible|ravie?|contente?|coincée?|en réunion)(.*) => je suis $1$2
(dois|peux(?!-tu)|veux(?!-tu)|vais|viens(?!-tu)|serai|préfère|préférerais|pense|espère|arrive|apporte|ramène) (.+) => je $1 $2
(?:quelle heure|à quelle heure)\\s?\\?* => demande à quelle heure
`),
  es: rows(`
(?:preferiblemente|a ser posible|si puede ser) (${ES_DAY}) => propón $1
(${ES_DAY})no => di que lamentablemente no puedo $1
(a las? \\d{1,2}(?:[:.]\\d\\d)? (?:en|delante|frente|junto) .+) => nos vemos $1
(?:pero )?no ((?:antes|después) de ${ES_DAY}) => di que $1 no puedo
(?:pero )?s[oó]lo ((?:a partir de |después de |antes de |por |el )${ES_DAY}) => di que solo puedo $1
(?:sí|si|vale|ok|de acuerdo)[ ,]+(?:a|con|para|al) (${ES_DAY}) => acepta $1
no (?:a|al) (.+) => rechaza $1
(${ES_DAY})(?:vale|ok|está bien|perfecto|me va bien|bien|me viene bien) => acepta $1
(${ES_DAY})(?:imposible|no puedo|no es posible|no me va bien|no me viene bien|mal) => di que lamentablemente $1no me viene bien
(?:no puedo|imposible) (${ES_DAY}) => di que lamentablemente no puedo $1
(?:mejor|quizás|quizá|tal vez|o|o mejor) (${ES_DAY})\\?* => propón $1
(${ES_DAY})(?:mejor|sería mejor)\\?* => propón $1
¿?(${ES_DAY})(?:es posible|posible|vale|ok)\\? => pregunta si $1sería posible
(?:es |está |un poco |muy )*(?:demasiado|muy) (caro|cara|tarde|pronto|lejos|largo|corto|pequeño|grande|alto|arriesgado) => lamentablemente, es demasiado $1
(?:el )?precio (?:demasiado|muy) alto => lamentablemente, el precio es demasiado alto
(?:muchas )?gracias por (.+) => agradece $1
(?:perdón|lo siento|disculpas?) por (.+) => pide perdón por $1
(?:felicidades|enhorabuena) por (.+) => felicita por $1
((?:el|la|los|las|mi) \\p{L}+) adjunt[oa]s? => adjunto $1
(?:saludos|recuerdos|besos|un abrazo) a (.+) => mando saludos a $1
(?:perdona|perdón|disculpa|disculpe|siento|lo siento),? (?:por )?(el|la|los|las) (.+) => pide perdón por $1 $2
(?:aceptar?|acepte) (?:encantad[oa]|con (?:mucho )?gusto) => acepta
adjuntar (.+) => adjunto $1
(ganas de .+) => tengo $1
(necesito|tengo|estoy|estaré|prefiero|voy|llevo|llego|puedo|quiero|pagué|recibí|mandé|envié|llamo|llamaré|encantad[oa].*)( .+)? => $1$2
(enferm[oa]|ocupad[oa]|de viaje|de vacaciones|fuera|liado|liada|libre|disponible)(.*) => estoy $1$2
`),
  it: rows(`
(?:preferibilmente|possibilmente|se possibile) (${IT_DAY}) => proponi $1
(stasera|stamattina|oggi|domani) no => di' che purtroppo $1 non posso
(alle \\d{1,2}(?:[:.]\\d\\d)? (?:davanti|al|alla|in|da|all['’]) ?.+) => ci vediamo $1
(?:ma )?non ((?:prima|dopo) (?:di |delle |le |del |dell['’])?${IT_DAY}) => di' che $1 non posso
(?:ma )?(?:solo|soltanto) ((?:dopo |prima di |prima delle |dalle |da |di |il )${IT_DAY}) => di' che posso solo $1
(?:sì|si|ok|va bene|d'accordo)[ ,]+(?:per|a|con) (${IT_DAY}) => accetta $1
no (?:a|al|per) (.+) => rifiuta $1
(${IT_DAY})(?:ok|va bene|perfetto|mi va bene|bene) => accetta $1
(${IT_DAY})(?:impossibile|non posso|non va|non mi va bene|no) => di' che purtroppo $1non mi va bene
(?:non posso|impossibile) (${IT_DAY}) => di' che purtroppo non posso $1
(?:meglio|magari|piuttosto|forse|oppure|o) (${IT_DAY})\\?* => proponi $1
(${IT_DAY})(?:meglio|sarebbe meglio|invece)\\?* => proponi $1
(${IT_DAY})(?:è possibile|possibile|ok|va bene)\\? => chiedi se $1sarebbe possibile
(?:è |un po' |davvero )*troppo (caro|cara|tardi|presto|lontano|lungo|corto|piccolo|grande|alto|rischioso) => purtroppo è troppo $1
(?:il )?prezzo troppo alto => purtroppo il prezzo è troppo alto
(?:tante |mille )?grazie del (.+) => ringrazia per il $1
(?:tante |mille )?grazie della (.+) => ringrazia per la $1
(?:tante |mille )?grazie (per|di) (.+) => ringrazia per $2
(?:scusa|scusi|mi dispiace|scuse) per (.+) => scusati per $1
(?:complimenti|congratulazioni|auguri) per (.+) => congratulati per $1
((?:il|la|lo|i|le|l'|la mia|il mio) ?\\p{L}+) (?:in allegato|allegat[oaie]) => allego $1
(?:saluti|un saluto|un bacio) a (.+) => mando un saluto a $1
(?:scus[ai]|scusate|mi dispiace|mi spiace) (?:per )?((?:il|la|lo|le|i|l') ?.+) => scusati per $1
accettare? volentieri => accetta
allegare (.+) => allego $1
(?:non vedo l'ora)(.*) => non vedo l'ora$1
(?:bisogno di|serve|mi serve) (.+) => ho bisogno di $1
(malat[oa]|occupat[oa]|in viaggio|in ferie|in vacanza|fuori|liber[oa]|disponibile|impegnat[oa])(.*) => sono $1$2
`),
  pt: rows(`
(?:de preferência|se possível) (${PT_DAY}) => propõe $1
(às? \\d{1,2}(?:h\\d{0,2}|:\\d\\d)? (?:n[oa]|em|à|ao) .+) => encontramo-nos $1
(?:mas )?não ((?:antes|depois) d[aeo]s? ${PT_DAY}) => diz que $1 não posso
(?:mas )?só ((?:a partir d[aeo]s? |depois d[aeo]s? |antes d[aeo]s? |de |no |na )${PT_DAY}) => diz que só posso $1
(?:sim|ok|está bem|combinado)[ ,]+(?:para|a|à|ao|com) (${PT_DAY}) => aceita $1
não (?:a|à|ao) (.+) => recusa $1
(${PT_DAY})(?:ok|está bem|pode ser|perfeito|dá|serve) => aceita $1
(${PT_DAY})(?:impossível|não posso|não dá|não é possível) => diz que infelizmente $1não me dá jeito
(?:não posso|impossível) (${PT_DAY}) => diz que infelizmente não posso $1
(?:melhor|talvez|antes|ou) (${PT_DAY})\\?* => propõe $1
(${PT_DAY})(?:melhor|seria melhor)\\?* => propõe $1
(${PT_DAY})(?:é possível|possível|pode ser)\\? => pergunta se $1seria possível
(?:é |está |um pouco |muito )*(?:demasiado|muito) (caro|cara|tarde|cedo|longe|longo|curto|pequeno|grande|alto|arriscado) => infelizmente, é demasiado $1
(?:o )?preço (?:demasiado|muito) alto => infelizmente, o preço é demasiado alto
(?:muito )?obrigad[oa] (?:por|pel[oa]s?) (.+) => agradece $1
(?:desculpas?|perdão|lamento) (?:por|pel[oa]s?) (.+) => pede desculpa por $1
parabéns (?:por|pel[oa]) (.+) => dá os parabéns por $1
((?:o|a|os|as) \\p{L}+) em anexo => envio $1 em anexo
(?:cumprimentos|beijinhos|um abraço) (?:a|ao|à) (.+) => envio cumprimentos a $1
desculp[ae] ((?:o|a|os|as) .+) => pede desculpa por $1
aceitar? com (?:muito )?(?:gosto|prazer) => aceita
anexar (.+) => envio $1 em anexo
(doente|ocupad[oa]|em viagem|de férias|fora|livre|disponível)(.*) => estou $1$2
`),
  nl: rows(`
bied (?:hem |haar |ze )?(.+?) aan => stel $1 voor
(?:liefst|bij voorkeur|het liefst) (${NL_DAY}) => stel $1 voor
(om \\d{1,2}(?:[:.]\\d\\d)?(?: uur)? (?:bij|op|in|aan|voor) .+) => we zien elkaar $1
(?:maar )?niet ((?:voor|na) ${NL_DAY}) => $1 kan ik helaas niet
(?:maar )?(pas|alleen) (${NL_DAY}) => ik kan $1 $2
(?:ja|ok|oké|akkoord)[ ,]+(?:voor|met|op|tegen) (${NL_DAY}) => ga akkoord met $1
nee (?:tegen|voor) (.+) => sla $1 af
(?:ja )?(${NL_DAY})(?:prima|ok|oké|kan wel|wel) => accepteer $1
(${NL_DAY})(?:kan niet|past niet|lukt niet|gaat niet|onmogelijk|niet|kan ik niet|komt niet uit) => $1lukt helaas niet
(?:kan|kunnen) (${NL_DAY})(?:helaas )?niet => $1kan ik helaas niet
(?:liever|beter|misschien|anders|of) (${NL_DAY})\\?* => stel $1 voor
(${NL_DAY})(?:liever|beter|is beter|dan maar|in plaats daarvan)\\?* => stel $1 voor
(${NL_DAY})(?:mogelijk|ok|oké|goed)\\? => vraag of $1mogelijk is
(?:het is |dat is |veel |helaas )*te (duur|laat|vroeg|ver|lang|kort|klein|groot|veel|hoog|krap|riskant) => dat is helaas te $1
(?:de )?prijs (?:is )?te hoog => de prijs is helaas te hoog
(?:hartelijk )?(?:bedankt|dank|dank je|dank u|dankjewel) voor (.+?)(?: zeggen)? => bedank voor $1
(?:sorry|excuses) (?:zeggen )?voor (.+?)(?: zeggen)? => zeg sorry voor $1
(?:sorry|excuses) (?:zeggen )?dat (.+) => zeg sorry dat $1
(?:gefeliciteerd|proficiat) met (.+) => feliciteer met $1
((?:de|het|mijn) \\p{L}+) (?:bijgevoegd|als bijlage|in de bijlage|zit erbij) => ik heb $1 bijgevoegd
(ziek|op vakantie|druk|onderweg|op reis|vrij|blij|weg|net terug|niet thuis)( .*)? => ik ben $1$2
(?:groeten|groetjes|de groeten) aan (.+) => ik doe ook de groeten aan $1
(.+) (?:bijvoegen|meesturen) => ik heb $1 bijgevoegd
(?:wel )?(veel .+|een .+|succes.*) wensen => wens hem $1
zin in (.+) => ik heb zin in $1
(betaal|bel|stuur|breng|kom|neem|regel|boek|heb|ben|kan|moet|wil|hoop|vind|denk) (.+) => ik $1 $2
`),
};

/** Returns the whole instruction that a short one stands for ("too expensive"); null if it is not a known short form. */
export function whole(clause: string, language: string): string | null {
  const question = /\?\s*$/u.test(clause) ? "?" : "";
  const said = bare(clause);
  if (/[,;] /u.test(said.slice(said.search(/ /u) + 1))) return null;
  for (const [form, full] of SHORTS[language] ?? []) {
    const match = form.exec(said + question) ?? (question ? form.exec(said) : null);
    if (!match) continue;
    return full
      .replace(/[$@](\d)/gu, (mark, number: string) => {
        const text = bare(match[Number(number)] ?? "") === "" ? "" : (match[Number(number)] ?? "");
        return mark.startsWith("@") ? withArticle(text.trim(), language) : text;
      })
      .replace(/\s+/gu, " ")
      .trim();
  }
  return null;
}
