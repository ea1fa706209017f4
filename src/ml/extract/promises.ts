/**
 * The forms of promises in eight languages: someone of the writer's side will do something for the reader. Sentences are
 * read in the form of `plain` (cues.ts).
 */

const pattern = (source: string): RegExp => new RegExp(source, "u");
/** Without Unicode classes and looks behind, which make a pattern several times as slow. */
const ascii = (source: string): RegExp => new RegExp(source);
/** Neither within a word nor beside an apostrophe. JavaScript's \b knows ASCII letters only. */
const B = "(?<![\\p{L}\\p{N}'-])";
const E = "(?![\\p{L}\\p{N}])";

/** Verbs of doing something for someone. */
const DO =
  "(?:send|call|get|let|give|forward|make|check|look|try|follow|contact|talk|e-?mail|mail|message|text|ping|bring|work|take|put|meet|provide|prepare|review|discuss|ask|find|set|do|finish|complete|keep (?:you|everyone|everybody|all of you|an eye)|schedule|arrange|organi[sz]e|fax|write|draft|update|confirm|respond|reply|answer|handle|add|include|pay|transfer|refund|return|come|pick|drop|fix|deliver|ship|submit|share|post|upload|book|order|buy|sign|file|circulate|report|revise|correct|change|remove|cancel|reschedule|join|help|speak|start|push|raise|chase|sort|read|print|reserve|move|pass|swing|show|introduce|ensure|see to|see what|see if|have (?:it|this|that|them|the|a|an|my|our|something|someone|somebody)|be (?:back|there|in touch|sending|calling|bringing|working|getting|forwarding|reviewing|following|making|joining|looking into|happy to)|invite|present|host|chair|distribute|collect|compile|test|investigate|resend|email|ring|phone|drive|cook|cover|run|summari[sz]e|translate|redo|rework|reach out|dig|double-check|walk you|dial in|type|note|bill|invoice|credit|replace|repair|issue|notify|inform|advise|publish|release|merge|look into|attend|bring along|take care|come back|go through|go over|tell|mention|record|scan|copy|measure|plan|tidy|clean|hand|lend|loan|leave (?:the|a|it|you|your)|set aside|hold (?:it|the|a)|save (?:you|a)|stop by|come by|be with you|open|close|log|lead|moderate|facilitate|escalate|remind|nudge|loop|connect|demo|prep|supply|source|quote|estimate|design|build|create|implement|deploy|configure|install|commit|sketch|outline|proofread|edit|format|polish|gather|pull|hop|grab|swap|shift|extend|block|secure|negotiate|approve|authori[sz]e|process|settle|reimburse|repay|wire|feed|water|bake|pack|carry|load|pop|catch up|clarify|explain|address|resolve|action|track|monitor|watch|look after|think (?:about|it)|consider|rerun|retest|reinstall|restart|hit you|check in|pin|park|line up|sound out|firm up|wrap up|follow|liaise|consult|brief|train|teach|place|store|archive|delete|upgrade|switch|enable|disable|verify|validate|circle back|walk (?:you|everyone|them|us|the [a-z]+)|talk you|run you|compare|analy[sz]e|research|own)";
const ADVERB =
  "(?:also|then|just|definitely|certainly|gladly|quickly|personally|be sure to|make sure to|try to|try and|be able to|do my best to|now|still|happily|immediately|shortly|soon|today|tomorrow|of course|go ahead and|go and|in turn)";
const TIME =
  "(?:by|before|until|on|tomorrow|today|tonight|later|this (?:morning|afternoon|evening|week|weekend)|next|shortly|soon|as soon as|once|first thing|asap|right away|straight away|now|in (?:a|an|one|two|three|four|five|the|\\d)|within|after|at (?:the latest|noon|lunch|\\d)|over the weekend|end of|eod|[a-z]+day|when)";

/** Times that are certainly in the future, for the present tense. */
const SOON =
  "(?:by|before|tomorrow|today|tonight|later|this (?:morning|afternoon|evening|week)|next (?:week|month)|shortly|soon|as soon as|first thing|asap|right away|straight away|now|in a (?:bit|moment|minute|few)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|over the weekend|end of|eod)";

