import { type Act, bare, type Grammar, oneOf, pattern, type Reader, table } from "./act.ts";
import { withArticle } from "./articles.ts";

const NAME = "(?:(?:al? |el |la )?(?:Sra?\\. |señora? |don |doña )?(?-i:\\p{Lu})[\\p{L}'’-]+)";
const P = "^(?:(?:y|luego|después|también|además|por favor|amablemente|educadamente) )*";
const act = (source: string) => pattern(P + source);
const END = "(?=\\s*$|\\s*[.,;:!–-])";
const TO = `(?: (?:a (?:él|ella|ellos|ellas)|a ${NAME}))?`;
const WH =
  "(?:cuándo|cuando|dónde|donde|adónde|cómo|como|por qué|qué|quién(?:es)?|quien|cuál(?:es)?|cual|cuánt[oa]s?|cuant[oa]s?|a qué|de qué|en qué|hasta cuándo|desde cuándo|con quién|para cuándo|lo que)";

const TU = table(
  "es:eres está:estás ha:has va:vas puede:puedes quiere:quieres tiene:tienes debe:debes hace:haces viene:vienes dice:dices sabe:sabes da:das ve:ves sale:sales trae:traes conoce:conoces prefiere:prefieres necesita:necesitas piensa:piensas llega:llegas vuelve:vuelves sigue:sigues recibe:recibes vive:vives pone:pones cree:crees pide:pides lleva:llevas manda:mandas envía:envías llama:llamas pasa:pasas queda:quedas paga:pagas compra:compras trabaja:trabajas busca:buscas encuentra:encuentras acepta:aceptas firma:firmas confirma:confirmas come:comes toma:tomas usa:usas ayuda:ayudas espera:esperas gusta:gusta pueda:puedas quiera:quieras tenga:tengas venga:vengas sea:seas esté:estés haga:hagas haya:hayas necesite:necesites prefiera:prefieras viaja:viajas participa:participas asiste:asistes recomienda:recomiendas estaba:estabas tenía:tenías era:eras podría:podrías querría:querrías debería:deberías tendría:tendrías gustaría:gustaría podrá:podrás vendrá:vendrás tendrá:tendrás hará:harás estará:estarás irá:irás recibió:recibiste pudo:pudiste tuvo:tuviste llegó:llegaste vio:viste pagó:pagaste mandó:mandaste envió:enviaste hizo:hiciste dijo:dijiste fue:fuiste encontró:encontraste leyó:leíste quedan:quedan cocina:cocinas conduce:conduces duerme:duermes",
);
/** Subjunctive to infinitive, where the ending does not tell. */
const INFINITIVE = table(
  "empiece:empezar comience:comenzar traiga:traer venga:venir diga:decir haga:hacer ponga:poner salga:salir vaya:ir dé:dar sea:ser esté:estar tenga:tener vea:ver lea:leer corrija:corregir escriba:escribir reciba:recibir recoja:recoger envíe:enviar pague:pagar busque:buscar explique:explicar indique:indicar entregue:entregar responda:responder devuelva:devolver mueva:mover cuente:contar piense:pensar prepare:preparar añada:añadir permita:permitir imprima:imprimir compruebe:comprobar cierre:cerrar avise:avisar cambie:cambiar llegue:llegar aplace:aplazar adelante:adelantar retrase:retrasar incluya:incluir elija:elegir abra:abrir revise:revisar acerque:acercar suba:subir traduzca:traducir confirme:confirmar organice:organizar ayude:ayudar siga:seguir pida:pedir comparta:compartir ofrezca:ofrecer",
);
const HUMAN =
  "(?:llam|anim|tranquiliz|consol|visit|recog|invit|esper|ayud|av[ií]s|contact|felicit|acompañ|v[eé]o|ver[eé]|busc|llev|inform|entiend|record)";
const KIN = pattern(
  "\\b(?:mi|mis|nuestr[oa]s?|su|el|la|un|una) (?:\\p{Ll}+ )?(?:madre|padre|mujer|marido|esposa|esposo|hijo|hija|hermano|hermana|jefe|jefa|colega|compañer[oa]|amig[oa]|vecin[oa]|médico|niñ[oa]|cliente|clienta|abuel[oa]|tí[oa]|perro|gato|soci[oa]|abogad[oa])s?\\b",
);
const CLITICS = "(?:(?:no|ya|todavía|también|me|nos|lo|la|los|las|le|les|te|se|aún|sí) )*";
const ABLE = /^(?:puede|podría|podrá|debe|debería|tiene|quiere|necesita|prefiere|pueda|quiera|recibirá|tendrá)$/u;

