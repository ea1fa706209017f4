/**
 * Names that mail servers and programs give to special-use folders, for servers that do not report the use themselves
 * (RFC 6154). Every name is in the form of `normalizeFolderName`: lower case, NFKC, without accents, one space between
 * words.
 */

type NamedRole = "sent" | "drafts" | "trash" | "spam" | "archive" | "snoozed";
type GmailRole = "all" | "flagged" | "important";

/**
 * Returns the form in which folder names are compared: "Éléments  Envoyés" and "elements-envoyes" are the same name.
 */
export function normalizeFolderName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[\s_\-‐–'’ʼ]+/g, " ")
    .trim();
}

const NAMES: Record<NamedRole, string> = {
  sent: `
    sent|sent items|sent item|sent messages|sent mail|sent mails|sent email|sent emails|sent objects|sent folder
    |sentmail|sentitems|sentbox|gesendet|gesendete|gesendete elemente|gesendete objekte|gesendete nachrichten
    |gesendete mails|gesendete e mails|gesendete post|versendet|envoyes|envoye|elements envoyes|messages envoyes
    |courrier envoye|objets envoyes|mails envoyes|e mails envoyes|courriels envoyes|enviados|enviado|enviadas
    |elementos enviados|mensajes enviados|correo enviado|correos enviados|correo electronico enviado|itens enviados
    |items enviados|mensagens enviadas|e mails enviados|emails enviados|correio enviado|inviata|inviati|inviate
    |posta inviata|messaggi inviati|elementi inviati|oggetti inviati|email inviate|verzonden|verzonden items
    |verzonden berichten|verzonden e mail|verzonden mail|verzonden post|verstuurd|skickat|skickade|skickade objekt
    |skickade meddelanden|skickat mail|skickade mail|skickad post|sendt|sendte|sendte elementer|sendte meldinger
    |sendte meddelelser|sendte e mails|sendte mails|sendt post|sendt e post|sendte e poster|lahetetyt|lahetetty
    |lahetetyt viestit|lahetetyt kohteet|lahetetyt sahkopostit|sendir hlutir|sendur postur|wysłane|wysłano
    |elementy wysłane|wysłane wiadomosci|poczta wysłana|wyslane|elementy wyslane|odeslane|odeslana posta
    |odeslane zpravy|odeslane polozky|odoslane|odoslana posta|odoslane polozky|odoslane spravy|elkuldott
    |elkuldott elemek|elkuldott uzenetek|elkuldott levelek|trimise|elemente trimise|mesaje trimise|mesaj trimis
    |poslano|poslana posta|poslane stavke|poslane poruke|poslana sporocila|poslati|poslate|poslate stavke|послато
    |послате ставке|изпратени|изпратена поща|изпратени елементи|отправленные|отправлено|отправленные элементы
    |отправленные письма|отправленная почта|надіслані|надіслано|надіслані елементи|відправлені|відправлено
    |адпраўленыя|απεσταλμενα|σταλμενα|απεσταλμενα στοιχεια|gonderilmis ogeler|gonderilenler|gonderilmis postalar
    |gonderilmis iletiler|gonderilmis|gonderilen postalar|saadetud|saadetud kirjad|saadetud uksused|nosutitie
    |nosutitas vienumi|nosutitas vestules|issiusti|issiusta|issiusti laiskai|issiustieji|enviats|elements enviats
    |missatges enviats|correu enviat|bidalita|bidaliak|bidalitakoak|נשלח|נשלחו|פריטים שנשלחו|דואר שנשלח
    |הודעות שנשלחו|المرسل|المرسلة|البريد المرسل|العناصر المرسلة|الرسائل المرسلة|ارسال شده|ارسال‌شده|已发送
    |已发送邮件|已发送的邮件|已发邮件|已发送消息|已傳送|已傳送的郵件|已寄出|寄件備份|寄件備份匣|已傳送郵件|送信済み
    |送信済みアイテム|送信済みメール|送信済みメッセージ|送信済みトレイ|送信済みボックス|送信控え|보낸편지함
    |보낸 편지함|보낸메일함|보낸 메일함|보낸 항목|보낸 메일|보낸메시지함|ส่งแล้ว|จดหมายที่ส่งแล้ว|รายการที่ถูกส่ง
    |รายการที่ส่ง|ข้อความที่ส่งแล้ว|đa gui|thư đa gui|thu đa gui|muc đa gui|terkirim|item terkirim|surat terkirim
    |pesan terkirim|mel dihantar|dihantar|भेजे गए|भेजी गई मेल`,
  drafts: `
    drafts|draft|draft items|draft messages|draftbox|unsent messages|entwurfe|entwurf|entwuerfe|brouillons|brouillon
    |borradores|borrador|rascunhos|rascunho|bozze|bozza|concepten|concept|utkast|kladder|kladde|luonnokset|luonnos
    |keskeneraiset|drog|uppkast|wersje robocze|kopie robocze|szkice|robocze|koncepty|rozepsane|rozpisane|piszkozatok
    |piszkozat|vazlatok|ciorne|schite|skice|nacrti|nedovrseno|osnutki|нацрти|скице|чернови|черновики|черновик
    |чернетки|чарнавікі|προχειρα|προσχεδια|taslaklar|taslak|mustandid|mustand|melnraksti|uzmetumi|juodrasciai
    |esborranys|zirriborroak|טיוטות|טיוטה|المسودات|مسودات|مسودة|پیش نویس ها|پیش نویسها|草稿|草稿箱|草稿夹|草稿匣
    |下書き|下書きトレイ|下書きボックス|임시보관함|임시 보관함|임시 보관|초안|ร่างจดหมาย|แบบร่าง|ร่าง|ร่างข้อความ
    |thư nhap|ban nhap|nhap|draf|konsep|ड्राफ़्ट|मसौदे`,
  trash: `
    trash|deleted|deleted items|deleted item|deleted messages|deleted mail|deleted objects|trash can|bin|rubbish
    |rubbish bin|wastebasket|recycle bin|papierkorb|geloscht|geloschte|geloschte elemente|geloschte objekte
    |geloschte nachrichten|corbeille|elements supprimes|messages supprimes|poubelle|supprimes|papelera
    |papelera de reciclaje|elementos eliminados|mensajes eliminados|eliminados|basura|lixeira|lixo|itens excluidos
    |itens eliminados|mensagens excluidas|excluidos|reciclagem|cestino|posta eliminata|elementi eliminati|eliminata
    |prullenbak|prullenmand|verwijderd|verwijderde items|verwijderde berichten|papperskorg|papperskorgen|borttagna
    |borttagna objekt|borttaget|borttagna meddelanden|papirkurv|papirkurven|slettet|slettede|slettede elementer
    |slettet post|slettede meldinger|søppel|søppelkasse|roskakori|poistetut|poistetut kohteet|poistetut viestit|rusl
    |ruslafata|eytt|kosz|elementy usuniete|usuniete|kos|odstranena posta|odstranene|odstranene polozky|smazane
    |smazane zpravy|vymazane|vymazane polozky|lomtar|kuka|torolt elemek|torolt|torolt uzenetek|cos de gunoi|cos
    |gunoi|elemente sterse|mesaje sterse|smece|otpad|izbrisane stavke|izbrisano|kanta|obrisano|обрисано|отпад|смеће
    |кошче|изтрити|изтрити елементи|корзина|удаленные|удаленные элементы|удаленные письма|кошик|видалені
    |видалені елементи|смітник|сметніца|καδος|καδος απορριμματων|διαγραμμενα|διεγραμμενα|διαγραμμενα στοιχεια|cop
    |cop kutusu|silinmis ogeler|silinmis|silinenler|prugikast|kustutatud|kustutatud uksused|atkritne|miskaste
    |dzestie|dzestie vienumi|siukslines|siuksliadeze|istrinti|paperera|elements suprimits|zaborra|zakarrontzia|אשפה
    |פח אשפה|פריטים שנמחקו|המחוקות|סל מחזור|المهملات|سلة المهملات|العناصر المحذوفة|المحذوفة|زباله دان|حذف شده|已删除
    |已删除邮件|已删除的邮件|废件箱|垃圾箱|回收站|已刪除|已刪除的郵件|刪除的郵件|垃圾桶|回收筒|ゴミ箱|ごみ箱
    |削除済みアイテム|削除済み|削除済みメッセージ|휴지통|지운편지함|지운 편지함|지운 항목|삭제된 항목|삭제된 메시지
    |ถังขยะ|รายการที่ถูกลบ|ขยะ|thung rac|đa xoa|muc đa xoa|sampah|tempat sampah|kotak sampah|item terhapus
    |item dihapus|item yang dihapus|tong sampah|कचरा|ट्रैश`,
  spam: `
    spam|junk|junk e mail|junk email|junk mail|junk messages|bulk mail|bulk|spamverdacht|spam verdacht|probable spam
    |probably spam|spambox|unerwunscht|unerwunschte|unerwunschte werbung|werbung spam|junk e mail ordner
    |indesirables|courrier indesirable|courriers indesirables|pourriel|pourriels|messages indesirables|indesirable
    |correo no deseado|correo basura|no deseado|no deseados|lixo eletronico|lixo electronico|correio nao solicitado
    |correio publicitario|e mail de lixo|email nao solicitado|posta indesiderata|indesiderata
    |posta indesiderata spam|ongewenst|ongewenste e mail|ongewenste mail|ongewenste reclame|skrappost|skrap|oonskat
    |uonsket|uonsket e post|uonsket post|uønsket|uønsket e post|uønsket mail|uønsket post|søppelpost|spamposti
    |roskaposti|ruslpostur|amaposti|wiadomosci smieci|wiadomosci smieciowe|niechciane|smieci|nevyzadana posta
    |nevyzadane|nevyziadana posta|nevyziadane|levelszemet|spam levelszemet|mesaje nedorite|e mail nedorit|nedorite
    |nezeljena posta|nezeljena e posta|nezeljeno|neželena posta|vsiljena posta|nezelena posta|нежељена пошта
    |нежељено|нежелана поща|нежелана|спам|нежелательная почта|небажана пошта|небажані|ανεπιθυμητα
    |ανεπιθυμητη αλληλογραφια|istenmeyen|istenmeyen e posta|istenmeyen posta|gereksiz|onemsiz|onemsiz e posta|ramps
    |rampspost|ramspost|soovimatud|surupost|mestules|mesteles|surogatpasts|brukalas|slamstas|correu brossa|spama
    |דואר זבל|זבל|ספאם|البريد غير المرغوب فيه|البريد العشوائي|بريد مزعج|غير هام|هرزنامه|垃圾邮件|垃圾郵件|垃圾邮件箱
    |垃圾信件|广告邮件|廣告信|迷惑メール|迷惑メールフォルダ|스팸|스팸함|스팸메일함|스팸편지함|정크 메일|정크메일
    |정크 전자 메일|จดหมายขยะ|อีเมลขยะ|สแปม|thư rac|email rac|email sampah|surat sampah|spam email|mel remeh
    |mel sarap|स्पैम`,
  archive: `
    archive|archives|archived|archived mail|archiv|archivio|archivo|archivados|archivado|archief|archivierte|arkiv
    |arkiverat|arkivert|arkisto|archiwum|archivum|arhiva|arhiv|arhiiv|arhivs|archyvas|arquivo|arquivos|arquivo morto
    |arquivo de mensagens|arxiu|artxiboa|архив|архива|архів|архіў|αρχειο|αρχειοθηκη|αρχειοθετημενα|arsiv
    |arsivlenenler|ארכיון|أرشيف|الأرشيف|بايگانی|بایگانی|归档|存档|已归档|封存|已封存|アーカイブ|보관함|보관
    |보관 편지함|ที่เก็บถาวร|เก็บถาวร|luu tru|lưu tru|arsip|arkib|संग्रह`,
  snoozed: `
    snoozed|snooze|zuruckgestellt|schlummern|mis en attente|pospuestos|pospuesto|adiados|posticipati|posticipate
    |gesnoozed|uitgesteld|snoozat|udsat|utsatt|slumre|torkutetut|odłozone|szundi|szundikalt|отложенные|відкладені
    |отложени|αναβολη|ertelenenler|ertelendi|延后|已延后|已延後|延後|スヌーズ中|スヌーズ|다시 알림|다시알림
    |تم التأجيل|مؤجلة|เลื่อนการแจ้งเตือน|đa tam an|ditunda`,
};