const ENGLISH: readonly RegExp[] = [
  ascii(
    `\\b(?:i|we)(?:'ll| will| shall|'m going to|'re going to| am going to| are going to|'m gonna| promise to| commit to| undertake to| plan to| intend to| aim to)(?: both| all| each)? (?:${ADVERB} )*${DO}\\b`,
  ),
  // "Will send it tonight."
  ascii(
    `^(?:(?:ok|okay|sure|yes|yep|great|perfect|fine|thanks|thank you|noted|understood|good point|no problem|(?:hi|hey|hello) [a-z]+)[,.!:–-] ?)?will (?:${ADVERB} )*${DO}\\b(?! (?:you|we|i|he|she|they|this|that|the)\\b[^.]{0,60}\\?)`,
  ),
  ascii(`\\b(?:i|we)\\b.{1,160}(?:,|\\band|\\bbut|\\bthen|\\bso)(?: then)? (?:will|shall) (?:${ADVERB} )*${DO}\\b`),
  // "Sending it tonight", "We're shipping on Monday".
  ascii(
    `(?:^(?:[^.?!]{0,25}[,:!–-] )?|\\b(?:i'm|i am|we're|we are) )(?:sending|forwarding|mailing|e-?mailing|shipping|posting|bringing|calling|booking|ordering|finishing|delivering|picking|dropping|paying|transferring|writing|uploading|submitting|circulating|getting (?:it|this|that|them|the|back)|putting)\\b(?!.*\\b(?:is|are|was|were|has|have|calls?)\\b).{0,120}\\b${SOON}\\b`,
  ),
  ascii(
    `\\b(?:i|we) (?:owe you|promise (?:you|that|it)|guarantee)\\b|\\byou (?:have|got) my word\\b|\\bcount on (?:me|us) (?:for|to)\\b`,
  ),
  ascii(
    "^(?:(?:ok|okay|sure|yes|yep|great|perfect|fine|thanks|got it|no problem)[,.!]? )?(?:will do|consider it done|on it|i'm on it|i am on it|leave (?:it|that|this) (?:to|with) (?:me|us))\\b",
  ),
  ascii("\\b(?:i'm|i am|we're|we are) on it\\b|\\bleave (?:it|that|this|the [a-z]+) (?:to|with) (?:me|us)\\b"),
  // "The contract will be with you by Friday."
  ascii(
    `\\b(?:will|'ll|should) (?:then |also |now |all )?(?:be (?:with you|in your (?:inbox|hands|mailbox)|on your desk|in the (?:post|mail)|sent|delivered|shipped|posted|paid|done|finished|ready|transferred|fixed|uploaded|completed|returned|refunded|live|circulated|submitted)|reach you|leave (?:us|our|here)|go out|arrive)\\b.{0,80}\\b${TIME}\\b`,
  ),
  ascii(
    `\\byou(?:'ll| will| should) (?:then |also )?(?:have|receive|get) (?:it|them|this|that|the|my|our|a|an|everything|both|all|your)\\b.{0,80}\\b${TIME}\\b|\\byou(?:'ll| will) (?:then )?hear (?:back )?from (?:me|us)\\b`,
  ),
  ascii(
    `\\b(?:you can |please )?expect (?:it|them|the|my|our|a|an)\\b.{0,60}\\b(?:by|tomorrow|today|tonight|next week|on [a-z]+day|[a-z]+day)\\b`,
  ),
  // "I should have it done by Friday."
  ascii(
    `\\b(?:i|we) should (?:be able to|have (?:it|this|that|them|the|a|an|my|our|your|something|everything))\\b.{1,80}\\b(?:by|tomorrow|tonight|before|on [a-z]+day|next week)\\b`,
  ),
  ascii(
    `\\blet me (?:just |first |quickly )?(?:check|find out|look|ask(?! you)|get back|confirm|dig|see (?:if|what|whether|how)|come back|follow up|talk to|speak to|double-check|verify|look into|run it|think about (?:it|that|this) and)\\b`,
  ),
  ascii(`^(?:[^.?!]{0,25}[,:!–-] )?(?:will be |be )?back to you\\b.{0,40}\\b${TIME}\\b`),
  // "Our office will send you the form."
  ascii(
    `\\b(?:will|'ll|is going to|are going to) (?:${ADVERB} )*(?:send|e-?mail|call|contact|forward|deliver|ship|phone|ring|text|invoice|bring|get back to|be in touch with|follow up with|reach out to|come back to)(?: it| them| the [a-z]+)?(?: over)?(?: to)? you\\b`,
  ),
];

/** A time after the verb makes a weak verb of the present tense a promise. */
const LATER_DE =
  "(?:noch|gleich|dann|nachher|später|bald|umgehend|sofort|heute|morgen|übermorgen|demnächst|spätestens|bis|sobald|nächste|kommende|am \\p{L}+tag|ende|im laufe|in \\p{L}+ (?:tag|woche|stunde|minute)\\p{L}*|am \\d)";
const STRONG_DE =
  "(?:schicken?|senden?|k[uü]mmere|k[uü]mmern|liefern?|liefere|erledigen?|[uü]berweisen?|besorgen?|[uü]bernehmen?|maile|mailen|bestellen?|buchen?|reservieren?|kl[aä]ren?|lass(?:e|en)? (?:dir|ihnen|euch|es dich|sie)|gebe (?:dir|ihnen|euch|das|es|die)|geben (?:dir|ihnen|euch)|melden? (?:mich|uns)|reichen?|leiten?|bringen?|organisieren?)";