/**
 * Returns text about the reader as text addressed to the reader. Formal address uses the third person, which most of
 * the text has already. @param subject whether a verb without a subject speaks of the reader
 */
function toReader(text: string, reader: Reader, subject: "always" | "able"): string {
  if (KIN.test(text)) return text;
  const ella = "(?:él|ella|ellos|ellas)";
  if (reader.formal || reader.several) {
    return text
      .replace(
        pattern(`\\b(a|para|con|de|por) ${ella}\\b`, "giu"),
        (_, word) => `${word} usted${reader.several ? "es" : ""}`,
      )
      .replace(pattern(`\\b${ella} (?=${CLITICS}\\p{L}+)`, "giu"), "");
  }
  let used = text
    .replace(pattern(`\\bcon ${ella}\\b`, "giu"), "contigo")
    .replace(pattern(`\\b(a|para|de|por|en) ${ella}\\b`, "giu"), "$1 ti")
    .replace(pattern("\\bse (l[oa]s?) (\\p{L}{2,}[ae])(?!\\p{L})", "giu"), "te $1 $2s")
    .replace(pattern("\\bse (?=(?:lo|la|los|las) )", "giu"), "te ")
    .replace(pattern("\\bles? (?=\\p{L}+)", "giu"), "te ")
    .replace(pattern(`\\b(?:lo|la) (?=${HUMAN}\\p{L}*(?:o|é|amos|emos|imos)\\b)`, "giu"), (word: string, at: number) =>
      pattern("\\b(?:el|la|un|una|mi|tu|su) \\p{L}{3,}|\\b(?:te|se|me|nos) $").test(text.slice(0, at)) ? word : "te ",
    )
    .replace(pattern("(\\p{L}{2,}r)le\\b", "giu"), "$1te")
    .replace(pattern("(\\p{L}{2,}r)se(l[oa]s?)\\b", "giu"), "$1te$2")
    .replace(
      pattern(
        `\\b(${oneOf("llamar animar tranquilizar consolar visitar recoger invitar esperar ayudar avisar contactar felicitar acompañar ver buscar llevar conocer")})l[oa]\\b`,
        "giu",
      ),
      "$1te",
    )
    .replace(pattern("\\bsu(s?) (?=\\p{L})", "giu"), "tu$1 ")
    .replace(pattern("\\bsuy([oa]s?)\\b", "giu"), "tuy$1");
  const become = (verb: string) => TU.get(verb.toLowerCase()) ?? verb;
  const first = pattern(
    `^((?:${WH} (?:(?!(?:quiere|puede|tiene|necesita|prefiere|debe|va|piensa) )\\p{Ll}+ )?|lo que |que )?)(${ella} )?(${CLITICS})(\\p{L}+)`,
  ).exec(used);
  if (first && (first[2] !== undefined || subject === "always" || ABLE.test(first[4]!))) {
    const noun =
      subject === "always" &&
      pattern("^\\s+(?:el|la|los|las|un|una|mi|nuestr[oa]|eso|esto|todo)\\b").test(used.slice(first[0].length)) &&
      !ABLE.test(first[4]!) &&
      !pattern("^(?:prefiere|recibe|trae|lleva|manda|envía|conoce|ve|quiere|recibió|vio|encuentra|encontró)$").test(
        first[4]!,
      );
    const impersonal =
      (pattern("\\bse $").test(first[3]!) && pattern("^(?:puede|pueden|debe|hace|necesita|paga)$").test(first[4]!)) ||
      pattern("^cuánt[oa]s? (?:páginas|metros|plazas|habitaciones|palabras|horas|kilos|personas) $").test(first[1]!);
    if (
      TU.has(first[4]!.toLowerCase()) &&
      !impersonal &&
      !(noun && !first[2]) &&
      !(
        pattern("\\b(?:te) $").test(first[3]!) &&
        pattern("^(?:viene|va|parece|gusta|queda|interesa|apetece|da|hace|gustaría|sirve|importa)$").test(first[4]!)
      )
    ) {
      used =
        first[1]! +
        first[3]!.replace(pattern("\\bse\\b", "giu"), "te") +
        become(first[4]!) +
        used.slice(first[0].length);
    }
  }
  used = used.replace(
    pattern(`\\b((?:si|que|cuando|y|o|y si|y que) )(${CLITICS})(\\p{L}+)(?! (?:el|la|los|las|un|una)\\b)`, "giu"),
    (whole, link: string, clitics: string, verb: string, at: number) => {
      const isOwn = ABLE.test(verb) || /^(?:tenga|venga|llegue|esté)$/u.test(verb);
      return at > 0 && isOwn && TU.has(verb) ? link + clitics + become(verb) : whole;
    },
  );
  return used;
}

