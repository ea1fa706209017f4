import { type Act, asked, bare, type Grammar, oneOf, pattern, type Reader, table } from "./act.ts";
import { withArticle } from "./articles.ts";

const NAME = "(?:(?:ao?|à|o) )?(?:Sra?\\. |senhora? |D\\. )?(?-i:\\p{Lu})[\\p{L}'’-]+";
const P = "^(?:(?:e|depois|também|ainda|por favor|gentilmente|educadamente) )*";
const act = (source: string) => pattern(P + source);
const END = "(?=\\s*$|\\s*[.,;:!–])";
const TO = `(?:-lhes?)?(?: (?:a el[ea]s?|para el[ea]s?|pra el[ea]s?|a ${NAME}|para ${NAME}|ao? ${NAME}))?`;
const WH =
  "(?:quando|onde|aonde|como|por ?que|porquê|o que|que|quem|qual|quais|quant[oa]s?|a que|em que|até quando|desde quando|com quem|para quando)";

const TU = table(
  "é:és está:estás há:há tem:tens vai:vais pode:podes quer:queres deve:deves faz:fazes vem:vens diz:dizes sabe:sabes dá:dás vê:vês traz:trazes prefere:preferes precisa:precisas pensa:pensas chega:chegas volta:voltas recebe:recebes vive:vives põe:pões acha:achas pede:pedes leva:levas manda:mandas envia:envias liga:ligas passa:passas fica:ficas paga:pagas compra:compras trabalha:trabalhas procura:procuras encontra:encontras aceita:aceitas assina:assinas confirma:confirmas come:comes toma:tomas usa:usas ajuda:ajudas espera:esperas gosta:gostas possa:possas queira:queiras tenha:tenhas venha:venhas seja:sejas esteja:estejas estava:estavas tinha:tinhas poderia:poderias gostaria:gostarias deveria:deverias podia:podias teria:terias poderá:poderás virá:virás terá:terás fará:farás recebeu:recebeste pôde:pudeste teve:tiveste chegou:chegaste viu:viste pagou:pagaste mandou:mandaste enviou:enviaste fez:fizeste disse:disseste foi:foste conseguiu:conseguiste consegue:consegues conhece:conheces puder:puderes quiser:quiseres tiver:tiveres vier:vieres chegar:chegares recomenda:recomendas participa:participas",
);
const HUMAN = "(?:cham|visit|convid|esper|ajud|avis|contact|contat|acompanh|vejo|ver|busc|lev|inform)";
const KIN = pattern(
  "\\b(?:minha|meu|nossa|nosso|sua|seu|a|o|uma|um) (?:\\p{Ll}+ )?(?:mãe|pai|mulher|marido|esposa|filh[oa]|irmão|irmã|chefe|colega|amig[oa]|vizinh[oa]|médic[oa]|criança|cliente|av[óô]|ti[oa]|cão|cachorro|gato|sóci[oa]|advogad[oa]|namorad[oa])s?(?![\\p{L}])",
);
const CLITICS = "(?:(?:não|já|ainda|também|me|nos|o|a|os|as|lhe|te|se) )*";
const ABLE =
  /^(?:pode|podia|poderia|poderá|deve|deveria|tem|quer|precisa|prefere|possa|queira|consegue|puder|quiser|receberá|terá)$/u;