const WEAK_DE =
  "(?:schreiben?|machen?|pr[uü]fen?|sprechen?|fragen?|schauen?|schau|sehen?|gehen?|zahlen?|bezahlen?|bereiten?|erstellen?|tragen?|best[aä]tigen?|informieren?|legen?|holen?|laden?|stellen?|kommen?|rufen?|nehmen?|setzen?|teilen?|korrigieren?|[aä]ndern?|aktualisieren?|geben?|melden?|drucken?|unterschreiben?|hinterlegen?|stimmen?|suchen?|fahren?|backen?|kaufen?|packen?|antworten?|lesen?|werfen?|repariere?n?|hänge?n?|lege)";

const GERMAN: readonly RegExp[] = [
  pattern(
    `${B}(?:ich|wir) (?:werde|werden)${E}(?! (?:gefragt|nicht|sehen|müssen|sein|wohl|wahrscheinlich|vielleicht)).{1,120}\\p{L}+e?n${E}(?<!${B}(?:sein|haben|müssen|können|dürfen|wollen))`,
  ),
  pattern(`${B}(?:werde|werden) (?:ich|wir) .{1,120}\\p{L}+e?n${E}(?<!${B}(?:sein|haben|müssen|können|dürfen|wollen))`),
  pattern(
    `${B}(?:ich|wir) (?:\\p{L}+ )?${STRONG_DE}${E}|${B}${STRONG_DE} (?:ich|wir)${E}|${B}(?:schicke?|sende|melde?|liefere|maile) (?:ich )?(?:dir|ihnen|euch|mich)${E}`,
  ),
  pattern(
    `${B}(?:ich|wir) ${WEAK_DE}${E}.{0,120}${B}${LATER_DE}${E}|${B}${LATER_DE}${E}.{0,60}${B}${WEAK_DE} (?:ich|wir)${E}`,
  ),
  pattern(`${B}${WEAK_DE} (?:ich|wir)${E}.{0,80}${B}${LATER_DE}${E}`),
  pattern(
    `${B}(?:ich|wir) ruf(?:en?)? (?:dich|sie|euch|ihn|dort|da|morgen|heute|gleich|nachher)${E}.{0,60}${B}(?:an|zurück)${E}|${B}(?:gebe?|geben|sage?|sagen) (?:ich|wir)?.{0,40}${B}bescheid${E}|${B}(?:ich|wir) .{0,60}${B}bescheid${E}`,
  ),
  pattern(
    `${B}ich (?!(?:wünsche|danke|schreibe|warte|freue|bitte|empfehle|hoffe|denke|glaube|finde|hätte|habe|würde|könnte|sollte|wollte|möchte)${E})\\p{L}+e (?:dir|ihnen|euch|dich|es|das|die|den)${E}.{0,120}${B}${LATER_DE}${E}`,
  ),
  pattern(
    `${B}(?:sie|du|ihr) (?:bekommen|bekommst|bekommt|erhalten|erhältst|erhaltet|kriegst|kriegt|hast|habt|haben)${E}.{0,80}${B}(?:bis|am|morgen|heute|übermorgen|spätestens|nächste|in den nächsten|umgehend)${E}|${B}(?:bekommen|erhalten|bekommst|kriegst) (?:sie|du|ihr)${E}.{0,80}|${B}(?:sie hören|du hörst) .{0,30}von (?:mir|uns)${E}`,
  ),
];

/** First persons of the future that promise nothing. */
const NOT_FR =
  "(?:serai|aurai|pourrai|devrai|saurai|voudrai|verrai|resterai|serons|aurons|pourrons|devrons|verrons|saurons)";
const PRO_FR = "(?:(?:vous|te|t'|lui|leur|l'|la|le|les|y|en|m'en|me|m'|nous) ?){0,3}";
const LATER_FR =
  "(?:demain|aujourd'hui|ce soir|cet après-midi|dès que|dès|bientôt|tout de suite|rapidement|dans (?:la|les|le|l'|une?|deux|trois|\\d)|d'ici|avant|après-demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|la semaine|en fin de|sous|au plus tard|pour (?:le|lundi|mardi|mercredi|jeudi|vendredi)|le \\d)";
