/** The words that mail programs write around earlier mail, by language. Data only; matched case-insensitively. */

/** "wrote" as in "On … Bob wrote:". Scripts written without spaces are in VERBS_UNSPACED. */
export const VERBS_SPACED = [
  "wrote",
  "writes",
  "write", // en
  "schrieb",
  "schreibt",
  "hat geschrieben",
  "geschrieben", // de
  "a écrit",
  "a ecrit",
  "écrit",
  "écrivait",
  "écrivit", // fr
  "escribió",
  "escribio",
  "ha escrito",
  "va escriure",
  "va escriure el dia",
  "ha escrit", // es, ca
  "escreveu",
  "escreveu no dia",
  "escribiu", // pt, gl
  "ha scritto",
  "scrive",
  "scriveva",
  "scrisse", // it
  "schreef",
  "heeft geschreven",
  "geschreven", // nl
  "skrev",
  "skrev följande",
  "skreiv",
  "skrifaði",
  "har skrevet",
  "har skrivit", // sv, da, no, is
  "kirjoitti",
  "kirjutas", // fi, et
  "napisał",
  "napisała",
  "napisał(a)",
  "napisał/a",
  "pisze",
  "napisali", // pl
  "napsal",
  "napsala",
  "napsal(a)",
  "napísal",
  "napísala",
  "napísal(a)",
  "píše", // cs, sk
  "napisao",
  "napisala",
  "napisao/la",
  "je napisao/la",
  "je napisal",
  "je napisala",
  "piše",
  "написао је", // hr, sl, sr
  "írta",
  "ezt írta",
  "a következőt írta", // hu
  "a scris",
  "scrie", // ro
  "написал",
  "написала",
  "написал(а)",
  "пишет",
  "писал",
  "писал(а)",
  "писали", // ru
  "написав",
  "написала",
  "написав(ла)",
  "пише",
  "писав", // uk
  "написа",
  "пиша",
  "напісаў", // bg, be
  "έγραψε",
  "έγραψαν", // el
  "şunu yazdı",
  "yazdı",
  "tarihinde şunları yazdı",
  "şunları yazdı", // tr
  "rašė",
  "parašė",
  "rakstīja", // lt, lv
  "menulis",
  "telah menulis",
  "tulis",
  "đã viết",
  "ay sumulat", // id, ms, vi, tl
  "כתב",
  "כתבה",
  "כתב/ה",
  "מאת", // he
  "كتب",
  "كتبت",
  "كتب/كتبت",
  "نوشت", // ar, fa
  "लिखा",
  "ने लिखा", // hi
];
export const VERBS_UNSPACED = [
  "写道",
  "寫道",
  "写到",
  "書きました",
  "が書きました",
  "さんは書きました",
  "のメール",
  "님이 작성",
  "님이 씀",
  "작성",
  "เขียน",
  "เขียนว่า",
];

/** Lower-case words that occur in attributions besides names, months and verbs. */
export const FILLERS =
  "a|à|al|alle|am|an|ang|às|at|av|ay|bei|by|da|dag|das|date|de|del|den|der|des|di|dia|die|dne|dnia|dzień|du|e|el|em|en|et|ezt|folgendes|följande|følgende|foi|for|från|fra|from|gis|gmt|godz|godzinie|h|ha|har|has|heeft|het|hodin|hour|hours|il|ja|jam|kell|kello|kl|klo|klokken|klockan|knev|la|las|le|les|los|lúc|na|nachm|nachmittags|napisana|ngày|o|ο|η|ob|od|odesílatel|of|om|on|op|ore|ora|orang|os|ob|pada|par|pe|po|por|przez|pukul|pm|r|saat|skriver|so|su|tarihinde|dátummal|időpontban|thg|tháng|tanggal|te|telah|u|uhr|um|użytkownik|użytkowniczka|v|vào|vers|via|volgende|vom|von|w|was|wiadomość|you|à|år|г|р|в|о|об|от|від|до|у|час|часов|года|року|на|στις|στο|π|μ|του|της|του|i|ii|iii|u";