/** Returns text about the reader as text addressed to the reader. @param subject see the Spanish function */
function toReader(text: string, reader: Reader, subject: "always" | "able"): string {
  if (KIN.test(text)) return text;
  const tu = reader.tu && !reader.formal && !reader.several;
  const warm = !reader.formal && !reader.several;
  let used = text
    .replace(pattern("\\b(d)el[ea]\\b", "giu"), tu ? "de ti" : "de si")
    .replace(pattern("\\bcom ele\\b|\\bcom ela\\b", "giu"), tu ? "contigo" : "consigo")
    .replace(pattern("\\b(para|por|a) el[ea]s?\\b", "giu"), tu ? "$1 ti" : warm ? "$1 você" : "$1 si")
    .replace(pattern(`\\b(?:o|a) (?=${HUMAN}\\p{L}*(?:o|amos|arei|emos)(?!\\p{L}))`, "giu"), tu || warm ? "te " : "a ");
  if (tu) {
    used = used
      .replace(pattern("\\blhe (?=\\p{L})", "giu"), "te ")
      .replace(pattern("-lhe\\b", "giu"), "-te")
      .replace(
        pattern("\\bs(?:eu|ua)(s?) (?=\\p{L})", "giu"),
        (word, s) => `${/^seu/iu.test(word) ? "teu" : "tua"}${s} `,
      );
  }
  const become = (verb: string) => (tu ? (TU.get(verb.toLowerCase()) ?? verb) : verb);
  const first = pattern(
    `^((?:${WH} (?:(?!(?:quer|pode|tem|precisa|prefere|deve|vai|pensa) )\\p{Ll}+ )?)?)(el[ea]s? )?(${CLITICS})(\\p{L}+)`,
  ).exec(used);
  if (first && (first[2] !== undefined || subject === "always" || ABLE.test(first[4]!))) {
    const after = used.slice(first[0].length);
    const noun =
      pattern("^\\s+(?:o|a|os|as|um|uma|meu|minha|tudo)\\b").test(after) &&
      pattern("^(?:é|chega|parte|vai|vem|fica|está|foi|será)$").test(first[4]!);
    if (TU.has(first[4]!.toLowerCase()) && !noun && !pattern("\\bte $").test(first[3]!)) {
      const subjectWord = first[2] === undefined || tu ? "" : "";
      used =
        first[1]! + subjectWord + first[3]!.replace(pattern("\\bse\\b"), tu ? "te" : "se") + become(first[4]!) + after;
    } else if (first[2] !== undefined) used = first[1]! + first[3]! + first[4]! + after;
  }
  return used.replace(
    pattern(`\\b((?:se|que|quando|e|ou) )(el[ea] )?(${CLITICS})(\\p{L}+)`, "giu"),
    (whole, link: string, who: string | undefined, clitics: string, verb: string, at: number) =>
      at > 0 && ABLE.test(verb) && TU.has(verb) ? link + clitics + become(verb) : who ? whole : whole,
  );
}

const VERB = pattern(
  "^\\p{L}{2,}mo-nos|^(?:já |não |ontem )?(?:vi|li|fui|dei|fiz|ouvi|recebi|perdi|vendi|escrevi|pedi)(?!\\p{L})|^(?:já |não |ontem )?\\p{L}{2,}ei(?!\\p{L})|\\b(?:sou|é|és|somos|são|estou|está|estamos|estão|tenho|tem|temos|têm|tinha|há|posso|pode|podemos|podem|poderei|quero|queremos|devo|devemos|vou|vai|vamos|vão|venho|vem|vimos|vêm|faço|faz|fazemos|mando|mandamos|envio|enviamos|levo|levamos|trago|trazemos|chego|chega|chegamos|chegam|pago|pagamos|aceito|aceitamos|prefiro|preferimos|preciso|precisamos|acho|achamos|penso|espero|esperamos|custa|custam|começa|termina|fica|ficam|ficamos|parece|gosto|gostamos|gostaria|adoro|interessa|convém|falta|serve|funciona|será|serei|serão|estarei|inclui|dura|saio|sai|saímos|abre|fecha|moro|trabalho|conheço|sei|lamento|sinto|agradeço|agradecemos|entendo|percebo|confirmo|confirmamos|foi|era|estava|estive|encontrei|encontrámos|encontramos|recebi|recebemos|assino|irei|iremos|compro|compramos|volto|voltamos|dou|damos|passo|ligo|viajo|segue|dá|já)\\b|\\p{L}+(?:arei|erei|irei|aremos|eremos|iremos)\\b|(?:não|já|ainda|também) \\p{L}+(?:ei|i|ou|ámos|amos|emos|imos)(?![\\p{L}])",
);
const TIME = pattern(
  "\\b(?:segunda|terça|quarta|quinta|sexta|sábado|domingo|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|amanhã|hoje|semana|manhã|tarde|noite|meio-dia|às \\d{1,2}|\\d{1,2}h|data|consulta|hora)(?![\\p{L}])",
);

function plain(text: string, reader: Reader): string | null {
  const said = bare(text);
  const short = pattern("^(?:sim|não|ok|está bem|claro|perfeito|combinado)(?![\\p{L}])").exec(said)?.[0];
  if (short && said.length === short.length)
    return /^não/iu.test(short) ? "Infelizmente não é possível." : "Sim, pode ser.";
  const isNo = short && /^não/iu.test(short);
  const rest = short && !isNo ? bare(said.slice(short.length)) : said;
  if (!VERB.test(rest)) return short && !isNo && TIME.test(rest) ? `Sim, ${rest} está bem para mim.` : null;
  const start = short && !isNo ? `${short}, ` : "";
  return `${start}${toReader(rest, reader, "able")}${/\?\s*$/.test(text) ? "?" : "."}`;
}

