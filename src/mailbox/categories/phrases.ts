/**
 * Phrases of mail to many people and of mail by programs, which `readBody` searches for. All are in lower case. The
 * order has no meaning.
 */

import { PhraseIndex } from "./phrase-index.ts";

/** Offers to end a subscription. Beginnings of words, and parts of the addresses of links. */
const OPT_OUT = `
  unsubscri|unsub/|unsub[?]|un-subscribe|opt-out|opt_out|optout|opt out|opting out|stop (?:receiving|getting) |leave (?:this|our|the) (?:mailing )?list|come off (?:this|our|the|my) (?:mailing )?list|off (?:this|our) list|longer wish to (?:receive|be)|
  longer want to receive|(?:not|don['’]t) (?:want|wish) to receive|prefer not to receive|
  remove (?:yourself|me)|be removed from|
  take me off|end your subscription|cancel your subscription to this|(?:e-?mail|mailing|subscription|communication) preferences|
  manage (?:your |my )?(?:e-?mail )?(?:subscriptions?|preferences)|update (?:your |my )?(?:e-?mail |profile )?preferences|
  mailto:leave-|mailto:remove|
  abmeld|abbestell|austragen|abzubestellen|abzumelden|meld(?:e|en|et)? (?:dich|sie sich|euch)[^.]{0,25} ab\\b|(?:bestelle|bestellen sie|bestell)[^.]{0,25} ab\\b|nicht (?:mehr|länger|weiter) (?:erhalten|empfangen|bekommen|bezogen)|
  keine (?:weiteren |solchen )?(?:newsletter|e-?mails|mails|werbung) mehr|newsletter-einstellungen|
  désabonn|desabonn|désinscri|desinscri|ne plus recevoir|ne (?:souhaitez|voulez|désirez|souhaites|veux) plus|vous retirer de|vos préférences d|
  (?:dar|darse|darte|date|dese) de baja|cancel(?:ar|a|e) (?:la |tu |su |mi )?suscripción|anular (?:la |tu |su )?suscripción|
  desuscri|date de baja|borrar(?:te|se|me) de|borrarte|cancela (?:tu|la) suscripción|dejar de recibir|no (?:deseas|desea|quieres|quiere) (?:seguir )?recib|cancelar-suscripcion|darse-de-baja|
  (?:cancelar|anular|remover) (?:a |a sua |sua )?(?:inscrição|subscrição|assinatura)|descadastr|dessubscre|remover(?:-me|-se)? (?:da|desta) lista|remover-me|sair da lista|
  deixar de receber|não (?:deseja|desejar|quer|quiser|pretende|pretender) (?:mais )?receber|cancelar o recebimento|
  disiscri|cancellati\\b|cancellarti|cancellarsi|togli(?:mi|ti) dalla|cancell(?:a|ati|are|arti|arsi|azione)[^.]{0,20}(?:iscrizione|newsletter|mailing)|annull(?:a|are) (?:l['’])?iscrizione|
  non (?:desideri|desidera|vuoi|vuole) più ricev|non ricevere più|
  uitschrij|uit te schrijven|schrijf (?:je|u)[^.]{0,25} uit\\b|afmeld|af te melden|meld (?:je|u|jezelf)[^.]{0,25} af\\b|geen (?:e-?mails?|mails?|nieuwsbrief|nieuwsbrieven|berichten) meer|(?:niet langer|niet meer|geen [^.]{0,20}meer) (?:wil )?(?:wilt )?ontvangen|
  avregistr|avsluta prenumer|avprenum|avanmäl|avsluta (?:din |prenum)|säga upp (?:din )?prenum|frameld|afmelde|avmeld|meld deg av|
  peruuta tilaus|peru tilaus|peruuttaa (?:uutis|tilau)|lopeta tilaus|
  wypisz|nie chcesz (?:już )?(?:dostawać|otrzymywać)|wypisać|wypisa|zrezygnuj|zrezygnować|rezygnacj|anuluj subskr|odhlás|odhlas|zrušit odběr|zrušiť odber|
  leiratkoz|dezabon|отписат|отписк|отпишит|otpis|отказаться от (?:рассыл|подпис)|(?:не|больше) (?:хотите|желаете) получать|
  відписат|скасувати підпис|απεγγραφ|κατάργηση εγγραφ|διαγραφ[ήη] από|
  (?:aboneli|üyeli|liste)\\S{0,12} (?:çık|ayrıl|iptal)|almak istemiyor|
  hủy đăng ký|huỷ đăng ký|ngừng nhận|berhenti berlangganan|
  配信停止|配信解除|登録解除|購読解除|購読停止|購読を(?:停止|解除)|配信を(?:停止|解除|希望)|メルマガの?解除|退会|
  退订|退訂|取消订阅|取消訂閱|取消訂閲|수신\\s?거부|구독\\s?(?:취소|해지)|수신을 원치|
  ยกเลิกการ(?:รับ|สมัคร)|เลิกรับ|إلغاء (?:ال)?اشتراك|الغاء (?:ال)?اشتراك|להסרה מ|הסרה מרשימ|ביטול (?:ה)?מנוי|להסיר את עצמ`;

