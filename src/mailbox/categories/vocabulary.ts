import { lazy } from "../../kernel/lazy.ts";

/**
 * Words in subjects that `categorize` searches for, in the most common languages of mail. The order has no meaning.
 */

/** Words in subjects about something that the reader ordered, owns or must act on. */
export const transactionWords = wordPattern({
  words: `
    orders?|ordered|invoices?|receipts?|payments?|paid|refund(?:ed)?|ship(?:ped|ping|ment)|dispatched|
    out for delivery|delivered|delivery|package|parcel|tracking|booking|reservation|itinerary|boarding pass|
    check[- ]?in|e-?ticket|tickets?|statements?|balance|transaction|transfer|direct debit|bill|billing|renewal|password|
    passcode|verification|verify|confirm|confirmation|security|sign-?in|log-?in|new device|one-time|otp|two-factor|
    2fa|appointment|reminder|your account|terms of (?:service|use)|privacy policy|subscription (?:has|will|is)|
    support request|(?:document|documents) to sign|please sign|signature requested|(?:items?|tasks?) due|due (?:soon|today|tomorrow|this week)|declined|code|termin|versand|umsatz|konto|commandes?|factures?|reçu|colis|relevé|virement|
    mot de passe|rendez-vous|rappel|échéance|pedidos?|facturas?|faturas?|recibos?|pagos?|pagamentos?|envíos?|envio|
    enviado|entrega|reservas?|extracto|extrato|contraseña|senha|cita|lembrete|recordatorio|ordine|fattura|ricevuta|
    spedito|consegna|pacco|estratto conto|bonifico|verifica|conferma|appuntamento|promemoria|scadenza|factuur|
    pakket|boeking|faktura|kvitto|ordre|kvittering|lasku|kuitti|kargo|fatura|ödeme|şifre|чек|код`,
  stems: `
    fahrkarte|abbuchung|beitragsanpassung|bestell|rechnung|zahlung|versend|liefer|zustell|paket|sendung|buchung|reservier|kontoauszug|lastschrift|
    überweis|gutschrift|passwort|kennwort|bestätig|sicherheitshinweis|anmeldung|erinnerung|mahnung|vertrag|
    kündigung|paiement|expédi|livraison|réservation|vérification|transferencia|transferência|verificación|
    verificação|confirmación|confirmação|spedizion|prenotazion|betaling|verzond|bezorg|levering|reservering|
    rekening|wachtwoord|bevestig|afspraak|herinnering|beställning|betalning|leverans|försändelse|bokning|lösenord|
    bekräft|påminnelse|forsendelse|adgangskode|passord|bekræft|bekreft|påmindelse|tilau|toimitu|varau|salasana|
    vahvistu|zamówieni|płatnoś|przesył|dostaw|rezerwac|wyciąg|hasł|potwierdz|przypomn|objednáv|faktúr|platb|zásilk|
    zásiel|rendelés|számla|fizetés|szállítás|foglalás|jelsz|comand[aă]|plat[aă]|livrare|parol[aă]|заказ|счет|счёт|
    оплат|платеж|платёж|доставк|посылк|бронирован|пароль|подтвержд|выписк|напоминан|замовленн|рахун|παραγγελ|
    τιμολόγι|πληρωμ|κωδικ|sipariş|teslimat|rezervasyon|doğrulama|hesap özeti|đơn hàng|hóa đơn|thanh toán|pesanan|
    tagihan|pembayaran`,
  signs: `
    case #|订单|訂單|发票|發票|收据|付款|支付|发货|發貨|出貨|配送|快递|物流|预订|預訂|对账单|账单|帳單|验证码|驗證碼|密码|
    密碼|安全提醒|登录|登入|注文|請求|領収|お支払|発送|お届け|配達|予約|明細|認証コード|確認コード|パスワード|
    ログイン|주문|결제|영수증|배송|예약|명세서|인증|비밀번호|로그인|청구|คำสั่งซื้อ|ใบเสร็จ|ชำระเงิน|จัดส่ง|
    รหัสผ่าน|طلبك|فاتورة|الدفع|شحن|كلمة المرور|رمز التحقق|הזמנה|חשבונית|תשלום|משלוח|סיסמה|קוד אימות`,
});