/** "you" in attributions written by hand or by old programs: "On Nov 26, 2013 you wrote:". */
export const ADDRESSEE =
  "you|u|du|sie|ihr|vous|tu|usted|ustedes|vosotros|tú|você|vocês|lei|voi|jij|je|u|ni|dere|sinä|te|ty|вы|ты|ви|ти|siz|sen|εσείς|εσύ";

/** Beginnings of attribution lines that do not start with a date or a name. */
export const STARTERS =
  "on|at|in article|in a message dated|in a message|in message|kuupäev|am|le|el|en|em|il|il giorno|op|den|dne|dnia|w dniu|dňa|dana|u|la|în|pe|στις|pada|pada tanggal|vào|ngày|kl|på|á|вт|в|у|на|בתאריך|ב-|في|เมื่อ|在|于|於|vers|lúc";

/** "Quoting Bob <b@x.org>:" puts the verb first. */
export const VERBS_LEADING =
  "quoting|zitat von|zitiere|citando(?: a)?|citat(?: od)?|citerar|citiranje|citace|selon|quoth";

export type HeaderKind = "from" | "date" | "to" | "cc" | "subject" | "reply" | "other";

/** Names of the header lines that programs repeat above the earlier mail (Outlook, Exchange, Yahoo, Zimbra, QQ …). */
export const HEADER_NAMES: Record<HeaderKind, string> = {
  from: "from|von|de|da|van|från|fra|od|lähettäjä|feladó|от|від|от кого|від кого|kimden|gönderen|差出人|送信者|送信元|发件人|發件人|寄件者|寄件人|보낸 사람|보낸사람|발신|발신자|من|מאת|từ|dari|จาก|από|de la|expéditeur|remitente|mittente|afzender|avsändare|afsender|avsender|expedidor|remetente|nadawca|odesílatel|odosielateľ|saatja|frá|nuo",
  date: "message du|message vom|messaggio del|mensaje del|mensagem de|sent|date|sent at|date sent|gesendet|datum|gesendet am|envoyé|envoyé le|enviado|enviado el|enviado em|enviada em|enviada|enviado a|fecha|inviato|inviato il|data|data invio|verzonden|verzonden op|verzenddatum|skickat|skickad|sendt|dato|päivämäärä|lähetetty|pvm|wysłano|odesláno|poslané|odeslané|odoslané|dátum|elküldve|отправлено|дата|отправлен|дата отправки|надіслано|відправлено|gönderme tarihi|gönderilme tarihi|gönderim tarihi|gönderildi|tarih|送信日時|日付|日時|送信日|发送时间|發送時間|寄件日期|傳送時間|已发送|日期|时间|時間|보낸 날짜|보낸날짜|날짜|보냄|تاريخ الإرسال|تم الإرسال|التاريخ|أرسلت|נשלח|תאריך|trimis|ngày|đã gửi|dikirim|tanggal|ส่ง|วันที่|στάλθηκε|ημερομηνία|изпратено|poslano|saadetud|kuupäev|enviat|išsiųsta|nosūtīts|date et heure",
  to: "to|an|à|a|para|per|aan|till|til|do|vastaanottaja|saaja|címzett|кому|до|kime|alıcı|宛先|收件人|收件者|받는 사람|받는사람|수신|수신자|إلى|אל|đến|tới|kepada|ke|ถึง|către|pro|komu|za|προς|към|destinataire|destinatario|destinatarios|kam|kellele|destinatário|destinatari",
  cc: "cc|bcc|c.c.|kopie|kopie an|copie|copie à|kopia|cópia|copia|kopi|kopio|másolat|másolatot kap|копия|копія|bilgi|抄送|副本|참조|نسخة|עותק|kopija|dw|do wiadomości|κοιν.|koopia|kopija",
  subject:
    "subject|betreff|betr|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|tárgy|тема|konu|件名|主题|主題|主旨|标题|제목|الموضوع|נושא|chủ đề|tiêu đề|subjek|perihal|subiect|θέμα|относно|zadeva|teema|assumpte|tema|thema|sujet|efni|เรื่อง",
  reply:
    "reply-to|reply to|antwort an|antworten an|répondre à|responder a|responder para|rispondi a|risposta|antwoord aan|antwoorden aan|svar till|svar til|odpowiedź do|odpověď|yanıtla|ответить|回复|返信先|답장",
  other:
    "importance|priority|attachments|attachment|wichtigkeit|priorität|anlagen|anhänge|pièces jointes|importancia|archivos adjuntos|importância|anexos|allegati|priorità|bijlagen|bijlage|bilagor|vedhæftede filer|vedlegg|załączniki|přílohy|вложения|organization|resent-from|resent-to|sender|message-id|sensitivity|when|where|required|optional|添付ファイル|附件|重要性",
};