const FRENCH: readonly RegExp[] = [
  pattern(`${B}(?:je |j'|nous )${PRO_FR}(?!${NOT_FR}${E})\\p{L}{2,}(?:rai|rons)${E}`),
  pattern(
    `${B}(?:je|nous|on) ${PRO_FR}(?:envoie|envoyons|renvoie|transmets|transmettons|rappelle|rappelons|tiens au courant|tenons au courant|tiens informé\\p{L}*|reviens vers|revenons vers|confirme rapidement|charge de|chargeons de|occupe(?! de \\p{L}+ depuis)|engage à|fais parvenir|faisons parvenir|fais signe|dépose|apporte|rapporte|ramène|recontacte|redis|dis (?:ça|cela|tout))${E}`,
  ),
  pattern(
    `${B}(?:je |j'|nous |on )${PRO_FR}(?:prépare|préparons|regarde|vérifie|vérifions|réserve|réservons|commande|commandons|règle|réglons|prends|prenons|appelle|appelons|passe|passons|paie|payons|fais|faisons|finis|termine|terminons|corrige|corrigeons|livre|livrons|réponds|répondons|confirme|confirmons|écris|écrivons|donne|donnons|mets|mettons|viens|imprime|partage|relis|achète|dis|poste|organise|contacte)${E}.{0,120}${B}${LATER_FR}${E}`,
  ),
  pattern(
    `${B}${LATER_FR}${E}.{0,30}${B}(?:je |j'|nous |on )${PRO_FR}(?:prépare|regarde|vérifie|réserve|commande|règle|prends|appelle|passe|paie|fais|finis|termine|corrige|livre|livrons|réponds|confirme|écris|donne|mets|viens|relis|dis)${E}`,
  ),
  pattern(
    `${B}(?:je|on) (?:te |vous |t')(?:le |la |les |l'|en )?(?!(?:écris|écrit|attends|attend|souhaite|remercie|prie|demande|vois|voit|laisse|félicite|embrasse|conseille|rappelle que|ai|avais|as|serais)${E})\\p{L}+(?:e|s|t|ds|ts)${E}.{1,120}${B}${LATER_FR}${E}`,
  ),
  pattern(
    `${B}(?:je vais|nous allons|on va) (?:(?:bien |tout de suite |aussi |vous |te |t'|le |la |les |l'|lui |leur |y |en |m'en |me )*)(?!(?:être|avoir|bien|devoir|pouvoir|rester|voir)${E})\\p{L}+(?:er|ir|re|oir)${E}`,
  ),
  pattern(
    `${B}(?:vous |tu )(?:(?:l'|les |le |la |en )?(?:aurez|auras|recevrez|recevras)|(?:recevez|reçois) ).{0,80}${B}${LATER_FR}${E}`,
  ),
];

const LATER_ES =
  "(?:mañana|hoy|esta (?:tarde|noche|semana)|pasado mañana|en cuanto|cuando|pronto|luego|después|enseguida|antes|el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|\\d|próximo)|la (?:próxima )?semana|a lo largo|dentro de|en (?:un|una|dos|tres|\\d)|a fin|a primera|sin falta|para el)";
const NOT_ES =
  "(?:seré|estaré|tendré|podré|deberé|habré|querré|sabré|veré|necesitaré|seremos|estaremos|tendremos|podremos|veremos|necesitaremos|sabremos)";
const SPANISH: readonly RegExp[] = [
  pattern(
    `${B}(?!${NOT_ES}${E})\\p{L}+(?:aré|eré|iré|dré|arré|berré|aremos|eremos|iremos|dremos)${E}|${B}(?:diré|haré|haremos|diremos)${E}`,
  ),
  pattern(
    `${B}(?:te|le|les|os|se) (?:lo |la |los |las )?(?:env[ií]o|mando|llamo|confirmo|aviso|paso|contesto|digo|traigo|llevo|dejo|reenvío|comento|cuento|escribo (?:mañana|cuando|en cuanto|luego)|enviamos|mandamos|llamamos|confirmamos|avisamos|pasamos|llevamos|doy|ingreso|transfiero)${E}|${B}(?:me (?:encargo|ocupo|comprometo)|nos (?:encargamos|ocupamos)|cuenta con(?:migo| ello))${E}`,
  ),
  pattern(
    `${B}(?:lo |la |los |las )?(?:envío|mando|preparo|reservo|compro|pago|reviso|miro|hablo|termino|hago|entrego|traigo|llevo|paso|subo|imprimo|corrijo|respondo|confirmo|pido|busco|recojo|entregamos|enviamos|terminamos|mandamos|preparamos|revisamos)${E}.{0,100}${B}${LATER_ES}${E}|${B}${LATER_ES}${E}.{0,30}${B}(?:lo |la |los |las )?(?:envío|mando|preparo|reservo|compro|pago|reviso|miro|hablo|termino|hago|entrego|traigo|llevo|paso|subo|corrijo|respondo|confirmo|pido|recojo|entregamos|enviamos|terminamos)${E}`,
  ),
  pattern(
    `${B}(?:te|le|les|os) (?:lo |la |los |las )?(?!(?:espero|veo|deseo|pido|ruego|agradezco|recuerdo|escribo|felicito|recomiendo|quiero)${E})\\p{L}{3,}o${E}.{0,120}${B}${LATER_ES}${E}|${B}${LATER_ES}${E}.{0,30}${B}(?:te|le|les|os) (?:lo |la |los |las )?(?!(?:espero|veo|deseo|pido|ruego|agradezco|recuerdo|escribo|felicito|recomiendo|quiero)${E})\\p{L}{3,}o${E}`,
  ),
  pattern(
    `${B}(?:voy|vamos) a (?!(?:ser|estar|tener|poder|necesitar|ver|ir|dejar)${E})\\p{L}+r(?:te|le|les|os|lo|la|los|las|se|selo|telo|sela)?${E}`,
  ),
  pattern(
    `${B}(?:(?:lo|la|los|las) )?(?:tendrás|tendrá|tendréis|recibirás|recibirá|recibiréis|tendrán)${E}.{0,80}${B}(?:${LATER_ES}|en tu|en su)${E}`,
  ),
];

