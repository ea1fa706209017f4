/** Verbs and adverbs that go with any subject, folded, in eight languages. */
const LIGHT_ENGLISH = new Set(
  "one us me we them him getting usually normally eventually finally anyway can't cannot don't doesn't didn't won't isn't aren't couldn't moment away without near per via during towards behind since until till from each get gets got go goes going went gone come comes coming came take takes took give gives gave make makes made have has had having need needs know knew tell told say says said see seen still now current currently next again exactly please will would shall should could can may might must do does did done be been thing things someone anyone something anything day date time place run runs want wants wanted let put keep set use used using find show happen happens happened there here then much many long new old other another any about around let's i'm it's what's who's where's when's exact actual actually own whole part kind sort mail mails email message wrote write said mention mentioned according planned plan plans scheduled get away back only just ever yet already".split(
    " ",
  ),
);
/** The same in the other languages. */
const LIGHT = new Set(
  (
    "pendant durant während waehrend wahrend durante tijdens depuis seit avec lautet lauten eigentlich denn gerade wollen wollt faut faut-il doit-on peut-on puis-je ai-je tegen este estes estas esto esta mes mese questo questa quest cet cette diese dieser dieses deze dit momento moments quiere quieren veut veulent quer querem vuole vogliono wil willen ab ins ans pro bis kunftig entro mim " +
    "kommt kommen kam gekommen geht gehen ging gegangen macht machen gemacht gibt geben gegeben hat haben hatte muss mussen soll sollen sollte kann konnen konnte will mochte werden wird wurde worden ist sind war bleibt findet finden statt steht liegt noch schon jetzt neu neue neuen neuer kunftig aktuell genau bitte mir mich man heisst sagt sagen gesagt schreibt geschrieben halt laut bekomme bekommen " +
    "va vont aller vais vient venir viennent fait faire fais donner donne prend prendre avoir avait doit dois devoir falloir faut peut peux pouvoir sera sont etre encore maintenant nouveau nouvelle quel quelle lieu dire dit est-ce est-il est-elle y-a-t-il a-t-il a-t-elle " +
    "voy va van ir vamos viene vienen venir hace hacer hago da dar tiene tengo tienen tener toma haber hay debe debo deber puede puedo poder sera esta estan nuevo nueva nuevos decir dice dijo todavia ahora " +
    "vou vai vao ir vem vem vir faz fazer faco fica ficar tenho tem ter toma tomar ha deve devo dever pode posso poder sera esta estao novo nova dizer diz disse ainda agora preciso e que " +
    "vado va vanno andare viene vengono venire fa fare faccio da dare ha ho hanno avere prende deve devo dovere puo posso potere sara sta stanno nuovo nuova dire dice ancora adesso ora vale " +
    "ga gaat gaan ging kom komt komen kwam doe doet doen geeft geven heb heeft hebben neemt nemen moet moeten kan kunnen mag mogen zal zullen wordt worden is zijn nog nu nieuw nieuwe zeggen zegt er kregen krijg krijgt krijgen"
  ).split(" "),
);

/** Returns whether a folded word says little, whatever the subject. */
export const isLight = (form: string, language: string | null = null): boolean =>
  (language === null || language === "en" ? LIGHT_ENGLISH.has(form) : false) || (language !== "en" && LIGHT.has(form));