/** Words in subjects that advertise. */
export const promotionWords = wordPattern({
  words: `
    sale|(?:great|hot|best|top|daily|weekend|today's|our) deals?|deals|discounts?|coupons?|vouchers?|promo|promos|
    promotions?|promo code|special offers?|offers?|exclusive|exclusively|limited[- ]time|last chance|
    ends (?:today|tonight|soon|sunday|monday)|final hours|hurry|don['’]?t miss|save (?:up to|big|\\d+%?)|clearance|
    black friday|cyber monday|prime day|free (?:shipping|trial|gift|delivery)|gift guide|new arrivals|just dropped|
    shop now|buy one|buy now|bogo|giveaway|win a|lowest prices?|flash sale|upgrade now|
    (?:bonus|reward|double) points|aktion|aktionen|sparen|gratis|nur (?:heute|noch)|letzte chance|versandkostenfrei|
    neuheiten|gewinnspiel|jetzt (?:sichern|shoppen|bestellen|kaufen|sparen)|soldes|remises?|réductions?|offres?|
    bons plans|code promo|livraison (?:offerte|gratuite)|derni(?:ère|er)s? (?:chance|jours?|heures?)|
    ventes? (?:privées?|flash)|profitez|nouveautés|ofertas?|descuentos?|rebajas|cupón|envío gratis|
    últim[ao]s? (?:horas|días|dias|oportunidad|chance)|ahorra|liquidación|novedades|descontos?|cupom|frete grátis|
    aproveite|liquidação|sconti|sconto|saldi|offert[ae]|buono|spedizione gratuita|
    ultim[ei] (?:ore|giorni|occasione)|risparmia|novità|korting|aanbieding|aanbiedingen|uitverkoop|laatste kans|
    bespaar|actie|rea|fri frakt|sista chansen|tilbud|udsalg|salg|ale|alennus|tarjous|kupon|indirim|promocja|okazja|
    darmowa dostawa|sleva|slevy|akce|akció|ofertă|oferta|только сегодня|последний шанс|бесплатная доставка|
    ücretsiz kargo|giảm giá|khuyến mãi|ưu đãi|diskon|gratis ongkir`,
  stems: `
    rabatt|gutschein|sonderangebot|schnäppchen|ausverkauf|schlussverkauf|promoci|promoç|promozion|kortingscode|
    erbjudande|kampanj|kampanje|kampagne|alennuks|tarjouks|wyprzedaż|zniżk|oszczędz|výprodej|zľav|výpredaj|
    kedvezmény|leáraz|reducer|скидк|распродаж|акци|промокод|купон|выгод|знижк|розпродаж|отстъпк|намален|προσφορ|
    εκπτώσ|έκπτωσ|κουπόν|kampanya|fırsat`,
  signs: `
    优惠|優惠|折扣|打折|促销|促銷|特价|特價|满减|红包|秒杀|免运|免運|限时|限時|双11|[0-9]折|セール|割引|クーポン|
    キャンペーン|お得|特価|送料無料|할인|쿠폰|세일|특가|무료배송|ส่วนลด|โปรโมชั่น|ลดราคา|خصم|عروض|تخفيضات|מבצע|הנחה|
    קופון|[-–−]\\d{1,2} ?%|
    \\d{1,3} ?% (?:off|auf|de|di|sur|en|op|på|na|rabatt?|korting|sparen|discount|скидк|indirim)|
    (?:up to|bis zu|jusqu['’]à|hasta|fino al|até|tot|до) (?:un )?\\d{1,3} ?%|\\d{1,3} ?%(?:オフ|割引|할인)|
    [$£€]\\d+ (?:off|rabatt|credit)|\\d+ ?€ (?:off|rabatt|gutschein)`,
});

/** Words in subjects of notices of social networks that are not known by their domains. */
export const socialWords = wordPattern({
  words: `
    (?:liked|likes|commented on|replied to|shared|reacted to|loved|reposted|boosted) your (?:post|photo|picture|video|story|
    comment|status|update|reel|listing|profile)|(?:tagged|mentioned) you in a (?:post|photo|story|video|comment|status)|
    (?:is (?:now )?following|started following|followed|wants to follow) you|new followers?|friend (?:request|suggestion)s?|
    wants to (?:connect|be friends)|invited you to connect|(?:accepted your|new) (?:invitation to connect|connection request|
    friend request)|viewed your profile|profile views?|people you may know|sent you a (?:friend|connection) request|
    hat (?:deinen|ihren) (?:beitrag|kommentar)|(?:deinem|ihrem|deinen|ihren) (?:beitrag|foto|bild) (?:kommentiert|geteilt)|
    folgt (?:dir|ihnen)(?: jetzt)?|neuer? follower|freundschaftsanfrage|kontaktanfrage|
    (?:aime|a aimé|a commenté|a partagé) (?:votre|ta|ton) (?:publication|photo|vidéo|story)|vous suit|te suit|
    nouvel(?:le)? abonnée?|demande d['’]ami|
    (?:le gusta|comentó|ha comentado|compartió) tu (?:publicación|foto|vídeo)|te (?:sigue|empezó a seguir)|nuevo seguidor|
    solicitud de amistad|(?:curtiu|gostou|comentou)(?: n?[ao])? (?:da )?(?:sua|tua) (?:publicação|foto|vídeo)|
    (?:começou a|está a) seguir (?:você|te|o seu perfil)|novo seguidor|pedido de amizade|
    ha (?:messo mi piace a|commentato) (?:il tuo|la tua) (?:post|foto|video)|ha iniziato a seguirti|richiesta di amicizia|
    heeft (?:je|uw) (?:bericht|foto) (?:leuk gevonden|gedeeld)|heeft gereageerd op (?:je|uw) (?:bericht|foto)|volgt je(?: nu)?|
    vriendschapsverzoek|connectieverzoek`,
  stems: `подписался на вас|подписалась на вас|заявк[аи] в друзья|прокомментировал`,
  signs: `フォローされました|フォローしました|いいね！しました|友達リクエスト|关注了你|好友请求|님이 회원님을 팔로우|친구 요청`,
});

/**
 * Returns a pattern. `words` match as whole words, `stems` at the start of a word, `signs` anywhere (for scripts
 * without spaces between words).
 */
function wordPattern({ words, stems, signs }: { words: string; stems: string; signs: string }): () => RegExp {
  return lazy(() => {
    const join = (list: string) => list.replace(/\n\s*/g, "");
    const whole = `(?<![\\p{L}\\p{N}])(?:${join(words)})(?![\\p{L}\\p{N}])`;
    const start = `(?<![\\p{L}\\p{N}])(?:${join(stems)})`;
    return new RegExp(`${whole}|${start}|${join(signs)}`, "iu");
  });
}