const LATER_IT =
  "(?:domani|oggi|stasera|stamattina|dopodomani|entro|appena|quando|presto|subito|poi|dopo|prima|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|la (?:prossima )?settimana|il \\d|in (?:giornata|serata|settimana)|nel pomeriggio|tra|fra|a breve|quanto prima|al più presto)";
const NOT_IT = "(?:sarò|avrò|dovrò|potrò|vorrò|saprò|vedrò|saremo|avremo|dovremo|potremo|vedremo|però|sapremo)";
const ITALIAN: readonly RegExp[] = [
  pattern(`${B}(?!${NOT_IT}${E})\\p{L}+(?:erò|arò|irò|rrò|drò|eremo|aremo|iremo|rremo)${E}`),
  pattern(
    `${B}(?:ti|vi|le|glielo|gliela|glieli|te lo|te la|te li|te le|ve lo|ve la|gli) (?:mando|invio|giro|chiamo|richiamo|faccio sapere|faccio avere|confermo|porto|aggiorno|spedisco|inoltro|mandiamo|inviamo|facciamo (?:sapere|avere)|spediamo|confermiamo|so dire|dico|do)${E}|${B}(?:me ne occupo|mi occupo io|ci penso io|ce ne occupiamo|ci occupiamo|(?:la|lo|vi|ti|li|le) (?:avviso|avvisiamo|avverto)|provvedo|provvediamo|provvederò|mi impegno)${E}`,
  ),
  pattern(
    `${B}(?:lo |la |li |le |ti |vi |gli )?(?:mando|invio|spedisco|preparo|prenoto|compro|pago|controllo|guardo|parlo|finisco|faccio|consegno|porto|passo|carico|stampo|correggo|rispondo|confermo|ordino|cerco|ritiro|verifico|scrivo|consegniamo|inviamo|spediamo|finiamo|mandiamo|prepariamo|controlliamo)${E}.{0,100}${B}${LATER_IT}${E}|${B}${LATER_IT}${E}.{0,30}${B}(?:lo |la |li |le |ti |vi |gli )?(?:mando|invio|spedisco|preparo|prenoto|compro|pago|controllo|guardo|parlo|finisco|faccio|consegno|porto|passo|rispondo|confermo|ordino|ritiro|verifico|scrivo|consegniamo|inviamo|spediamo)${E}`,
  ),
  pattern(
    `${B}(?:ti|vi|le|gli) (?:lo |la )?(?!(?:aspetto|vedo|auguro|chiedo|prego|ringrazio|ricordo|scrivo|saluto|consiglio|dispiaccio|ho|sono|posso)${E})\\p{L}{3,}o${E}.{0,120}${B}${LATER_IT}${E}|${B}${LATER_IT}${E}.{0,30}${B}(?:ti|vi) (?:lo |la )?(?!(?:aspetto|vedo|auguro|chiedo|prego|ringrazio|ricordo|scrivo|saluto|consiglio|sono|posso)${E})\\p{L}{3,}o${E}`,
  ),
  pattern(
    `${B}(?:lo |la |li |le |l')?(?:avrai|avrà|avrete|riceverai|riceverà|riceverete)${E}.{0,80}${B}${LATER_IT}${E}`,
  ),
];

const LATER_PT =
  "(?:amanhã|hoje|esta (?:tarde|noite|semana)|depois|logo|assim que|quando|em breve|já|ainda|até|antes|na (?:segunda|terça|quarta|quinta|sexta|próxima)|no (?:sábado|domingo|dia|fim)|segunda|terça|quarta|quinta|sexta|dentro de|daqui a|em (?:um|uma|dois|duas|três|\\d)|para a semana|a \\d|dia \\d|sem falta|o mais tardar|o quanto antes)";