/** Folders of Gmail's own tree. Elsewhere such names mean nothing special ("Todos", "Important"). */
const GMAIL_NAMES: Record<GmailRole, string> = {
  all: `
    all mail|alle nachrichten|tous les messages|todos|todo|todos os e mails|todo o correio|tutti i messaggi
    |alle berichten|alle e mails|alle mails|alla mail|all e post|all post|kaikki viestit|wszystkie|vsechny zpravy
    |vsetky spravy|osszes level|toate mesajele|вся почта|вся пошта|вся кореспонденция|цялата поща|ολα τα μηνυματα
    |tum postalar|כל הדואר|כל המיילים|كل البريد|所有邮件|所有郵件|すべてのメール|전체보관함|จดหมายทั้งหมด|tat ca thư
    |semua email|semua mel|tots els missatges|sva posta|vsa posta`,
  flagged: `
    starred|markiert|suivis|messages suivis|destacados|com estrela|speciali|met ster|stjarnmarkt|stjernemerket
    |stjernemarkeret|tahdella merkityt|oznaczone gwiazdka|s hvezdickou|s hviezdickou|csillagozott|cu stea|помеченные
    |із зірочкою|със звезда|με αστερι|yildizli|yıldızlı|מסומן בכוכב|מסומנים בכוכב|مميز بنجمة|已加星标|已加星號
    |スター付き|별표편지함|ติดดาว|co gan dau sao|đa gan dau sao|berbintang`,
  important: `
    important|wichtig|importants|importantes|importante|importanti|belangrijk|viktigt|viktig|vigtigt|tarkeat|wazne
    |dulezite|dolezite|fontos|важное|важливо|важни|σημαντικα|onemli|חשוב|مهم|重要|重要邮件|重要郵件|중요편지함|สำคัญ
    |quan trong|penting`,
};

function index<R extends string>(names: Record<R, string>): Map<string, R> {
  const rows = Object.entries<string>(names) as [R, string][];
  return new Map(
    rows.flatMap(([role, list]) => list.split("|").map((name): [string, R] => [normalizeFolderName(name), role])),
  );
}

/** Role by normalized name, at the top of the account or directly beneath INBOX. */
export const FOLDER_NAMES: ReadonlyMap<string, NamedRole> = index(NAMES);
/** Role by normalized name directly beneath [Gmail], in addition to `FOLDER_NAMES`. */
export const GMAIL_FOLDER_NAMES: ReadonlyMap<string, GmailRole> = index(GMAIL_NAMES);
