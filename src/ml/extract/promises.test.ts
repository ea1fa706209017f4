import { describe, expect, test } from "bun:test";
import { type Analyzed, type FindingKind, findingsOf } from "./findings.ts";

/** Monday. */
const AT = Date.parse("2026-03-02T09:00:00Z");
const findings = (text: string, language: string | null, among: FindingKind[] | null = null) => {
  const message: Analyzed = { body_text: text, new_text: text, at: AT, offsetMin: 0, language: () => language };
  return findingsOf(message, among);
};
const promises = (text: string, language: string) =>
  findings(text, language, ["promise"]).map(({ text: sentence }) => sentence);

describe("a promise is", () => {
  test.each([
    ["I'll circulate the minutes this afternoon.", "en"],
    ["I'll invite Priya to the next call.", "en"],
    ["I will present the numbers on Thursday.", "en"],
    ["Will send the deck tonight.", "en"],
    ["Thanks, will do.", "en"],
    ["Sending the agenda over later today.", "en"],
    ["I'm booking the room for Tuesday.", "en"],
    ["The contract will be with you by Friday.", "en"],
    ["You'll have the slides in your inbox by noon.", "en"],
    ["You should have the report by Wednesday.", "en"],
    ["Let me check with Anna and come back to you.", "en"],
    ["I need to ask finance first and will come back to you tomorrow.", "en"],
    ["Leave it with me.", "en"],
    ["Back to you by Thursday with a price.", "en"],
    ["I should have the draft done by Monday.", "en"],
    ["Tom will send you the dial-in details.", "en"],
    ["You'll hear from us by the end of the week.", "en"],
    ["We'll get the room set up before nine.", "en"],
    ["I'll take the action to update the plan.", "en"],
    ["As discussed in the meeting, I'm going to draft the proposal.", "en"],
    ["Expect the figures on Monday.", "en"],
    ["I'll bring printed copies for everyone.", "en"],
    ["Ich bringe morgen den Beamer mit.", "de"],
    ["Wir melden uns bis Freitag bei Ihnen.", "de"],
    ["Das Protokoll schicke ich heute Abend herum.", "de"],
    ["Ich werde die Zahlen bis Montag zusammenstellen.", "de"],
    ["Sie bekommen das Angebot bis Donnerstag.", "de"],
    ["Ich gebe dir Bescheid, sobald ich es weiß.", "de"],
    ["Darum kümmere ich mich.", "de"],
    ["Ich schaue mir das morgen an.", "de"],
    ["Je vous enverrai le compte rendu demain.", "fr"],
    ["On vous tient au courant dès que possible, je m'en occupe.", "fr"],
    ["J'apporterai les tirages jeudi.", "fr"],
    ["Je vais préparer l'ordre du jour.", "fr"],
    ["Vous recevrez le devis avant vendredi.", "fr"],
    ["Nous reviendrons vers vous la semaine prochaine.", "fr"],
    ["Demain je passe prendre les clés.", "fr"],
    ["Te llamo mañana para cerrar el tema.", "es"],
    ["Prepararé el acta y la compartiré con todos.", "es"],
    ["Mañana te llevo la prueba de imprenta.", "es"],
    ["Me encargo de reservar la sala.", "es"],
    ["Vamos a enviar la propuesta el jueves.", "es"],
    ["Lo tendrás el viernes sin falta.", "es"],
    ["Ti mando il verbale entro stasera.", "it"],
    ["Vi faremo sapere entro venerdì.", "it"],
    ["Me ne occupo io.", "it"],
    ["Domani porto i campioni in ufficio.", "it"],
    ["Riceverà il preventivo entro lunedì.", "it"],
    ["Vou preparar a ata ainda hoje.", "pt"],
    ["Envio-lhe a proposta até sexta.", "pt"],
    ["Eu trato disso amanhã.", "pt"],
    ["Enviaremos o contrato na próxima semana.", "pt"],
    ["Te aviso assim que souber.", "pt"],
    ["Ik stuur de notulen vanavond rond.", "nl"],
    ["Morgen bel ik de leverancier.", "nl"],
    ["Je krijgt de offerte uiterlijk donderdag.", "nl"],
    ["We zullen de planning aanpassen.", "nl"],
    ["Ik regel een zaal voor dinsdag.", "nl"],
    ["金曜日までに資料をお送りいたします。", "ja"],
    ["明日改めてご連絡します。", "ja"],
    ["議事録は私が作成しておきます。", "ja"],
  ])("%s", (sentence, language) => {
    expect(promises(sentence, language)).toEqual([sentence]);
  });
});