const NOT_PT =
  "(?:serei|estarei|terei|poderei|deverei|saberei|verei|seremos|estaremos|teremos|poderemos|veremos|deveremos)";
const PORTUGUESE: readonly RegExp[] = [
  pattern(
    `${B}(?!${NOT_PT}${E})\\p{L}+(?:arei|erei|irei|direi|farei|trarei|porei|aremos|eremos|iremos)${E}|${B}(?:farei|direi|trarei|porei)${E}|${B}\\p{L}+r?-(?:lhe|te|vos|lo|la|los|las|lhes)-(?:ei|emos)${E}`,
  ),
  pattern(
    `${B}(?:vou|iremos) (?:já |também |então |agora |ainda )?(?:te |lhe |vos )?(?!(?:ser|estar|ter|poder|precisar|ver|ficar|dever|falar (?!com)\\p{L}+)${E})\\p{L}+r(?:-te|-lhe|-vos|-lo|-la)?${E}|${B}vamos (?:enviar|mandar|tratar|fazer|ligar|confirmar|verificar|preparar|pagar|entregar|responder|corrigir|devolver|reembolsar|substituir)${E}`,
  ),
  pattern(
    `${B}(?:envio|mando|ligo|confirmo|trago|levo|faço|passo|digo|aviso|respondo|entrego|reenvio|encaminho|deixo|dou|devolvo|transfiro|empresto|enviamos|mandamos|ligamos|entregamos|confirmamos|avisamos)-(?:lhe|te|vos|lho|lha|to|ta|lhes|o|a|os|as)${E}|${B}(?:eu )?(?:te|lhe|vos) (?:envio|mando|ligo|confirmo|trago|levo|passo|digo|aviso|respondo|entrego|dou|retorno)${E}|${B}(?:trato (?:disso|eu)|eu trato|tratamos (?:disso|d[eoa]s?)|trato d[oa]s? \\p{L}+ (?:amanhã|hoje|já)|fico de|encarrego-me|deixa comigo|deixe comigo|pode contar comigo)${E}`,
  ),
  pattern(
    `${B}(?:envio|mando|ligo|confirmo|trago|levo|passo|aviso|respondo|entrego|reservo|compro|pago|preparo|vejo|verifico|acabo|termino|marco|peço|corrijo|imprimo|enviamos|entregamos|mandamos|respondemos|terminamos|preparamos|pago)${E}.{0,100}${B}${LATER_PT}${E}|${B}${LATER_PT}${E}.{0,30}${B}(?:já |te |lhe |vos )?(?:envio|mando|ligo|confirmo|trago|levo|passo|aviso|respondo|entrego|reservo|compro|pago|preparo|vejo|verifico|acabo|termino|marco|enviamos|entregamos|mandamos)${E}`,
  ),
  pattern(
    `${B}(?!(?:espero|vejo|desejo|peço|agradeço|lembro|escrevo|felicito|quero)-)\\p{L}{3,}o-(?:te|lhe|vos|lhes|o|a|os|as|lo|la)${E}`,
  ),
  pattern(
    `${B}(?:(?:tê-lo|tê-la)-(?:á|ás)|terás|terá|receberá|receberás|vai receber|vais receber|fica pronto|fica pronta|ficará pronto|ficará pronta|ficam prontos|ficam prontas)${E}.{0,80}${B}${LATER_PT}${E}`,
  ),
];

const LATER_NL =
  "(?:morgen|vandaag|vanavond|vanmiddag|overmorgen|straks|zo|nog|dan|later|zodra|binnenkort|uiterlijk|voor|vóór|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|volgende|deze week|eind|over|binnen|op \\d|direct|meteen|even)";
const WEAK_NL =
  "(?:stuur|sturen|mail|mailen|bel|bellen|breng|brengen|regel|regelen|lever|leveren|maak|maken|check|controleer|bestel|bestellen|boek|boeken|reserveer|haal|schrijf|vraag|kijk|zoek|stort|betaal|zet|pak|neem|nemen|geef|geven|kom|komen|antwoord|bevestig|laat|werk|lees|print|koop|overleg|spreek|zorg|zorgen)";