const VERB = pattern(
  "\\b(?:adjunto|sigue|siguen|fue|soy|es|eres|somos|son|estoy|está|estamos|están|he|ha|hemos|han|había|hay|puedo|puede|podemos|pueden|podré|quiero|quiere|queremos|tengo|tiene|tenemos|tienen|tendré|debo|debe|debemos|voy|va|vamos|van|vengo|viene|venimos|vienen|hago|hace|hacemos|mando|mandamos|envío|enviamos|llevo|llevamos|traigo|llego|llega|llegamos|llegan|llegará|llegarán|pago|pagamos|acepto|aceptamos|prefiero|preferimos|necesito|necesitamos|creo|creemos|pienso|espero|esperamos|cuesta|cuestan|empieza|termina|queda|quedan|parece|gusta|gustaría|encanta|interesa|conviene|falta|sirve|funciona|será|seré|serán|estaré|estaremos|incluye|dura|sale|salgo|salimos|abre|cierra|vivo|trabajo|conozco|sé|siento|lamento|agradezco|entiendo|confirmo|confirmamos|fue|era|estaba|estuve|encontré|encontramos|recibí|recibimos|firmo|firmaré|iré|iremos|compro|compramos|vuelvo|volvemos|doy|damos|paso|pasaré|llamo|llamaré|viajo|me|nos)\\b|\\p{L}+(?:aré|eré|iré|aremos|eremos|iremos)\\b|^(?:ya |no |ayer |también )?\\p{L}{2,}[éí]\\b",
);
const TIME = pattern(
  "\\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|mañana|hoy|semana|tarde|noche|mediodía|las \\d{1,2}|la una|fecha|cita|hora)\\b",
);

const asked = (text: string): string => {
  const said = bare(text);
  return `¿${said.replace(/^¿/u, "")}?`;
};
const accent = (text: string): string =>
  text.replace(pattern("^(cuando|donde|como|quien|cual|cuant[oa]s?)\\b"), (word) =>
    word
      .replace(/^cuan/iu, "cuán")
      .replace(/^do/iu, "dó")
      .replace(/^com/iu, "cóm")
      .replace(/^quien/iu, "quién")
      .replace(/^cual/iu, "cuál"),
  );

function plain(text: string, reader: Reader): string | null {
  const said = bare(text);
  const short = pattern("^(?:sí|si|no|vale|de acuerdo|claro|perfecto|ok)\\b").exec(said)?.[0];
  if (short && said.length === short.length)
    return /^no/iu.test(short) ? "Lamentablemente, no es posible." : `Sí, me viene bien.`;
  const rest = short && !/^no$/iu.test(short) ? bare(said.slice(short.length)) : said;
  if (!VERB.test(rest)) return short && !/^no/iu.test(short) && TIME.test(rest) ? `Sí, ${rest} me viene bien.` : null;
  const start = short && rest !== said ? `${short.replace(/^si$/iu, "sí")}, ` : "";
  return /\?\s*$/.test(text) ? asked(toReader(said, reader, "able")) : `${start}${toReader(rest, reader, "able")}.`;
}

const you = (reader: Reader, usted: string, tu: string, ustedes = usted): string =>
  reader.several ? ustedes : reader.formal ? usted : tu;

function infinitiveOf(subjunctive: string): string | null {
  const known = INFINITIVE.get(subjunctive);
  if (known) return known;
  if (/(?:gue)$/u.test(subjunctive)) return `${subjunctive.slice(0, -2)}ar`;
  if (/que$/u.test(subjunctive)) return `${subjunctive.slice(0, -3)}car`;
  return /[^aeiou]e$/u.test(subjunctive) ? `${subjunctive.slice(0, -1)}ar` : null;
}