/** Says why the reader gets the mail, or how to read it elsewhere: only mail to many people does. */
const READER_NOTE = `
  you(?:['’]re| are) (?:currently )?(?:receiving|getting) (?:this|these)|you (?:received|got|get) this (?:e-?mail|message|newsletter|because)|you(?:['’]re| are) on (?:this|the|our|my) (?:mailing )?list|
  you(?:['’]re| are| have been| have)? (?:currently )?(?:subscribed|signed up|opted[ -]in) (?:to|as|for|at|on|with)|
  because you (?:have )?(?:subscribed|signed up|registered|opted|asked|requested|are (?:a|subscribed|registered))|
  this (?:e-?mail|message|newsletter|mailing) (?:was|has been|is|is being) sent (?:to|by)|
  (?:e-?mail|message|newsletter|it) in (?:your|a) (?:web ?)?browser|in browser|view (?:it )?online|web version|
  (?:trouble|problems|difficulty) (?:viewing|reading|seeing)|can['’]?t (?:see|read) (?:this|the images)|
  to (?:your|the) address ?book|forward (?:this )?to a friend|this newsletter|our newsletter|our mailing list|
  all rights reserved|
  (?:sie|du) (?:erhalten|erhältst|bekommst|bekommen) (?:diese|den|unseren)|diese (?:e-?mail|mail|nachricht) (?:wurde|ist|geht|ging) (?:an|versendet|gesendet)|
  im (?:web)?browser (?:ansehen|anzeigen|öffnen|lesen|betrachten)|online-?(?:version|ansicht)|webversion|web-version|
  nicht (?:richtig|korrekt) (?:dargestellt|angezeigt)|alle rechte vorbehalten|(?:diesen|unseren|unser|unserem|dieser|den) newsletter|
  für den newsletter|zum newsletter|weiterempfehlen|
  vous recevez (?:ce|cet|cette)|(?:ce message|cet? e-?mail|ce courriel) (?:vous )?(?:a été|est) (?:envoyé|adressé)|car vous (?:êtes|avez)|
  version (?:en ligne|web)|(?:dans|sur) (?:votre|ton|un) navigateur|tous droits réservés|
  (?:notre|cette|la) (?:newsletter|infolettre|lettre d['’]information)|
  recib(?:es|e|iste|ió|ido) (?:este|esta)|este (?:correo|mensaje|e-?mail|boletín)(?: electrónico)? (?:ha sido|fue|se ha|se) envi|
  en (?:tu|su|el) navegador|versión (?:online|web|en línea)|todos los derechos reservados|te (?:has suscrito|suscribiste)|
  (?:nuestro|este|al) boletín|(?:nuestra|esta|la) newsletter|
  (?:está|estás) a receber|está recebendo|recebeu (?:este|esta)|recebe (?:este|esta)|
  (?:este e-?mail|esta mensagem|esta newsletter) (?:foi|é) enviad|no (?:seu |teu )?(?:navegador|browser)|versão (?:online|web)|
  todos os direitos reservados|(?:nossa|nosso|a nossa|esta) newsletter|
  (?:ricevi|ricevete|riceve|ricevuto|ricevendo) (?:questa|questo)|(?:questa e-?mail|questo messaggio|questa newsletter) (?:è|ti è) stat|
  nel (?:tuo )?browser|versione (?:online|web)|tutti i diritti riservati|(?:nostra|alla|questa) newsletter|
  (?:je|u) ontvangt (?:deze|dit)|(?:deze e-?mail|deze mail|dit bericht|deze nieuwsbrief) (?:is|werd|wordt) (?:verzonden|verstuurd)|
  in (?:je|uw) browser|bekijk (?:deze|de|online)|online ?versie|webversie|(?:onze|deze|de) nieuwsbrief|
  du (?:får|modtager|mottar) (?:detta|denne|dette)|i (?:din )?(?:webbläsare|browser|nettleser)|
  (?:nyhetsbrev|nyhedsbrev|uutiskirje)|selaimessa|saat tämän|
  otrzymujesz t[ęe]|otrzymałeś t[ęe]|w przeglądarce|wiadomość została wysłana do|newslettera|
  v prohlížeči|v prehliadači|dostáváte tento|böngészőben|
  вы получили (?:это|данное)|вы получаете|(?:это письмо|данное письмо|сообщение) (?:было )?(?:отправлено|адресовано)|
  в браузере|рассылк|ви отримали|у браузері|
  bu e-?posta(?:yı)? .{0,40}(?:gönderil|aldınız|alıyorsunuz)|tarayıcı(?:nız)?da|
  メールマガジン|メルマガ|ブラウザで|ご登録(?:いただ|の方|者)|このメールは.{0,40}(?:お送り|配信|送信)|
  您收到(?:此|这|這|本)|本邮件由|此邮件|此郵件|本郵件|浏览器(?:中)?查看|瀏覽器|电子报|電子報|订阅了|訂閱了|
  뉴스레터|본 메일은|이 메일은|브라우저에서|\\(광고\\)`;