const DUTCH: readonly RegExp[] = [
  pattern(
    `${B}(?:ik|wij|we) (?:zal|zullen|ga|gaan)${E}(?! (?:ervan|akkoord|niet|graag akkoord)).{1,100}\\p{L}+en${E}|${B}(?:zal|zullen) (?:ik|wij|we)${E}.{1,100}\\p{L}+en${E}`,
  ),
  pattern(
    `${B}(?:ik|wij|we) (?:stuur|sturen|mail|mailen|bel|bellen|breng|brengen|laat|geef) (?:je|u|jullie|het|de|dat|hem|haar|ze|even|nog)${E}|${B}(?:stuur|mail|bel|breng|laat|geef|lever) (?:ik|wij|we) (?:je|u|jullie|het|de|dat|hem|haar|ze)${E}|${B}(?:ik|wij|we) (?:regel|regelen|zorg|zorgen|neem|nemen|pak) (?:dat|het|dit|ervoor|contact|voor|de|even)${E}`,
  ),
  pattern(
    `${B}(?:ik|wij|we) ${WEAK_NL}${E}.{0,100}${B}${LATER_NL}${E}|${B}${LATER_NL}${E}.{0,40}${B}${WEAK_NL} (?:ik|wij|we)${E}`,
  ),
  pattern(
    `${B}(?:ik|wij|we) (?:kom|komen)${E}.{0,40}${B}(?:terug|langs)${E}|${B}kom (?:er|hier|daar) ?op terug${E}|${B}(?:laat|laten) (?:ik|wij|we) (?:het|je|u|jullie)${E}|${B}ik (?!(?:wens|zie|verwacht|vraag|dank|verzoek|raad|heb|had|kan|wil|zou|ben)${E})\\p{L}+ (?:je|u|jullie)${E}.{0,100}${B}${LATER_NL}${E}`,
  ),
  pattern(
    `${B}(?:je|u|jullie) (?:krijgt|krijg|ontvangt|hebt|heeft|hoort|hoor)${E}.{0,80}${B}(?:${LATER_NL}|van (?:mij|ons))${E}`,
  ),
];

/** Polite verbs of doing something, which stand at the end of a clause. */
const JAPANESE: readonly RegExp[] = [
  pattern(
    "(?:お送り|送付|ご?連絡|お電話|ご?報告|お届け|提出|ご?確認|対応|手配|ご?準備|ご?用意|ご?共有|お持ち|ご?返信|お返事|ご?回答|検討|修正|ご?予約|お渡し|作成|ご?返送|ご?納品|発送|出荷|ご?返金|お支払い|入金|お振り込み|転送|ご?説明|相談|ご?提案|参加|更新|掲載|公開|お調べ|お知らせ|お伝え|お見せ|ご?返却|お返し|お預かり)(?:させていただきます|いたします|致します|します|する予定です|いたしますので|しますので)|(?:送り|届け|調べ|伺い|仕上げ|支払い|振り込み|持って行き|持っていき|持参し|間に合わせ|電話し|書き|直し|払い|お返しし|やっておき|しておき|送っておき)ます|(?:お送り|ご連絡|お届け|ご報告|提出|納品|発送|返信)(?:できます|できる予定です|できる見込みです|になります)",
  ),
];

/** Words of English that the other languages do not have. */
const ENGLISH_WORDS =
  "\\b(?:the|you|your|are|and|have|this|that|with|for|they|it|to(?!-)|not|can|my|from|be|if|what|how|why|there|here|just|some|would|could|should|i['’]m|i['’]ll|it['’]s|don['’]t|been)\\b";
const HAS_ENGLISH = new RegExp(ENGLISH_WORDS, "i");
const MUCH_ENGLISH = new RegExp(`(?:${ENGLISH_WORDS}[^]{0,120}?){4}`, "i");
const SAMPLE_CHARS = 400;
/** Returns whether a sentence is certainly in English, by cheap signs. */
export const isEnglish = (sentence: string): boolean => HAS_ENGLISH.test(sentence);

/** The forms of a language, and a cheap pattern without which none of them matches. */
export interface PromiseForms {
  language: string;
  hint: RegExp;
  forms: readonly RegExp[];
}

