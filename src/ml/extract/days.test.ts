import { describe, expect, test } from "bun:test";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { daysIn } from "./days.ts";
import { dueDay } from "./due.ts";

const due = (sentence: string, today: string, language: string | null) =>
  dueDay(sentence, { at: Date.parse(`${today}T09:00:00Z`), offsetMin: 0 }, language)?.day ?? null;

/** Days of writing: a Monday, the Friday before Christmas, a Saturday, and the ends of a month and of a year. */
const MON = "2026-03-02";
const FRI = "2026-12-18";
const SAT = "2026-02-28";
const TUE_END = "2026-03-31";
const EVE = "2026-12-30";

describe("the day by which a sentence wants something", () => {
  test.each([
    ["I'll send it by Friday.", MON, "en", "2026-03-06"],
    ["I'll send it by Friday.", FRI, "en", "2026-12-25"],
    ["I will have it for you tomorrow at noon.", TUE_END, "en", "2026-04-01"],
    ["You get it by end of the week.", MON, "en", "2026-03-06"],
    ["You get it by end of the week.", SAT, "en", "2026-03-06"],
    ["We deliver by EOD.", MON, "en", "2026-03-02"],
    ["Can I have it by end of day Thursday?", MON, "en", "2026-03-05"],
    ["The draft will be there on 12 March.", MON, "en", "2026-03-12"],
    ["Could you confirm by January 5?", EVE, "en", "2027-01-05"],
    ["Please reply no later than the 5th of January.", EVE, "en", "2027-01-05"],
    ["Could you send it by the end of next month?", "2026-01-31", "en", "2026-02-28"],
    ["Could you pay by month-end?", "2028-02-10", "en", "2028-02-29"],
    ["Could you pay by the end of March?", MON, "en", "2026-03-31"],
    ["I'll get back to you in two weeks.", MON, "en", "2026-03-16"],
    ["You will have it within 48 hours.", MON, "en", "2026-03-04"],
    ["Let's do it the day after tomorrow.", EVE, "en", "2027-01-01"],
    ["I'll call you next Tuesday.", MON, "en", "2026-03-10"],
    ["I'll call you on Tuesday next week.", MON, "en", "2026-03-10"],
    ["Could you come a week from Wednesday?", MON, "en", "2026-03-11"],
    ["Could you come Wednesday week?", MON, "en", "2026-03-11"],
    ["Please have it ready by the 15th.", MON, "en", "2026-03-15"],
    ["Please have it ready by the 15th.", FRI, "en", "2027-01-15"],
    ["Can you make Friday the 13th?", MON, "en", "2026-03-13"],
    ["Could we have the file we talked about on Monday by Thursday?", "2026-03-04", "en", "2026-03-05"],
    ["I'll do it today or tomorrow.", MON, "en", "2026-03-03"],
    ["Could you answer by 3/13?", MON, "en", "2026-03-13"],
    ["Could you answer by 13/3?", MON, "en", "2026-03-13"],
    ["Could you answer by 3/6?", MON, "en", "2026-03-06"],
    ["Would Thursday 5 March suit you?", MON, "en", "2026-03-05"],
    ["Please sign by 2026-03-20.", MON, "en", "2026-03-20"],
    ["Can you let me know by Wed?", MON, "en", "2026-03-04"],
    ["I need it before the weekend.", MON, "en", "2026-03-06"],
    ["Can you send it by the end of next week?", MON, "en", "2026-03-13"],
    ["Can you close the books by year end?", FRI, "en", "2026-12-31"],
    ["Ich schicke es bis Freitag.", MON, "de", "2026-03-06"],
    ["Kannst du mir bis übermorgen die Maße schicken?", SAT, "de", "2026-03-02"],
    ["Bitte bis zum 3.12. zurückschicken.", "2026-11-27", "de", "2026-12-03"],
    ["Schicken Sie mir bitte die Statik bis zum 18.03.", MON, "de", "2026-03-18"],
    ["Bitte bis spätestens 05.01.2027 antworten.", EVE, "de", "2027-01-05"],
    ["Am Montag, den 9. März, bringe ich die Leiter zurück.", MON, "de", "2026-03-09"],
    ["Ich melde mich morgen früh.", TUE_END, "de", "2026-04-01"],
    ["Können Sie bis Ende März zahlen?", MON, "de", "2026-03-31"],
    ["Können Sie bis Ende des Monats zahlen?", MON, "de", "2026-03-31"],
    ["Ich erledige das bis Monatsende.", "2026-02-10", "de", "2026-02-28"],
    ["Ich schicke es bis Ende nächster Woche.", MON, "de", "2026-03-13"],
    ["Hast du am Freitagabend Zeit?", MON, "de", "2026-03-06"],
    ["Könnten Sie nächste Woche Mittwoch kommen?", MON, "de", "2026-03-11"],
    ["Wir liefern in zwei Wochen.", MON, "de", "2026-03-16"],
    ["Bitte bis zum 15. antworten.", FRI, "de", "2027-01-15"],
    ["Wir liefern bis Freitag.", MON, null, "2026-03-06"],
    ["Ich schicke es bis Jahresende.", MON, "de", "2026-12-31"],
    ["Geht Dienstag in einer Woche?", MON, "de", "2026-03-10"],
    ["Je vous l'envoie demain.", MON, "fr", "2026-03-03"],
    ["Tu peux passer après-demain ?", SAT, "fr", "2026-03-02"],
    ["Merci de répondre avant le lundi 9 mars.", MON, "fr", "2026-03-09"],
    ["Je vous l'envoie d'ici le 1er avril.", MON, "fr", "2026-04-01"],
    ["Pouvez-vous payer en fin de mois ?", MON, "fr", "2026-03-31"],
    ["Pouvez-vous payer avant fin février ?", "2026-01-15", "fr", "2026-02-28"],
    ["Je vous réponds d'ici vendredi.", MON, "fr", "2026-03-06"],
    ["Pourriez-vous l'envoyer d'ici la fin de la semaine ?", MON, "fr", "2026-03-06"],
    ["Tu viens jeudi de la semaine prochaine ?", MON, "fr", "2026-03-12"],
    ["On se voit mardi prochain ?", SAT, "fr", "2026-03-03"],
    ["Merci de me le rendre pour le 15.", MON, "fr", "2026-03-15"],
    ["Je te rappelle dans trois jours.", EVE, "fr", "2027-01-02"],
    ["Merci d'envoyer le dossier avant le 05/01.", EVE, "fr", "2027-01-05"],
    ["Peux-tu me le dire ce soir ?", MON, "fr", "2026-03-02"],
    ["Lo envío el viernes.", MON, "es", "2026-03-06"],
    ["¿Me confirmas antes del 20 de marzo?", MON, "es", "2026-03-20"],
    ["Te llamo pasado mañana.", SAT, "es", "2026-03-02"],
    ["Te llamo mañana por la mañana.", MON, "es", "2026-03-03"],
    ["¿Puedes pagarlo a fin de mes?", MON, "es", "2026-03-31"],
    ["¿Puedes enviarlo antes de finales de abril?", MON, "es", "2026-04-30"],
    ["Te lo mando el lunes que viene.", SAT, "es", "2026-03-02"],
    ["Te lo mando el martes de la próxima semana.", MON, "es", "2026-03-10"],
    ["Lo tendrás dentro de dos semanas.", MON, "es", "2026-03-16"],
    ["¿Lo recibo hoy o mañana?", MON, "es", "2026-03-03"],
    ["Lo necesito para el día 15.", MON, "es", "2026-03-15"],
    ["Consegue aprovar a prova até amanhã?", TUE_END, "pt", "2026-04-01"],
    ["Envio-lhe o orçamento até 10 de março.", MON, "pt", "2026-03-10"],
    ["Pode pagar a fatura até ao fim de março?", MON, "pt", "2026-03-31"],
    ["Pode pagar até ao final do mês?", MON, "pt", "2026-03-31"],
    ["Mando-te as fotografias até domingo, 8 de março.", MON, "pt", "2026-03-08"],
    ["Respondo até sexta.", MON, "pt", "2026-03-06"],
    ["Podes vir depois de amanhã?", MON, "pt", "2026-03-04"],
    ["Podemos falar na próxima terça-feira?", SAT, "pt", "2026-03-03"],
    ["Podemos falar na quinta-feira da próxima semana?", MON, "pt", "2026-03-12"],
    ["Envio daqui a três dias.", EVE, "pt", "2027-01-02"],
    ["Preciso disso até dia 15.", FRI, "pt", "2027-01-15"],
    ["Te lo mando entro venerdì.", MON, "it", "2026-03-06"],
    ["Le invierò il preventivo entro il 16 marzo.", MON, "it", "2026-03-16"],
    ["Puoi chiamarmi dopodomani?", SAT, "it", "2026-03-02"],
    ["Può pagare entro fine mese?", MON, "it", "2026-03-31"],
    ["Può pagare entro la fine di aprile?", MON, "it", "2026-04-30"],
    ["Ci vediamo giovedì della prossima settimana?", MON, "it", "2026-03-12"],
    ["Le rispondo fra due settimane.", MON, "it", "2026-03-16"],
    ["Me lo mandi stasera?", MON, "it", "2026-03-02"],
    ["Lo consegniamo entro il 15.", MON, "it", "2026-03-15"],
    ["Ik stuur het vrijdag.", MON, "nl", "2026-03-06"],
    ["Kun je de proefdruk overmorgen goedkeuren?", SAT, "nl", "2026-03-02"],
    ["Ik stuur je de offerte uiterlijk 11 maart.", MON, "nl", "2026-03-11"],
    ["Kunt u eind maart betalen?", MON, "nl", "2026-03-31"],
    ["Kunt u voor het einde van de maand betalen?", MON, "nl", "2026-03-31"],
    ["Kun je donderdag volgende week?", MON, "nl", "2026-03-12"],
    ["Ik bel je over drie dagen.", EVE, "nl", "2027-01-02"],
    ["Graag antwoord voor vrijdagmiddag.", MON, "nl", "2026-03-06"],
    ["Ik stuur het op 3-12.", "2026-11-27", "nl", "2026-12-03"],
    ["明日までにご確認をお願いいたします。", TUE_END, "ja", "2026-04-01"],
    ["11月30日までにお送りください。", "2026-11-27", "ja", "2026-11-30"],
    ["１月５日までにお送りします。", EVE, "ja", "2027-01-05"],
    ["3月9日月曜日までにお知らせください。", MON, "ja", "2026-03-09"],
    ["来週の金曜日までに提出します。", MON, "ja", "2026-03-13"],
    ["今月末までにお支払いください。", MON, "ja", "2026-03-31"],
    ["明後日お電話します。", SAT, "ja", "2026-03-02"],
    ["金曜日までにお願いします。", MON, "ja", "2026-03-06"],
    ["3日以内にご返信ください。", MON, "ja", "2026-03-05"],
    ["本日中にご連絡します。", MON, "ja", "2026-03-02"],
    ["15日までにご回答ください。", MON, "ja", "2026-03-15"],
  ])("%s (%s)", (sentence, today, language, day) => {
    expect(due(sentence, today, language)).toBe(day);
  });

  test.each([
    ["You may call me.", "en"],
    ["I will march on.", "en"],
    ["Call 415-782-7822.", "en"],
    ["It costs $12.50.", "en"],
    ["Version 3.4.5 is out.", "en"],
    ["The sun is out and he sat down.", "en"],
    ["Give me a second.", "en"],
    ["Could you send a new 72 hour link?", "en"],
    ["Would four days be enough?", "en"],
    ["Could you look after the cat for a week?", "en"],
    ["Can you be away for a week from Wednesday?", "en"],
    ["Do you open every Friday?", "en"],
    ["Did you get the file I sent on Friday?", "en"],
    ["Have you paid the invoice of 12 February?", "en"],
    ["Could you tell me what we agreed last Thursday?", "en"],
    ["Is 3/4 of it enough?", "en"],
    ["Could you answer by 4/5?", "en"],
    ["Is the course 24/7?", "en"],
    ["Can we talk next week?", "en"],
    ["Reicht es in der Version 2.1?", "de"],
    ["Guten Morgen, wie war es?", "de"],
    ["Brauchst du vier Wochen?", "de"],
    ["Kommst du um 18.30 Uhr?", "de"],
    ["Spielt ihr jeden Dienstag?", "de"],
    ["Est-ce que trois jours suffisent ?", "fr"],
    ["As-tu reçu la lettre du 12 février ?", "fr"],
    ["¿Tienes libre por la mañana?", "es"],
    ["¿Bastan cuatro días?", "es"],
    ["A segunda versão está boa?", "pt"],
    ["Bastam quatro dias?", "pt"],
    ["Bastano tre giorni?", "it"],
    ["Is drie weken genoeg?", "nl"],
    ["印刷には二週間かかりますか。", "ja"],
    ["3日間で足りますか。", "ja"],
  ])("none in: %s", (sentence, language) => {
    expect(due(sentence, MON, language)).toBeNull();
  });

  test("is relative to the day in the writer's time zone", () => {
    const at = Date.parse("2026-03-02T23:30:00Z");
    expect(dueDay("I do it tomorrow.", { at, offsetMin: 120 }, "en")?.day).toBe("2026-03-04");
    expect(dueDay("I do it tomorrow.", { at, offsetMin: -300 }, "en")?.day).toBe("2026-03-03");
  });
});

test("all days of a sentence are found, with their positions", () => {
  const sentence = "Is it Monday or Thursday 12 March, or did we meet on 1 March?";
  const days = daysIn(sentence, { at: Date.parse(`${MON}T09:00:00Z`), offsetMin: 0 }, "en");
  expect(days.map(({ day, role }) => `${day} ${role}`)).toEqual(["2026-03-09 on", "2026-03-12 on", "2026-03-01 past"]);
  for (const { text, start, end } of days) expect(sentence.slice(start, end)).toBe(text);
});

test("text that is made to keep readers busy does not", () => {
  const work = workFromNow();
  for (const piece of ["1.1.", "by ", "end of ", "in 2 ", "12 march ", "monday ", "1/1/", "am 5. ", "月", "3日"]) {
    daysIn(piece.repeat(50_000), { at: 0, offsetMin: 0 }, null);
  }
  expect(work()).toBeLessThan(1_000);
});