/** Says that a program wrote the mail, or that no one reads an answer. */
const AUTOMATIC = `
  no-reply address|replies (?:to this \\S{1,20} )?(?:are|will) not|produced by (?:the|our) [^.]{0,30}system|cannot (?:receive|accept) replies|(?:do not|don['’]t|not to) (?:reply|respond) (?:directly )?to this|please do not reply|please don['’]t reply|
  this is an? (?:automat|auto-generated|system[ -]generated)|automatically[ -]generated|auto-generated|
  (?:sent|created|generated) automatically|automated (?:e-?mail|message|notification|response)|
  (?:mailbox|inbox|address|account) is (?:not monitored|unmonitored|not (?:being )?(?:read|checked))|
  repl(?:y|ies) (?:to this \\S{1,20} )?(?:are not|aren['’]t|is not|will not be|cannot be) (?:monitored|read|answered)|
  (?:antworten sie|antworte) (?:bitte )?nicht auf|bitte nicht (?:auf diese|antworten)|nicht direkt auf diese|
  automatisch (?:generiert|erstellt|erzeugt|versendet|verschickt|versandt)|automatische (?:nachricht|e-?mail|benachrichtigung)|
  (?:antworten|nachrichten) an diese adresse (?:werden|können)|
  (?:merci de|veuillez) ne pas répondre|ne pas répondre à (?:ce|cet)|ne répondez pas|(?:généré|envoyé)e? automatiquement|
  (?:message|courriel|e-?mail) (?:est )?automatique|
  (?:mail|correo|mensaje|messaggio|mensagem) automátic[oa]|no (?:responda|respondas|conteste|contestes)(?: directamente)? (?:a|este)|(?:mensaje|correo|e-?mail)(?: electrónico)? (?:es )?automático|
  (?:generado|enviado) automáticamente|
  não (?:responda|responder) (?:a |diretamente )?(?:a )?est|por favor,? não responda|(?:mensagem|e-?mail) automátic|
  (?:gerad|enviad)[oa] automaticamente|envio automático|
  (?:non|di non) risponder[ei] (?:a|direttamente)|(?:generat|inviat)[oa] automaticamente|(?:messaggio|e-?mail|mail) automatic[oa]|
  niet (?:direct |rechtstreeks )?(?:op deze (?:e-?mail|mail)|op dit bericht)|(?:e-?mail|bericht|mail) niet beantwoorden|niet worden beantwoord|automatisch bericht|automatisch (?:gegenereerd|verstuurd|verzonden|aangemaakt)|
  svara inte på|inte att svara på|inte svara på|automatiskt (?:genererat|skickat|meddelande)|(?:svar|svare) ikke på|kan ikke besvares|
  automatisk (?:generer|sendt|besked|melding)|älä vastaa|automaattinen viesti|
  nie odpowiada[ćj]|(?:wygenerowan|wysłan)[aey] automatycznie|automatyczna wiadomość|wiadomość automatyczna|neodpovídejte|neodpovedajte|
  ne válaszolj|не отвечайте на|не нужно отвечать|(?:отправлено|сформировано|создано) автоматически|автоматическ\\S{1,5} (?:сообщени|уведомлени|письмо)|
  не відповідайте|(?:yanıtlamayın|cevaplamayın)|otomatik olarak (?:gönder|oluştur)|
  返信しないで|返信(?:いただいて|いただきまして|頂いて|されて)も|返信(?:は|には)(?:でき|お答え|お受け|対応)|返信できません|自動(?:送信|配信|的に)|送信専用|
  请勿(?:直接)?(?:回复|回覆)|請勿(?:直接)?(?:回复|回覆)|请不要回复|系统自动|系統自動|自动发送|自動發送|自动发出|
  발신\\s?전용|회신(?:하지|이 불가|되지)|자동(?:으로)? ?(?:발송|발신|생성)`;