const you = (reader: Reader, voce: string, tu: string, voces: string): string =>
  reader.several ? voces : reader.formal || !reader.tu ? voce : tu;
const SEND = pattern(
  `\\b${oneOf("cópia fatura factura recibo lista endereço morada fotos? imagens slides contrato relatório link ficheiros? arquivos? número orçamento agenda versão documentos? confirmação menu receita programa horário mapa certificado formulário ata comprovativo comprovante proposta detalhes dados bilhetes")}(?![\\p{L}])`,
);

function render({ kind, text }: Act, reader: Reader): string | null {
  const said = bare(text);
  const could = you(reader, "Poderia", "Podias", "Poderiam");
  switch (kind) {
    case "tell":
    case "that": {
      const what = said.replace(pattern("^que "), "").replace(pattern("(,? (?:e|mas|ou)|,) que ", "gu"), "$1 ");
      return pattern("^(?:sim|não)$").test(what) || !(VERB.test(what) || /^que /iu.test(said))
        ? plain(what, reader)
        : `${toReader(what, reader, "able")}.`;
    }
    case "complain":
      return `Infelizmente, ${toReader(said.replace(pattern("^(?:de )?que "), ""), reader, "able")}.`;
    case "glad":
      return `Posso ${toReader(said, reader, "able")} com muito gosto.`;
    case "may":
      return asked(`Poderia ${toReader(said, reader, "able")}`);
    case "whether":
      return asked(toReader(said, reader, "always").replace(pattern(" e se ", "gu"), " e "));
    case "which":
      return asked(toReader(said, reader, "always"));
    case "do": {
      const what = said.replace(pattern("^(?:para |que |de )"), "");
      if (pattern("^(?:(?:me|nos) )?\\p{L}+r(?:-\\p{L}+)*(?![\\p{L}])").test(what))
        return asked(`${could} ${toReader(what, reader, "able").replace(pattern(" e para ", "gu"), " e ")}`);
      const match = pattern("^((?:me |nos |não )?)(\\p{L}+)(.*)$", "isu").exec(what);
      const infinitive = match && !/não/u.test(match[1]!) ? infinitiveOf(match[2]!.toLowerCase()) : null;
      return infinitive === null
        ? null
        : asked(
            `${could} ${infinitive}${match![1] ? `-${match![1].trim()}` : ""}${toReader(match![3]!, reader, "able")}`,
          );
    }
    case "have": {
      const what = withArticle(toReader(said, reader, "able"), "pt");
      if (SEND.test(said)) return asked(`${could} enviar-me ${what}`);
      return pattern("^(?:uma?|uns|umas|outr[oa]s?|mais|algum|\\d+)(?![\\p{L}])").test(what)
        ? asked(`Seria possível ter ${what}`)
        : pattern("^(?:o|a|os|as) ").test(what)
          ? asked(`${could} indicar-me ${what}`)
          : asked(`${could} dar-me ${what}`);
    }
    case "about":
      return asked(`${could} dizer-me mais sobre ${toReader(said, reader, "able")}`);
    case "thank": {
      const what = toReader(said, reader, "able");
      return what === ""
        ? "Muito obrigado."
        : `Obrigado ${what.replace(pattern("^(?!por|pel|d[ao]|de)"), "por ").replace(pattern("^por (o|a|os|as) "), (_, article) => `pel${article} `)}.`;
    }
    case "accept": {
      const what = toReader(said, reader, "able");
      if (what === "") return "Sim, pode ser.";
      if (/convite/u.test(what)) return `Obrigado ${what.replace(pattern("^(o|a) "), "pel$1 ")}, vou com muito gosto.`;
      if (TIME.test(what) && !/orçamento|oferta|proposta|preço/u.test(what))
        return `${what.replace(pattern("^(?:para|na|no) "), "")} está bem para mim.`;
      return `Aceito ${what} com muito gosto.`;
    }
    case "decline": {
      const what = toReader(said, reader, "able");
      const because =
        pattern("\\b(?:porque|pois|já que|visto que|uma vez que)(?![\\p{L}]).*$", "isu").exec(what)?.[0] ?? "";
      const thing = bare(what.replace(because, ""));
      if (thing === "") return `Infelizmente, desta vez não posso aceitar${because ? ` ${because}` : ""}.`;
      if (/convite|oferta|proposta/u.test(thing))
        return `Obrigado ${thing.replace(pattern("^(o|a) "), "pel$1 ")}. Infelizmente, desta vez não posso aceitar${because ? ` ${because}` : ""}.`;
      return TIME.test(thing)
        ? `Infelizmente, ${thing} não me dá jeito${because ? ` ${because}` : ""}.`
        : `Infelizmente, não posso aceitar ${thing}${because ? ` ${because}` : ""}.`;
    }
    case "confirm":
      return said === "" ? "Confirmo." : `Confirmo ${withArticle(toReader(said, reader, "able"), "pt")}.`;
    case "propose": {
      const what = toReader(said, reader, "able");
      if (what === "") return null;
      if (pattern("^(?:que |\\p{L}+[aei]r(?:mos)?(?![\\p{L}]))").test(what)) return `Proponho ${what}.`;
      return asked(`Que tal ${what.replace(pattern("^(?:para|no|na) "), "")}`);
    }
    case "sorry":
      return said === ""
        ? `Peço desculpa.`
        : `Peço desculpa ${toReader(said, reader, "able")
            .replace(pattern("^(?!por|pel|se)"), "por ")
            .replace(pattern("^por (o|a|os|as) "), (_, article) => `pel${article} `)}.`;
    case "sorryThat":
      return `Lamento que ${toReader(said, reader, "able")}.`;
    case "congratulate":
      return said === ""
        ? "Parabéns!"
        : `Parabéns ${toReader(said, reader, "able")
            .replace(pattern("^(?!por|pel)"), "por ")
            .replace(pattern("^por (o|a) "), (_, article) => `pel${article} `)}!`;
    case "wish":
      return pattern("aniversário|anos").test(said)
        ? "Parabéns!"
        : `Desejo-${you(reader, "lhe", "te", "vos")} ${toReader(said, reader, "able")}.`;
    case "invite":
      return `Gostaria de ${you(reader, "o convidar", "te convidar", "vos convidar")} ${toReader(said, reader, "able")}.`;
    case "will":
      return `Vou ${toReader(said, reader, "able")}.`;
    case "manner":
      return "";
    case "vague":
      return null;
  }
}