/** Between dashes: announces earlier mail. */
export const ORIGINAL_MESSAGE =
  "original message|original appointment|reply message|original e-?mail|ursprüngliche nachricht|ursprüngliche mail|originalnachricht|original ?nachricht|original-nachricht|ursprünglicher termin|message d['’]origine|message d['’]origine|message original|message initial|courriel original|mensaje original|missatge original|mensagem original|messaggio originale|messaggio original|oorspronkelijk bericht|oorspronkelijke bericht|origineel bericht|originalmeddelande|ursprungligt meddelande|ursprungligt brev|oprindelig meddelelse|original meddelelse|original besked|oprindelig besked|opprinnelig melding|original melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna|wiadomość pierwotna|pierwotna wiadomość|původní zpráva|původní e-?mail|původní mail|pôvodná správa|originální zpráva|eredeti üzenet|eredeti e-?mail|исходное сообщение|оригинальное сообщение|первоначальное сообщение|исходное письмо|оригінальне повідомлення|початкове повідомлення|оригинално съобщение|orijinal ileti|orijinal mesaj|özgün ileti|özgün e-posta|asıl ileti|元のメッセージ|元のメール|original ?メッセージ|原始邮件|原始郵件|原邮件|原文|回复的原邮件|원본 메시지|원본 메일|원본메시지|original|الرسالة الأصلية|הודעה מקורית|mesaj original|mesajul original|mesajul inițial|αρχικό μήνυμα|tin nhắn gốc|thư gốc|pesan asli|izvorna poruka|originalna poruka|izvirno sporočilo|algne sõnum|ข้อความต้นฉบับ|ข้อความเดิม";

/** Beginnings of words for "original", "reply" and "previous" in the titles above earlier mail. */
export const EARLIER =
  "original|reply|repl|response|previous|prior|earlier|quoted|ursprüngl|antwort|vorherig|vorig|zitiert|initial|réponse|précédent|respuesta|anterior|citado|risposta|precedente|resposta|inicial|oorspronk|origine|antwoord|ursprung|svar|tidigare|föregående|oprindelig|opprinnelig|forrige|tidligere|alkuper|vastaus|edelli|oryginaln|pierwotn|odpowied|poprzedni|původní|pôvodn|odpov|předchozí|eredeti|válasz|előző|исходн|оригинал|ответ|предыдущ|оригінал|початков|відповід|попередн|orijinal|özgün|asıl|yanıt|cevap|önceki|răspuns|inițial|precedent|αρχικ|απάντηση|προηγούμεν|הודעה מקור|תשובה|קודמ|الأصلي|الرد|السابق|izvor|odgovor|prethodn|元の|返信|原|回复|回覆|上一|원본|답장|이전";

/** Beginnings of words for a message in the same titles. */
export const MESSAGE =
  "message|mail|nachricht|courriel|mensaje|mensagem|missatge|messaggio|bericht|meddel|melding|besked|brev|viesti|wiadomo|zpráv|správ|üzenet|levél|сообщени|письмо|повідомлен|лист|ileti|mesaj|e-posta|mesaj|μήνυμα|poruk|sporočil|съобщение|הודעה|رسالة|メッセージ|メール|邮件|郵件|메시지|메일";