/** Something that the reader ordered, owns or must act on. Stricter than transactionWords, because texts are long. */
const TRANSACTION_TEXT = `
  (?:thank you|thanks) for (?:your (?:order|purchase|payment|booking|reservation|donation)|shopping|ordering|booking|paying|travelling)|
  (?:order|invoice|booking|reservation|tracking|receipt|ticket|reference|transaction|policy|parcel|confirmation|case)
  (?: (?:number|no\\.?|id|code|reference|nr\\.?))? ?(?:is )?[:#]* ?#?[a-z]{0,4}[-/ ]?\\d{3,}|
  your (?:order|parcel|package|item|items|shipment|booking|reservation|payment|refund|invoice|receipt|bill|e-?bill|statement|ticket|tickets|appointment|delivery|card|claim|application|request|password|e-?mail address|direct debit|subscription|plan|account|return)
  (?: \\S{1,30}){0,4} (?:has|have|was|were|is (?:on its|ready|due|confirmed|being|attached|now|about|complete|available|below|scheduled|overdue)|are (?:on their|attached|confirmed)|will (?:be|renew|expire|arrive)|(?:shipped|confirmed|renews|expires|arrives))\\b|
  (?:verification|security|confirmation|login|sign-in|access|one-time|activation) (?:code|password|pin)|(?:reset|change) (?:your|the) password|
  (?:confirm|verify|validate|activate) your (?:e-?mail|account|address|registration|identity)|
  (?:we(?:['’]ve| have)? received your (?:payment|order|request|application|return|enquiry))|payment (?:received|of [$£€\\d])|amount (?:due|paid|charged)|
  (?:new|unusual|recent) (?:sign-?in|log-?in|device)|was charged|has been (?:shipped|dispatched|delivered|credited|debited)|out for delivery|
  please review and sign|document to sign|check in now|online check-in|(?:boarding pass|e-ticket)|your card was declined|(?:is|are) due (?:back )?(?:on|this|in)|due (?:on|by|back on) \\d|(?:total|subtotal|order total|grand total|amount)(?: paid| due)?:? ?(?:[$£€¥₹]|eur|usd|gbp|chf) ?\\d|
  (?:bestell|auftrags|rechnungs|kunden|sendungs|buchungs|vorgangs|vertrags|ticket|referenz|beleg)-?(?:nummer|nr\\.?|code|id)|
  (?:ihre|deine|ihrer|deiner) (?:bestellung|rechnung|sendung|zahlung|buchung|reservierung|überweisung|rücksendung|lieferung|mahnung|anmeldung|kündigung)|
  (?:ihr|dein|ihren|deinen|ihrem|deinem) (?:paket|termin|kontoauszug|passwort|konto|vertrag|einkauf|kauf|ticket|beleg)|
  (?:bestätigungs|sicherheits|verifizierungs|zugangs|einmal)-?(?:code|passwort)|passwort zurück|online-ticket|abholbereit|wird am \\S{2,12} (?:\\S{2,12} )?(?:abgebucht|eingezogen)|(?:vielen )?dank für (?:ihre|deine|ihren|deinen) (?:bestellung|buchung|einkauf|zahlung|anmeldung|bezahlung)|lastschrift|fällig am|rechnungsbetrag|gesamtbetrag|gesamtsumme|
  votre (?:commande|facture|colis|paiement|réservation|billet|relevé|mot de passe|rendez-vous|compte|remboursement|livraison|achat|abonnement (?:a|est|sera))|
  numéro de (?:commande|suivi|facture|réservation|dossier|client)|code de (?:vérification|sécurité|confirmation)|code (?:à )?usage unique|montant ?: ?\\d|prélevé le|merci (?:pour|de) votre (?:commande|achat|réservation)|montant (?:total|dû|à payer)|échéance|
  (?:tu|su) (?:pedido|factura|paquete|envío|pago|reserva|cita|recibo|extracto|contraseña|compra|cuenta|reembolso|billete|tarjeta)|
  número de (?:pedido|seguimiento|factura|reserva|referencia|cliente)|código de (?:verificación|seguridad|confirmación|reserva)|gracias por (?:tu|su) (?:compra|pedido|reserva|pago)|total pagado|importe(?: total)?:|
  (?:a sua|sua|o seu|seu|da sua|do seu|tua|teu) (?:encomenda|fatura|pedido|pagamento|reserva|compra|recibo|extrato|conta|palavra-passe|senha|consulta|entrega|marcação|reembolso|bilhete)|
  número (?:da|do|de) (?:encomenda|pedido|fatura|reserva|cliente|rastreio)|código de (?:verificação|segurança|confirmação|rastreio)|a encomenda [a-z]{0,3}-?\\d|no valor de|débito direto|boleto|código de barras|obrigad[oa] (?:pela|por) (?:sua |a sua )?(?:compra|encomenda|reserva)|
  (?:il tuo|il suo|la tua|la sua|del tuo|della tua) (?:ordine|pacco|fattura|pagamento|prenotazione|spedizione|ricevuta|acquisto|password|account|appuntamento|estratto|biglietto|conto|bolletta|rimborso)|
  (?:numero|codice) (?:d['’]?ordine|ordine|di (?:tracciamento|verifica|sicurezza|prenotazione|conferma)|fattura)|grazie per (?:il tuo|il suo|l['’]|aver) ?(?:ordine|acquisto|acquistato|prenotato|ordinato)|importo(?: totale)?:|scadenza|l['’]ordine [a-z]{0,3}-?\\d|estratto conto|affidato al corriere|
  (?:je|uw|jouw) (?:bestelling|pakket|factuur|betaling|boeking|reservering|afspraak|rekening|zending|wachtwoord|retour|aankoop|ticket|levering|account)|
  (?:bestel|order|factuur|klant|boekings|track)-?(?:nummer|code)|(?:zaak|dossier|referentie)nummer|uw aanvraag|bedankt voor (?:je|uw) (?:bestelling|aankoop)|
  (?:din|ditt|dit|dina) (?:beställning|order|faktura|betalning|bokning|pakke|paket|ordre|bestilling|kvittering|kvitto|betaling|levering|leverans|försändelse|lösenord|adgangskode|konto)|(?:order|faktura|ordre|boknings|bestillings|kolli|pakke)-?(?:nummer|nr)|
  tilauksesi|tilausnumero|laskusi|(?:twoje|twoja|twojego|państwa) (?:zamówieni|przesyłk|płatnoś|faktur|rezerwacj|hasł|kont)|numer (?:zamówienia|przesyłki|faktury)|
  (?:vaše|vaší) (?:objednávk|zásilk|faktur|platb|rezervac)|číslo (?:objednávky|zásilky|faktury)|
  ваш(?:а|у|ей|его|е|ему)? (?:заказ|счёт|счет|посылк|платеж|платёж|бронирован|пароль|билет|аккаунт|карт|оплат|доставк)|номер (?:заказа|счёта|счета|отправления|брони)|код (?:подтверждени|для входа|доступа)|сумма (?:к оплате|платежа|заказа)|
  sipariş(?:iniz|in| numara| no)|fatura(?:nız|nızın)|kargo(?:nuz|ya verildi)|doğrulama kodu|
  ご注文(?:番号|ありがとう|いただ|内容|の商品)|注文番号|ご予約(?:番号|ありがとう|内容|が)|予約番号|お支払い?(?:金額|方法|が)|請求(?:金額|書)|ご利用(?:明細|金額)|(?:発送|出荷)(?:いた|しました|完了)|お届け予定|認証コード|確認コード|ワンタイムパスワード|有効時間|追跡番号|パスワードの(?:再設定|変更)|
  (?:您|你)的(?:订单|訂單|包裹|快递|账单|帳單|验证码|驗證碼|预订|預訂|发票|發票|密码|密碼|账户|帳戶)|订单(?:号|编号)|訂單(?:編號|號碼)|运单号|(?:已|已经)发货|验证码|驗證碼|应付金额|
  주문\\s?(?:번호|하신|이|내역)|결제\\s?(?:금액|완료|가|내역)|운송장|인증\\s?번호|예약\\s?(?:번호|이|완료)|배송이|청구\\s?금액`;

/** Names of mail that is published: in the sender's name, the subject or the note to the reader. */
const NEWSLETTER = `
  newsletter|news letter|e-?news\\b|rundbrief|mailing list|infolettre|lettre d['’]info|boletín|boletim|nieuwsbrief|nyhetsbrev|nyhedsbrev|
  uutiskirje|biuletyn|zpravodaj|hírlevél|рассылк|розсилк|bülten|メールマガジン|メルマガ|ニュースレター|뉴스레터|电子报|電子報|通讯订阅`;

export type Phrase = "unsubscribe" | "note" | "automatic" | "transaction" | "newsletter";

let index: PhraseIndex<Phrase> | undefined;

/** Returns the index of all phrases, which is built when the first text is read. */
export function phrases(): PhraseIndex<Phrase> {
  index ??= new PhraseIndex<Phrase>({
    unsubscribe: OPT_OUT,
    note: READER_NOTE,
    automatic: AUTOMATIC,
    transaction: TRANSACTION_TEXT,
    newsletter: NEWSLETTER,
  });
  return index;
}