const SEND = pattern(
  `\\b${oneOf("copia factura recibo lista dirección fotos? imágenes diapositivas contrato informe enlace archivos? número presupuesto agenda versión documentos? confirmación menú receta programa horario plano certificado formulario acta resguardo justificante orden_del_día oferta detalles datos entradas billetes")}\\b`,
);

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  const may = (what: string) => asked(`${you(reader, "Podría", "Podrías", "Podrían")} ${what}`);
  switch (kind) {
    case "tell":
    case "that": {
      const what = said
        .replace(pattern("^que "), "")
        .replace(pattern("(,? (?:y|e|pero|aunque|o)|,) que ", "gu"), "$1 ");
      return pattern("^(?:sí|si|no)$").test(what)
        ? plain(what, reader)
        : /^que /iu.test(said) || VERB.test(what)
          ? `${toReader(what, reader, "able")}.`
          : null;
    }
    case "complain":
      return `Lamentablemente, ${toReader(said.replace(pattern("^(?:de )?que "), ""), reader, "able")}.`;
    case "glad":
      return `Puedo ${toReader(said, reader, "able")} con mucho gusto.`;
    case "may":
      return asked(`Podría ${toReader(said, reader, "able")}`);
    case "whether":
      return asked(toReader(said, reader, "always").replace(pattern(" y si ", "gu"), " y "));
    case "which": {
      const what = toReader(said, reader, "always");
      return asked(accent(what.replace(pattern("^lo que "), "qué ")));
    }
    case "do": {
      const what = said.replace(pattern("^que "), "");
      const match = pattern(`^(${CLITICS})(\\p{L}+)(.*)$`, "isu").exec(
        reader.formal || reader.several ? what : what.replace(pattern("^se "), "te "),
      );
      if (pattern("^\\p{L}+r(?:me|nos|lo|la|le|los|las|melo|mela)?\\b").test(what))
        return may(toReader(what, reader, "able"));
      const infinitive = match && !/\bno\b/u.test(match[1]!) ? infinitiveOf(match[2]!.toLowerCase()) : null;
      if (!match || infinitive === null) return null;
      const rest = toReader(match[3]!, reader, "able").replace(
        pattern(" y (?:que )?(me |nos |lo |la )?(\\p{L}+)"),
        (whole, clitic: string | undefined, verb: string) => {
          const other = INFINITIVE.get(verb.toLowerCase());
          return other ? ` y ${other}${(clitic ?? "").trim()}` : whole;
        },
      );
      return asked(
        `${match[1]!.charAt(0).toUpperCase()}${match[1]!.slice(1)}${match[1] ? you(reader, "podría", "podrías", "podrían") : you(reader, "Podría", "Podrías", "Podrían")} ${infinitive}${rest}`,
      );
    }
    case "have": {
      const what = withArticle(toReader(said, reader, "able"), "es");
      const me = `Me ${you(reader, "podría", "podrías", "podrían")}`;
      if (SEND.test(said)) return asked(`${me} enviar ${what}`);
      return pattern("^(?:una?|unos|unas|otr[oa]s?|más|algún|alguna|\\d+)\\b").test(what)
        ? asked(`Sería posible tener ${what}`)
        : pattern("^(?:el|la|los|las|su|tu)\\b").test(what)
          ? asked(`${me} indicar ${what}`)
          : asked(`${me} dar ${what}`);
    }
    case "about":
      return asked(
        `Me ${you(reader, "podría", "podrías", "podrían")} decir algo más sobre ${toReader(said, reader, "able").replace(pattern("^(?:por|sobre) "), "")}`,
      );
    case "thank": {
      const what = toReader(said, reader, "able");
      return what === "" ? "Muchas gracias." : `Muchas gracias ${what.replace(pattern("^(?!por)"), "por ")}.`;
    }
    case "accept": {
      const what = toReader(said, reader, "able");
      if (what === "") return "Sí, me viene bien.";
      if (/invitación/u.test(what)) return `Muchas gracias por ${what}, iré con mucho gusto.`;
      if (TIME.test(what) && !/presupuesto|oferta|propuesta|precio/u.test(what))
        return `${what.replace(pattern("^(?:a|para) "), "").replace(pattern("^(?:cita|reunión) "), "la $&").replace(pattern("^(?=(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\\b)"), "el ")} me viene bien.`;
      return `Acepto ${what} con mucho gusto.`;
    }
    case "decline": {
      const what = toReader(said, reader, "able");
      const because = pattern("\\b(?:porque|ya que|pues)\\b.*$", "isu").exec(what)?.[0] ?? "";
      const thing = bare(what.replace(because, ""));
      if (thing === "") return `Lamentablemente, esta vez no puedo${because ? ` ${because}` : ""}.`;
      if (/invitación|oferta|propuesta/u.test(thing))
        return `Muchas gracias por ${thing}. Lamentablemente, esta vez no puedo aceptarla${because ? ` ${because}` : ""}.`;
      return TIME.test(thing)
        ? `Lamentablemente, ${thing} no me viene bien${because ? ` ${because}` : ""}.`
        : `Lamentablemente, no puedo aceptar ${thing}${because ? ` ${because}` : ""}.`;
    }
    case "confirm":
      if (said === "") return "Lo confirmo.";
      return `Confirmo ${withArticle(toReader(said, reader, "able"), "es")}.`;
    case "propose": {
      const what = toReader(said, reader, "able");
      if (what === "") return null;
      if (pattern("^que ").test(what) || pattern("^\\p{L}+[aei]r(?:nos|me)?\\b").test(what))
        return `${you(reader, "Le", "Te", "Les")} propongo ${what}.`;
      return asked(
        `${you(reader, "Le", "Te", "Les")} vendría bien ${what.replace(pattern("^(?=\\d|(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\\b)"), "el ")}`,
      );
    }
    case "sorry":
      return said === ""
        ? `${you(reader, "Le pido", "Te pido", "Les pido")} disculpas.`
        : `${you(reader, "Disculpe", "Perdona", "Disculpen")} ${toReader(said, reader, "able").replace(pattern("^(?!por|que)"), "por ")}.`;
    case "sorryThat":
      return `Siento que ${toReader(said, reader, "able")}.`;
    case "congratulate":
      return said === ""
        ? "¡Enhorabuena!"
        : `¡Enhorabuena ${toReader(said, reader, "able").replace(pattern("^(?!por)"), "por ")}!`;
    case "wish":
      return pattern("cumpleaños").test(said)
        ? "¡Feliz cumpleaños!"
        : `${you(reader, "Le", "Te", "Les")} deseo ${toReader(said, reader, "able")}.`;
    case "invite":
      return `${you(reader, "Me gustaría invitarle", "Me gustaría invitarte", "Me gustaría invitarles")} ${toReader(said, reader, "able")}.`;
    case "will":
      return `Voy a ${toReader(said, reader, "able")}.`;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

const CLIT = "(?:le|les|lo|la|los|las)?";
const TELL = `(?:di|dí|diga|díga|decir|responde|responda|responder|contesta|conteste|contestar|escribe|escriba|escribir|explica|explique|explicar|avisa|avise|avisar|comenta|comentar|informa|informar|recuerda|recuérda|recordar|añade|aclara|cuénta|cuenta|comunica|comunicar|menciona|asegurar|garantizar|prometer|señalar|indicar|mencionar|asegura|asegúra|explíca|avísa|contésta|respónde|díga|dí|infórma|coméntа|adviérte|advierte)${CLIT}`;
const VERBS = `(?:${TELL}|(?:pregunta|pregunte|pregúnta|pregúnte|preguntar|pide|pida|píde|pída|pedir|agradece|agradezca|agradéce|agradézca|agradecer|acepta|acepte|aceptar|rechaza|rechace|rechazar|confirma|confirme|confírma|confirmar|propón|propon|propone|proponga|propónga|proponer|sugiere|sugiera|sugiére|sugerir|ofrece|ofréce|ofrecer|felicita|felicíta|felicitar|desea|deséa|desear|invita|invíta|invitar|solicita|solicitar|declina|declinar)${CLIT}|da(?:le|les)? las gracias|dar(?:le|les)? las gracias|discúlpate|discúlpese|disculparse|disculparme|pide perdón|pedir perdón|pedir disculpas)`;

/** Spanish instructions and sentences. */
export const spanish: Grammar = {
  words:
    "el los las y que es una por para con su no se del lo como pero mas este hola usted muy gracias esta nos dile di pregunta pregúntale pide pídele agradécele dale si acepta confirma rechaza propón la ella él responde",
  again: pattern(`,? (?:y|o|e) (?:(?<do>que )(?=(?:me|nos) )|(?<whether>si)|(?<which>${WH})) `),
  reader: pattern(
    "\\b(?:(?<m>invítalo|felicítalo|para él|que él|si él)|(?<f>invítala|felicítala|para ella|que ella|si ella)|(?<p>diles|pregúntales|pídeles|dales|agradéceles|decirles|preguntarles|ellos|ellas))\\b",
  ),
  split: pattern(
    `(?:\\s*[,;]\\s*(?:y |luego |pero |también )*|\\s+(?:y|luego|pero|e)\\s+)(?:también |luego |además )?(?=${VERBS}\\b)`,
  ),
  statement: pattern(
    "(?:\\s*[,;:–—]\\s*|\\s-\\s)(?:pero |y )?(?=(?:yo|nosotros|ya|no|me|nos|estoy|estamos|tengo|tenemos|voy|vamos|es|está|ese|esa|mi|nuestro|nuestra|hemos|he|puedo|podemos|esta|este|trabajo|viajo)\\b|VERB)".replace(
      "VERB",
      `(?:no )?(?:${VERB.source})`,
    ),
  ),
  acts: [
    [
      act(
        "(?:sé|sea|mantenlo|hazlo|ser|con tono|en tono)\\s+(?:muy )?(?:breve|corto|amable|educad[oa]|formal|informal|cordial|conciso)(?:\\s.*)?$",
      ),
      "manner",
    ],
    [act("en (?:español|inglés|alemán|francés)$"), "manner"],
    [
      act(
        `(?:rechaza|rechace|rechazar|declina|declinar)${CLIT}(?: (?:amablemente|educadamente|cortésmente))?(?: (?=\\S)|${END})`,
      ),
      "decline",
    ],
    [act(`(?:${TELL})${TO} que no${END}`), "decline"],
    [act(`(?:acepta|acepte|aceptar)(?: (?=\\S)|${END})`), "accept"],
    [act(`(?:${TELL})${TO} que sí(?: encantad[oa]| con gusto)?(?: (?:a|para) (?=\\S)|${END})`), "accept"],
    [
      act(
        `(?:${TELL})${TO} (?:por qué|algo|sobre|acerca de|lo de|(?:el|la|los|las|nuestr[oa]s?|mi|mis) \\p{L}+(?: \\p{L}+)?$).*$`,
      ),
      "vague",
    ],
    [act(`${TELL}${TO} (?=que\\b)`), "tell"],
    [act(`(?:pregunta|pregunte|pregúnta|pregúnte|preguntar)${CLIT}${TO} si (?=\\S)`), "whether"],
    [act(`(?:pregunta|pregunte|pregúnta|pregúnte|preguntar)${CLIT}${TO} (?=${WH}\\b)`), "which"],
    [act(`(?:pregunta|pregunte|pregúnta|pregúnte|preguntar)${CLIT}${TO} (?:por|sobre) (?=\\S)`), "about"],
    [act(`(?:pide|pida|pídele|pedir)${CLIT} (?:perdón|disculpas)${TO}(?: (?=por)|${END})`), "sorry"],
    [act(`(?:pide|pida|píde|pída|pedir|solicita|solicitar|recuerda|recuérda|recordar)${CLIT}${TO} que (?=\\S)`), "do"],
    [act(`(?:pide|pídele|pedir|pregunta si puedo)${TO} (?=(?:recibir|ver|tener|hablar|poder)\\b)`), "may"],
    [act(`(?:pedir|pídele|ruégale)${TO} (?=\\p{L}+r(?:me|nos)?\\b)`), "do"],
    [act(`(?:pide|pida|píde|pída|pedir|solicita|solicitar)${CLIT}${TO} (?=\\S)`), "have"],
    [act(`(?:agradece|agradezca|agradéce|agradézca|agradecer)${CLIT}${TO}(?: (?=\\S)|${END})`), "thank"],
    [act(`(?:da|dale|dales|dar|darle|darles|dé|déle) las gracias${TO}(?: (?=por)|${END})`), "thank"],
    [
      act(
        `(?:discúlpate|discúlpese|disculparse|disculparme|disculparnos|pide perdón|pedir perdón|pedir disculpas|pedirle disculpas)${TO}(?: (?=por)|${END})`,
      ),
      "sorry",
    ],
    [act(`(?:confirma|confirme|confírma|confirmar)${CLIT}${TO}(?: (?=\\S)|${END})`), "confirm"],
    [
      act(
        `(?:propón|propon|propone|proponga|propónga|proponer|sugiere|sugiera|sugiére|sugerir|ofrece|ofréce|ofrecer)${CLIT}${TO} (?=\\S)`,
      ),
      "propose",
    ],
    [act(`(?:felicita|felicíta|felicitar)${CLIT}${TO}(?: (?=\\S)|${END})`), "congratulate"],
    [act(`(?:desea|deséa|desear)${CLIT}${TO} (?=\\S)`), "wish"],
    [act(`(?:invita|invíta|invitar)${CLIT}${TO} (?=a\\b|al\\b)`), "invite"],
    [act(`${TELL}${TO}:? (?=\\S)`), "tell"],
  ],
  render,
  plain,
  address: (text, reader) => toReader(text, reader, "always"),
};