const SUBJUNCTIVE = table(
  "envie:enviar mande:mandar ligue:ligar traga:trazer venha:vir diga:dizer faça:fazer confirme:confirmar pague:pagar assine:assinar reserve:reservar corrija:corrigir reveja:rever veja:ver leia:ler escreva:escrever ponha:pôr dê:dar espere:esperar verifique:verificar explique:explicar indique:indicar entregue:entregar responda:responder devolva:devolver avise:avisar passe:passar prepare:preparar altere:alterar mude:mudar",
);
const infinitiveOf = (verb: string): string | null => SUBJUNCTIVE.get(verb) ?? null;

const TELL =
  "(?:di[zg]|diga|dizer|fala|fale|falar|avisa|avise|avisar|responde|responda|responder|escreve|escreva|escrever|explica|explique|explicar|informa|informe|informar|comunica|lembra|lembre|lembrar|acrescenta|menciona|conta)";
const VERBS = `(?:${TELL}|pergunta|pergunte|perguntar|pede|peça|pedir|agradece|agradeça|agradecer|aceita|aceite|aceitar|recusa|recuse|recusar|declina|confirma|confirme|confirmar|propõe|propõe-lhe|proponha|propor|sugere|sugira|sugerir|desculpa-te|desculpe-se|desculpar|felicita|parabeniza|dá os parabéns|dar os parabéns|deseja|deseje|convida|convide|convidar|solicita|solicite)`;

