/** The names of the days of the week, as mail programs write them before a date. */

/**
 * Names and abbreviations in lower case, of the languages in the test; a name that several have is listed once. Written
 * down, because to ask the runtime takes 30 ms in each thread and 19 MB.
 */
const NAMES = `
  mon, tue, wed, thu, fri, sat, sun, monday, tuesday, wednesday, thursday, friday, saturday, sunday
  mo, di, mi, do, fr, sa, so, montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag
  lun., mar., mer., jeu., ven., sam., dim., lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche
  lun, mar, mié, jue, vie, sáb, dom, lunes, martes, miércoles, jueves, viernes, sábado, domingo
  mer, gio, ven, sab, lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica
  ma, wo, vr, za, zo, maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag
  seg., ter., qua., qui., sex., sáb., dom., segunda-feira, terça-feira, quarta-feira, quinta-feira, sexta-feira
  mån, tis, ons, tors, fre, lör, sön, måndag, tisdag, onsdag, torsdag, fredag, lördag, söndag
  man., tir., ons., tor., fre., lør., søn., mandag, tirsdag, lørdag, søndag
  tirs., tors.
  ti, ke, to, pe, la, su, maanantai, tiistai, keskiviikko, torstai, perjantai, lauantai, sunnuntai
  pon., wt., śr., czw., pt., sob., niedz., poniedziałek, wtorek, środa, czwartek, piątek, sobota, niedziela
  po, út, st, čt, pá, ne, pondělí, úterý, středa, čtvrtek, pátek, neděle
  ut, št, pi, pondelok, utorok, streda, štvrtok, piatok, nedeľa
  пн, вт, ср, чт, пт, сб, вс, понедельник, вторник, среда, четверг, пятница, суббота, воскресенье
  нд, понеділок, вівторок, середа, четвер, пʼятниця, субота, неділя
  pzt, sal, çar, per, cum, cmt, paz, pazartesi, salı, çarşamba, perşembe, cuma, cumartesi, pazar
  h, k, sze, cs, p, szo, v, hétfő, kedd, szerda, csütörtök, péntek, szombat, vasárnap
  mie., joi, vin., sâm., dum., luni, marți, miercuri, vineri, sâmbătă, duminică
  δευ, τρί, τετ, πέμ, παρ, σάβ, κυρ, δευτέρα, τρίτη, τετάρτη, πέμπτη, παρασκευή, σάββατο, κυριακή
  יום ב׳, יום ג׳, יום ד׳, יום ה׳, יום ו׳, שבת, יום א׳, יום שני, יום שלישי, יום רביעי, יום חמישי, יום שישי, יום שבת, יום ראשון
  الاثنين, الثلاثاء, الأربعاء, الخميس, الجمعة, السبت, الأحد
  دوشنبه, سه‌شنبه, چهارشنبه, پنجشنبه, جمعه, شنبه, یکشنبه
  月, 火, 水, 木, 金, 土, 日, 月曜日, 火曜日, 水曜日, 木曜日, 金曜日, 土曜日, 日曜日
  周一, 周二, 周三, 周四, 周五, 周六, 周日, 星期一, 星期二, 星期三, 星期四, 星期五, 星期六, 星期日
  週一, 週二, 週三, 週四, 週五, 週六, 週日
  월, 화, 수, 목, 금, 토, 일, 월요일, 화요일, 수요일, 목요일, 금요일, 토요일, 일요일
  pon, uto, sri, čet, pet, sub, ned, ponedjeljak, utorak, srijeda, četvrtak, petak, subota, nedjelja
  sre., čet., pet., ned., ponedeljek, torek, sreda, četrtek, petek, nedelja
  пон, уто, сре, чет, пет, суб, нед, понедељак, уторак, четвртак, петак, недеља
  понеделник, сряда, четвъртък, петък, събота, неделя
  e, t, n, r, l, esmaspäev, teisipäev, kolmapäev, neljapäev, reede, laupäev, pühapäev
  pr, an, tr, kt, pn, sk, pirmadienis, antradienis, trečiadienis, ketvirtadienis, penktadienis, šeštadienis, sekmadienis
  pirmd., otrd., trešd., ceturtd., piektd., sestd., svētd., pirmdiena, otrdiena, trešdiena, ceturtdiena, piektdiena, sestdiena, svētdiena
  thứ 2, thứ 3, thứ 4, thứ 5, thứ 6, thứ 7, cn, thứ hai, thứ ba, thứ tư, thứ năm, thứ sáu, thứ bảy, chủ nhật
  sen, sel, rab, kam, jum, min, senin, selasa, rabu, kamis, jumat, sabtu, minggu
  dl., dt., dc., dj., dv., ds., dg., dilluns, dimarts, dimecres, dijous, divendres, dissabte, diumenge
  จันทร์, อังคาร, พุธ, พฤหัส, ศุกร์, เสาร์, อาทิตย์, วันจันทร์, วันอังคาร, วันพุธ, วันพฤหัสบดี, วันศุกร์, วันเสาร์, วันอาทิตย์
  सोम, मंगल, बुध, गुरु, शुक्र, शनि, रवि, सोमवार, मंगलवार, बुधवार, गुरुवार, शुक्रवार, शनिवार, रविवार
  th 2, th 3, th 4, th 5, th 6, th 7
`;

let names: string[] | null = null;

/** Returns names and abbreviations in lower case, longest first, escaped for a pattern, without a final period. */
export function weekdays(): readonly string[] {
  names ??= NAMES.trim()
    .split(/,\s|\n\s*/)
    .map((name) => name.replace(/\.$/, "").replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .sort((a, b) => b.length - a.length);
  return names;
}