/** Between dashes: announces a forwarded message. */
export const FORWARDED_MESSAGE =
  "forwarded message|forwarded email|forwarded mail|fwd|weitergeleitete nachricht|weitergeleitete mail|weitergeleitete e-mail|message transféré|message transmis|message réexpédié|courriel transféré|mensaje reenviado|missatge reenviat|mensagem encaminhada|mensagem reencaminhada|messaggio inoltrato|doorgestuurd bericht|doorgestuurde bericht|vidarebefordrat meddelande|vidarebefordrat brev|videresendt besked|videresendt meddelelse|videresendt melding|videresendt e-post|välitetty viesti|edelleen lähetetty viesti|edelleenlähetetty viesti|przekazana wiadomość|wiadomość przekazana|treść przekazanej wiadomości|přeposlaná zpráva|předaná zpráva|preposlaná správa|továbbított üzenet|továbbított levél|пересылаемое сообщение|пересланное сообщение|переадресованное сообщение|пересылаемое письмо|перенаправлене повідомлення|переслане повідомлення|препратено съобщение|iletilen mesaj|iletilmiş mesaj|yönlendirilen ileti|yönlendirilmiş ileti|転送メッセージ|転送されたメッセージ|转发的邮件|转发邮件|轉寄的郵件|轉寄郵件|轉寄的訊息|已转发的邮件|전달된 메시지|전달된 메일|رسالة معاد توجيهها|رسالة مُعاد توجيهها|الرسالة المعاد توجيهها|הודעה שהועברה|mesaj redirecționat|mesaj redirectionat|mesaj transmis|προωθημένο μήνυμα|thư đã chuyển tiếp|tin nhắn đã chuyển tiếp|pesan terusan|pesan yang diteruskan|proslijeđena poruka|prosleđena poruka|posredovano sporočilo|edastatud kiri|ข้อความที่ส่งต่อ";

/** Apple's forward line has no dashes. */
export const BEGIN_FORWARDED =
  "begin forwarded message|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-?mail|début du message réexpédié|début du message transféré|inicio del mensaje reenviado|inici del missatge reenviat|inizio messaggio inoltrato|inizio del messaggio inoltrato|begin doorgestuurd bericht|início da mensagem reencaminhada|início da mensagem encaminhada|vidarebefordrat brev|vidarebefordrat meddelande|start på videresendt besked|videresendt melding|start på videresendt melding|start på videresendt e-mail|välitetty viesti alkaa|początek przekazywanej wiadomości|początek przekazanej wiadomości|rozpoczęcie przesyłanej wiadomości|začátek přeposílané zprávy|začiatok preposlanej správy|továbbított levél kezdete|начало переадресованного сообщения|начало пересылаемого сообщения|початок листа, що пересилається|початок переадресованого повідомлення|iletilen ileti başlangıcı|başlangıç iletilen ileti|転送されたメッセージ|下面是被转发的邮件|以下是转发的邮件|以下是轉寄的郵件|開始轉寄郵件|전달된 메시지 시작|전달된 메시지|بدء الرسالة المعاد توجيهها|תחילת ההודעה שהועברה|începutul mesajului redirecționat|αρχή προωθημένου μηνύματος|započni proslijeđenu poruku";

/** Lotus Notes: "----- Forwarded by Bob/ACME on 01/02/2016 10:00 -----". */
export const FORWARDED_BY =
  "forwarded by|weitergeleitet von|réexpédié par|transféré par|reenviado por|inoltrato da|doorgestuurd door|vidarebefordrat av|videresendt af|encaminhado por|przesłane przez";

/** Forward marks before a subject. */
export const FORWARD_SUBJECT =
  "fwd?|wg|tr|rv|enc|i|inoltra|doorst|vs|vb|pd|továbbítás|fs|iletl?|yml|転送|转发|轉寄|전달|tr\\.|пересл|fw\\.";

/** Words of a note above a forward. */
export const FORWARD_NOTE =
  "fyi|for your information|forward(?:ing|ed)?|fwd|see below|zur info|zur kenntnis|z\\.? ?k\\.?|weitergeleitet|leite weiter|pour info|pour information|je (?:te|vous) transf[eè]re|para tu informaci[oó]n|reenv[ií]o|per conoscenza|inoltro|ter info|ter informatie|för kännedom|til orientering|tiedoksi|do wiadomości|для сведения|bilginize";