/** Portuguese instructions and sentences. */
export const portuguese: Grammar = {
  words:
    "o os que e uma para com não por mais você do da em se na obrigado como foi está seu sua pelo ao diz diga lhe pergunta pergunte pede peça agradece aceita recusa confirma propõe ele ela um à no",
  again: pattern(`,? (?:e|ou) (?:(?<whether>se)|(?<which>${WH})) `),
  reader: pattern(
    "(?<m>\\b(?:se|que|a|para) ele\\b)|(?<f>\\b(?:se|que|a|para) ela\\b)|(?<p>-lhes\\b|\\beles\\b|\\belas\\b)",
  ),
  split: pattern(
    `(?:\\s*[,;]\\s*(?:e |depois |mas |também )*|\\s+(?:e|depois|mas)\\s+)(?:também |depois |ainda )?(?=${VERBS}(?:-lhes?)?(?![\\p{L}]))`,
  ),
  statement: pattern(
    "(?:\\s*[,;:–—]\\s*|\\s-\\s)(?:mas |e )?(?=(?:eu|nós|já|não|estou|estamos|tenho|temos|vou|vamos|é|está|o meu|a minha|o nosso|a nossa|posso|podemos|nesse|nessa|trabalho)(?![\\p{L}])|VERB)".replace(
      "VERB",
      `(?:não )?(?:${VERB.source})`,
    ),
  ),
  acts: [
    [
      act(
        "(?:sê|seja|mantém|com tom)\\s+(?:muito )?(?:breve|curto|simpátic[oa]|educad[oa]|formal|informal|cordial|conciso)(?:\\s.*)?$",
      ),
      "manner",
    ],
    [act("em (?:português|inglês|alemão|francês)$"), "manner"],
    [
      act(
        `(?:recusa|recuse|recusar|declina|decline|declinar)(?: (?:educadamente|gentilmente|com simpatia))?(?: (?=\\S)|${END})`,
      ),
      "decline",
    ],
    [act(`${TELL}${TO} que não${END}`), "decline"],
    [act(`(?:aceita|aceite|aceitar)(?: (?=\\S)|${END})`), "accept"],
    [act(`${TELL}${TO} que sim(?: (?:a|para) (?=\\S)|${END})`), "accept"],
    [act(`${TELL}${TO} (?:por ?que|algo|sobre|(?:o|a|os|as) (?:nosso |nossa |meu |minha )?\\p{L}+$).*$`), "vague"],
    [act(`${TELL}${TO} (?=que(?![\\p{L}]))`), "tell"],
    [act(`pergunt[ae]r?${TO} se (?=\\S)`), "whether"],
    [act(`pergunt[ae]r?${TO} (?:por|pel[oa]s?|sobre) (?=\\S)`), "about"],
    [act(`pergunt[ae]r?${TO} (?=${WH}(?![\\p{L}]))`), "which"],
    [act(`(?:pede|peça|pedir)${TO} desculpas?(?: (?=por|pel|se)|${END})`), "sorry"],
    [act(`(?:pede|peça|pedir)${TO} para (?=(?:receber|ter|ver|falar|poder)\\b)`), "may"],
    [act(`(?:diz|diga|dizer)${TO} para (?=(?:não )?\\p{L}+r(?:em)?(?![\\p{L}]))`), "do"],
    [act(`(?:pede|peça|pedir|solicita|solicite|lembra|lembre)${TO} (?:para (?:ele |ela )?|que |de )(?=\\S)`), "do"],
    [act(`(?:pede|peça|pedir|solicita|solicite|solicitar)${TO} (?=\\S)`), "have"],
    [act(`(?:agradece|agradeça|agradecer)${TO}(?: (?=\\S)|${END})`), "thank"],
    [act(`(?:desculpa-te|desculpe-se|desculpar-se|desculpar-me)(?: (?=por|pel)|${END})`), "sorry"],
    [act(`(?:confirma|confirme|confirmar)${TO}(?: (?=\\S)|${END})`), "confirm"],
    [act(`(?:propõe|proponha|propor|sugere|sugira|sugerir|oferece|ofereça)${TO} (?=\\S)`), "propose"],
    [
      act(
        `(?:felicita|felicite|parabeniza|parabenize|d[áa]r?(?:-lhe)? os parabéns|dê os parabéns)${TO}(?: (?=\\S)|${END})`,
      ),
      "congratulate",
    ],
    [act(`(?:deseja|deseje|desejar)${TO} (?=\\S)`), "wish"],
    [act(`(?:convida|convide|convidar)(?:-[oa])?${TO} (?=para)`), "invite"],
    [act(`${TELL}${TO}:? (?=\\S)`), "tell"],
  ],
  render,
  plain,
  address: (text, reader) => toReader(text, reader, "always"),
};