const PROMISES: readonly PromiseForms[] = [
  {
    language: "en",
    hint: /['’]ll\b|\b(?:will|shall|gonna|going to|promise|commit|undertake|plan to|intend to|aim to|owe|guarantee|expect|should (?:have|be able)|let me|on it|leave (?:it|that|this|the)|count on|my word|back to you|consider it)\b|\b(?:send|forward|mail|shipp?|post|bring|call|book|order|finish|deliver|pick|dropp|pay|transferr|writ|upload|submitt|circulat|gett|putt)ing\b/i,
    forms: ENGLISH,
  },
  {
    language: "de",
    hint: /\b(?:ich|wir|bescheid|bekommen|bekommst|erhalten|kriegst|h[öo]ren|h[öo]rst)\b/i,
    forms: GERMAN,
  },
  {
    language: "fr",
    hint: /\b(?:je|nous)\b|\bj['’]|\bon (?:te|vous|va|le|la|les|lui|revient|fait|règle|prépare|vérifie|livre|envoie|passe)\b|\bon [tl]['’]|\b(?:vous|tu) (?:(?:les?|la|en) |l['’])?(?:aure|aura|recev)/i,
    forms: FRENCH,
  },
  {
    language: "es",
    hint: /r(?:é|emos)(?![a-z])|\b(?:te|les?|os|se|los?|las?|me|nos) (?:(?:los?|las?) )?(?:[a-zñ]+(?:o|mos)\b|env|doy|tendr|recib)|\b(?:voy|vamos|cuenta con|tendr|recibir|env[ií]o|mando|preparo|reservo|compro|pago|reviso|miro|hablo|termino|hago|entreg|traigo|llevo|paso|subo|imprimo|corrijo|respondo|confirmo|pido|busco|recojo|enviamos|mandamos|preparamos|revisamos)/i,
    forms: SPANISH,
  },
  {
    language: "it",
    hint: /r(?:ò|emo)(?![a-z])|\b(?:ti|vi|gli|gliel[oai]|[tv]e l[oaie]|lo|la|li|le) [a-z]|\b(?:me ne occupo|mi occupo|ci penso|ce ne|ci occup|provved|mi impegno|avrai|avr|ricever|mando|invio|invi|spedi|prepar|prenot|compro|pago|controll|guardo|parlo|fini|faccio|consegn|porto|passo|carico|stampo|correggo|rispondo|confermo|ordino|cerco|ritiro|verifico|scrivo|mandiamo)/i,
    forms: ITALIAN,
  },
  {
    language: "pt",
    hint: /r(?:ei|emos)(?![a-z])|o-(?:te|lhes?|vos|[oa]s?|l[oa])\b|-ei\b|-emos\b|\b(?:vou|iremos|vamos|fico de|trato|tratamos|encarrego|deixa comigo|deixe comigo|pode contar|ter[áa]|receber|vais? receber|fica(?:m|rá)? pront|envi|mand|ligo|ligamos|confirm|trago|levo|fa[çc]o|passo|digo|avis|respond|entreg|reenvio|encaminho|deixo|dou|devolvo|transfiro|empresto|retorno|reservo|compro|pago|prepar|vejo|verifico|acabo|termin|marco|pe[çc]o|corrijo|imprimo|t[eê]-l)/i,
    forms: PORTUGUESE,
  },
  {
    language: "nl",
    hint: /\b(?:ik|wij|je|u|jullie|we (?:zullen|gaan|zal|sturen|mailen|bellen|brengen|regelen|leveren|maken|laten|geven|nemen|komen|zorgen|boeken|bestellen|betalen|zetten|kijken|checken|zoeken|vragen|printen|kopen|overleggen))\b|\b(?:zullen|gaan|sturen|mailen|bellen|brengen|regelen|leveren|maken|laten|geven|nemen|komen|zorgen|zetten|kijken|vragen|bevestigen) we\b/i,
    forms: DUTCH,
  },
  { language: "ja", hint: /ます|予定です|見込みです/, forms: JAPANESE },
];

const ENGLISH_ONLY = PROMISES.slice(0, 1);
/** Returns the forms that a sentence may have. */
export const formsFor = (sentence: string): readonly PromiseForms[] => (isEnglish(sentence) ? ENGLISH_ONLY : PROMISES);
/** Returns the forms that the sentences of a text may have. */
export const formsIn = (text: string): readonly PromiseForms[] =>
  MUCH_ENGLISH.test(text.slice(0, SAMPLE_CHARS)) ? ENGLISH_ONLY : PROMISES;

/** The thing is in this mail, so nothing is left to promise. */
export const ATTACHED = pattern(
  `(?:^|${B})(?:anbei|hiermit|im anhang|beigefügt|angehängt|ci-joint|ci-jointe|ci-joints|en pièce jointe|en annexe|adjunt[oa]s?|adjuntamos|in allegato|allegat[oaie]|em anexo|anexo|segue|bijgevoegd|bijgaand|hierbij|in de bijlage|attached|enclosed|herewith)${E}|添付|同封|ましたので`,
);

/** Greetings and wishes that are "sent". */
export const WISHES = pattern(
  `${B}(?:un (?:fuerte )?abrazo|abrazos|(?:un )?besos?|saludos|recuerdos|um (?:grande |forte )?abraço|beijos?|beijinhos|um beijo|un (?:grande |forte )?abbraccio|(?:un )?bacio|baci|saluti|mes (?:meilleures? )?(?:salutations|pensées|vœux|voeux)|bisous|liebe grüße|viele grüße|grüße|groetjes|de groeten|my (?:love|best|regards)|this (?:e-?mail|mail|message|note)|ce (?:mail|message|courriel)|diese (?:e-?mail|mail|nachricht)|este (?:correo|mensaje|e-?mail)|esta mensagem|questa (?:mail|e-?mail)|questo messaggio|deze (?:mail|e-?mail))${E}`,
);