describe("no promise is", () => {
  test.each([
    ["Friday is good for me.", "en"],
    ["Thursday works, and so does Friday.", "en"],
    ["I could do Tuesday afternoon.", "en"],
    ["I might be able to send it by Friday.", "en"],
    ["I may be able to join for an hour.", "en"],
    ["I'd be happy to host the next one.", "en"],
    ["I can help if you want.", "en"],
    ["I'll send it over if you like.", "en"],
    ["I'm afraid I can't make it on Thursday.", "en"],
    ["I won't be able to join.", "en"],
    ["I'll have to miss the call.", "en"],
    ["I'll pass on this one.", "en"],
    ["I attached the minutes.", "en"],
    ["Attached are the slides from today.", "en"],
    ["I sent the agenda this morning.", "en"],
    ["I'll see you on Thursday.", "en"],
    ["See you tomorrow at ten.", "en"],
    ["I'll be out of the office until Monday.", "en"],
    ["The meeting will start at ten.", "en"],
    ["The room will be closed on Friday.", "en"],
    ["Will you send the minutes?", "en"],
    ["Someone should send the minutes.", "en"],
    ["I'll keep this short.", "en"],
    ["I'll leave it up to you.", "en"],
    ["I hope to finish it by Friday.", "en"],
    ["We'll see what happens.", "en"],
    ["I will never understand this.", "en"],
    ["Freitag passt mir gut.", "de"],
    ["Anbei sende ich Ihnen das Protokoll.", "de"],
    ["Ich könnte es am Montag machen.", "de"],
    ["Ich schaffe es leider nicht bis Freitag.", "de"],
    ["Ich schicke dir liebe Grüße.", "de"],
    ["Ich schreibe Ihnen wegen der Rechnung.", "de"],
    ["Ich werde am Montag nicht dabei sein.", "de"],
    ["Vendredi me convient.", "fr"],
    ["Je vous envoie ci-joint le compte rendu.", "fr"],
    ["Je pourrais passer jeudi.", "fr"],
    ["Je ne pourrai pas venir demain.", "fr"],
    ["Je serai absent jusqu'à lundi.", "fr"],
    ["El viernes me viene bien.", "es"],
    ["Te mando un abrazo.", "es"],
    ["Podría hacerlo el lunes.", "es"],
    ["No podré ir mañana.", "es"],
    ["Adjunto el acta de la reunión.", "es"],
    ["Venerdì va bene.", "it"],
    ["In allegato le invio il verbale.", "it"],
    ["Non potrò esserci domani.", "it"],
    ["Ti mando un abbraccio.", "it"],
    ["Sexta-feira dá-me jeito.", "pt"],
    ["Segue em anexo a ata.", "pt"],
    ["Não poderei ir amanhã.", "pt"],
    ["Mando-te um beijo.", "pt"],
    ["Vrijdag komt goed uit.", "nl"],
    ["Bijgaand stuur ik u de notulen.", "nl"],
    ["Ik kan morgen helaas niet.", "nl"],
    ["よろしくお願いいたします。", "ja"],
    ["資料を添付いたします。", "ja"],
    ["昨日お送りしました。", "ja"],
  ])("%s", (sentence, language) => {
    expect(promises(sentence, language)).toEqual([]);
  });
});

test("a sentence that promises and asks is both, each with its own day", () => {
  const found = findings("I'll send the draft on Tuesday, could you sign it by Friday?", "en");
  expect(found.map(({ kind, due }) => [kind, due])).toEqual([
    ["promise", "2026-03-03"],
    ["question", "2026-03-06"],
  ]);
});
