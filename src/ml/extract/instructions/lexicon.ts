import { MORE_NOUNS, MORE_QUESTIONS, MORE_STATEMENTS, MORE_VERBS, MORE_WHETHERS } from "./intents.ts";

/** Words and sentences in seven languages, for instructions in another language than the conversation. */

export const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

const rows = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));

/**
 * Nouns with their gender: m, f, n, c (Dutch "de"), and p for plurals with the gender behind it. Variants that are only
 * recognized follow a slash.
 */
export const NOUNS = rows(`
invoice/bill s | Rechnung f | facture f | factura f | fattura f | fatura f | factuur c
quote/estimate s | Kostenvoranschlag m | devis m | presupuesto m | preventivo m | orçamento m | offerte c
offer s | Angebot n | offre f | oferta f | offerta f | oferta f | aanbod n
proposal s | Vorschlag m | proposition f | propuesta f | proposta f | proposta f | voorstel n
contract s | Vertrag m | contrat m | contrato m | contratto m | contrato m | contract n
copy s | Kopie f | copie f | copia f | copia f | cópia f | kopie c
receipt s | Quittung/Beleg f | reçu m | recibo m | ricevuta f | recibo m | bon c
agenda s | Tagesordnung/Agenda f | ordre du jour m | orden del día m | ordine del giorno m | ordem de trabalhos f | agenda c
address s | Adresse f | adresse f | dirección f | indirizzo m | morada/endereço f | adres n
phone number s | Telefonnummer f | numéro de téléphone m | número de teléfono m | numero di telefono m | número de telefone m | telefoonnummer n
photo/picture s | Foto n | photo f | foto f | foto f | fotografia/foto f | foto c
photos/pictures p | Fotos/Bilder pn | photos pf | fotos pf | foto pf | fotografias/fotos pf | foto's pc
slides p | Folien pf | diapositives pf | diapositivas pf | slide pf | slides pm | dia's/slides pc
report s | Bericht m | rapport m | informe m | rapporto/relazione m | relatório m | rapport/verslag n
documents p | Unterlagen/Dokumente pf | documents pm | documentos pm | documenti pm | documentos pm | documenten pn
file s | Datei f | fichier m | archivo m | file m | ficheiro/arquivo m | bestand n
link s | Link m | lien m | enlace m | link m | link m | link c
details p | Einzelheiten/Details pf | détails pm | detalles pm | dettagli pm | detalhes pm | details pn
price s | Preis m | prix m | precio m | prezzo m | preço m | prijs c
list s | Liste f | liste f | lista f | lista f | lista f | lijst c
key s | Schlüssel m | clé/clef f | llave f | chiave f | chave f | sleutel c
keys p | Schlüssel pm | clés pf | llaves pf | chiavi pf | chaves pf | sleutels pc
book s | Buch n | livre m | libro m | libro m | livro m | boek n
ticket s | Ticket n | billet m | billete/entrada m | biglietto m | bilhete m | kaartje/ticket n
tickets p | Tickets pn | billets pm | billetes/entradas pm | biglietti pm | bilhetes pm | kaartjes/tickets pn
invitation s | Einladung f | invitation f | invitación f | invito m | convite m | uitnodiging c
appointment s | Termin m | rendez-vous m | cita f | appuntamento m | consulta/marcação f | afspraak c
meeting s | Treffen/Besprechung n | réunion f | reunión f | riunione f | reunião f | vergadering c
delay s | Verspätung/Verzögerung f | retard m | retraso m | ritardo m | atraso m | vertraging c
late reply/answering so late/answering late/replying so late/replying late/late answer s | späte Antwort/verspätete Antwort f | réponse tardive f | respuesta tardía f | risposta tardiva f | resposta tardia f | late reactie c
mistake/error s | Fehler m | erreur f | error m | errore m | erro m | fout c
help s | Hilfe f | aide f | ayuda f | aiuto m | ajuda f | hulp c
patience s | Geduld f | patience f | paciencia f | pazienza f | paciência f | geduld n
message/mail/email s | Nachricht/Mail f | message m | mensaje m | messaggio m | mensagem f | bericht n
reply/answer s | Antwort f | réponse f | respuesta f | risposta f | resposta f | antwoord n
flowers p | Blumen pf | fleurs pf | flores pf | fiori pm | flores pf | bloemen pc
gift/present s | Geschenk n | cadeau m | regalo m | regalo m | presente m | cadeau n
dinner s | Abendessen n | dîner m | cena f | cena f | jantar m | etentje n
room s | Zimmer/Raum n | chambre/salle f | habitación f | camera f | quarto m | kamer c
parcel/package s | Paket n | colis m | paquete m | pacco m | encomenda f | pakket n
order s | Bestellung f | commande f | pedido m | ordine m | encomenda f | bestelling c
payment s | Zahlung f | paiement m | pago m | pagamento m | pagamento m | betaling c
confirmation s | Bestätigung f | confirmation f | confirmación f | conferma f | confirmação f | bevestiging c
draft s | Entwurf m | brouillon/projet m | borrador m | bozza f | rascunho m | concept n
menu s | Speisekarte f | menu m | menú m | menù/menu m | menu m | menu n
information s | Informationen/Information pf | informations pf | información f | informazioni pf | informações pf | informatie c
office s | Büro n | bureau m | oficina f | ufficio m | escritório m | kantoor n
train s | Zug m | train m | tren m | treno m | comboio m | trein c
hotel s | Hotel n | hôtel m | hotel m | hotel m | hotel m | hotel n
tools p | Werkzeug n | outils pm | herramientas pf | attrezzi pm | ferramentas pf | gereedschap n
wine s | Wein m | vin m | vino m | vino m | vinho m | wijn c
cake s | Kuchen m | gâteau m | pastel/tarta m | dolce/torta m | bolo m | taart c
salad s | Salat m | salade f | ensalada f | insalata f | salada f | salade c
dessert s | Nachtisch m | dessert m | postre m | dolce m | sobremesa f | toetje n
car s | Auto n | voiture f | coche m | macchina/auto f | carro m | auto c
feedback s | Rückmeldung f | retour m | comentarios pm | riscontro m | feedback m | feedback c${MORE_NOUNS}`);

/** Verbs in the infinitive. In German, d or a is the case of the person. */
export const VERBS = rows(`
send | schicken/senden d | envoyer | enviar/mandar | mandare/inviare | enviar/mandar | sturen
call/phone | anrufen a | appeler | llamar | chiamare | telefonar/ligar | bellen
call back | zurückrufen a | rappeler | devolver la llamada | richiamare | ligar de volta | terugbellen
come | kommen - | venir | venir | venire | vir | komen
come by/drop by | vorbeikommen - | passer | pasar | passare | passar | langskomen
start/begin | anfangen/beginnen - | commencer | empezar | iniziare/cominciare | começar | beginnen
help | helfen d | aider | ayudar | aiutare | ajudar | helpen
pay | bezahlen/zahlen - | payer | pagar | pagare | pagar | betalen
sign | unterschreiben - | signer | firmar | firmare | assinar | tekenen/ondertekenen
bring | mitbringen/bringen d | apporter | traer | portare | trazer | meenemen
book/reserve | buchen/reservieren - | réserver | reservar | prenotare | reservar | reserveren/boeken
check | prüfen - | vérifier | comprobar | controllare/verificare | verificar | controleren
confirm receipt/acknowledge receipt | den Empfang bestätigen - | confirmer la réception | confirmar la recepción | confermare la ricezione | confirmar a receção | de ontvangst bevestigen
send it again/resend it/send it once more | es mir noch einmal schicken - | me l'envoyer à nouveau | enviármelo de nuevo | inviarmelo di nuovo | voltar a enviar | het me nog een keer sturen
confirm | bestätigen - | confirmer | confirmar | confermare | confirmar | bevestigen
deliver | liefern d | livrer | entregar | consegnare | entregar | leveren
wait | warten - | attendre | esperar | aspettare | esperar | wachten
answer/reply | antworten d | répondre | contestar/responder | rispondere | responder | antwoorden
order | bestellen - | commander | pedir | ordinare | encomendar | bestellen
cancel | absagen - | annuler | cancelar | annullare | cancelar | annuleren
postpone/move | verschieben - | reporter | aplazar | spostare/rinviare | adiar | verzetten
change | ändern - | modifier | cambiar | cambiare/modificare | alterar | wijzigen
correct | korrigieren - | corriger | corregir | correggere | corrigir | corrigeren
prepare | vorbereiten - | préparer | preparar | preparare | preparar | voorbereiten
stay | bleiben - | rester | quedarme | restare | ficar | blijven
return/give back | zurückgeben d | rendre | devolver | restituire | devolver | teruggeven
show | zeigen d | montrer | enseñar | mostrare | mostrar | laten zien
give | geben d | donner | dar | dare | dar | geven
pick up | abholen - | récupérer | recoger | ritirare | ir buscar | ophalen
write | schreiben d | écrire | escribir | scrivere | escrever | schrijven
read | lesen - | lire | leer | leggere | ler | lezen
finish | fertigstellen - | terminer | terminar | finire | terminar | afmaken${MORE_VERBS}`);

/**
 * Whole statements. {t}: a time, which may be missing; {you}: the reader; <Sie#du#ihr>: forms of address; {T}: a time as the subject; {n}: a thing; {N}: a number;
 * {s} and {S}: a thing as the subject. Variants that are only recognized follow a slash.
 */
export const STATEMENTS = rows(`
{T} works for me/{T} works/{T} is fine/{T} suits me/{T} is good/{T} works well/{T} is fine with me/{T} is ok/{T} works for us/{T} suits us/{T} is fine for me/{T} is perfect | {T} passt mir gut/{T} passt/{T} passt mir/{T} passt uns/{T} passt gut/{T} geht/{T} ist gut/{T} klappt | {T} me convient/{T} convient/{T} nous convient/{T} me va/{T} ça marche/{T} c'est bon | {T} me viene bien/{T} me va bien/{T} nos viene bien/{T} está bien | {T} va bene per me/{T} va bene/{T} mi va bene/{T} ci va bene | {T} está bem para mim/{T} está bem/{T} dá-me jeito/{T} pode ser | {T} komt goed uit/{T} past/{T} is goed/{T} schikt/{T} kan/{T} lukt
Unfortunately, {T} doesn't work for me/{T} doesn't work/{T} does not work for me/{T} is not possible/{T} doesn't suit me/{T} isn't possible/{T} doesn't work for us/{T} doesn't suit us/{T} is bad/{T} is impossible | {T} passt mir leider nicht/{T} passt nicht/{T} passt mir nicht/{T} geht nicht/{T} geht leider nicht/{T} klappt nicht/{T} passt leider nicht/{T} geht bei mir nicht | Malheureusement, {T} ne me convient pas/{T} ne me convient pas/{T} n'est pas possible/{T} ne convient pas | Lamentablemente, {T} no me viene bien/{T} no me viene bien/{T} no puedo/{T} no es posible/no puedo {T} | Purtroppo {T} non mi va bene/{T} non mi va bene/{T} non posso/{T} non è possibile/non posso {T} | Infelizmente, {T} não me dá jeito/{T} não posso/{T} não é possível/não posso {T}/{T} não dá | Helaas komt {T} niet goed uit/{T} past niet/{T} kan niet/{T} lukt niet/{T} komt niet uit/{T} kan ik niet
Unfortunately, I can't come{t}/I can't come{t}/I cannot come{t}/I can't make it{t}/I cannot make it{t}/I won't be able to come{t} | ich kann{t} leider nicht kommen/ich kann{t} nicht kommen/ich kann{t} nicht/ich kann leider{t} nicht | Malheureusement, je ne peux pas venir{t}/je ne peux pas venir{t}/je ne peux pas{t} | Lamentablemente, no puedo ir{t}/no puedo ir{t}/no puedo venir{t} | Purtroppo non posso venire{t}/non posso venire{t} | Infelizmente não posso ir{t}/não posso ir{t}/não posso vir{t} | Helaas kan ik{t} niet komen/ik kan{t} niet komen/ik kan{t} niet
Unfortunately, we can't come{t}/we can't come{t}/we cannot come{t}/we can't make it{t}/we cannot make it{t} | wir können{t} leider nicht kommen/wir können{t} nicht kommen/wir können{t} nicht | Malheureusement, nous ne pouvons pas venir{t}/nous ne pouvons pas venir{t} | Lamentablemente, no podemos ir{t}/no podemos ir{t}/no podemos venir{t} | Purtroppo non possiamo venire{t}/non possiamo venire{t} | Infelizmente não podemos ir{t}/não podemos ir{t} | Helaas kunnen we{t} niet komen/we kunnen{t} niet komen
I'm on holiday{t}/I am on holiday{t}/I'm on vacation{t}/I am on vacation{t}/I'll be on holiday{t}/I will be on holiday{t} | ich bin{t} im Urlaub | Je suis en vacances{t} | Estoy de vacaciones{t} | Sono in vacanza{t}/sono in ferie{t} | Estou de férias{t} | Ik ben{t} op vakantie/ik ben{t} met vakantie
I'm away{t}/I am away{t}/I'll be away{t}/I will be away{t}/I'm out of town{t} | ich bin{t} nicht da/ich bin{t} verreist/ich bin{t} weg | Je suis absent{t}/je ne suis pas là{t} | Estoy fuera{t}/no estoy{t} | Sono fuori{t}/sono via{t}/non ci sono{t} | Estou fora{t}/não estou{t} | Ik ben{t} weg/ik ben er{t} niet
I'm travelling{t}/I am travelling{t}/I'll be travelling{t}/I'm traveling{t}/I am traveling{t} | ich bin{t} auf Reisen/ich bin{t} unterwegs | Je suis en déplacement{t}/je suis en voyage{t} | Estoy de viaje{t} | Sono in viaggio{t} | Estou em viagem{t}/estou de viagem{t} | Ik ben{t} op reis/ik ben{t} onderweg
I'm ill{t}/I am ill{t}/I'm sick{t}/I am sick{t} | ich bin{t} krank | Je suis malade{t} | Estoy enfermo{t}/estoy enferma{t}/estoy malo{t} | Sono malato{t}/sono malata{t}/sto male{t} | Estou doente{t} | Ik ben{t} ziek
I'm free{t}/I am free{t}/I have time{t}/I'm available{t}/I am available{t} | ich habe{t} Zeit/ich bin{t} frei/ich kann{t} | Je suis disponible{t}/je suis libre{t} | Estoy libre{t}/tengo tiempo{t}/estoy disponible{t} | Sono libero{t}/sono libera{t}/ho tempo{t}/sono disponibile{t} | Estou livre{t}/estou disponível{t}/tenho tempo{t} | Ik heb{t} tijd/ik ben{t} vrij/ik kan{t}
I'm busy{t}/I am busy{t}/I have no time{t}/I don't have time{t} | ich habe{t} leider keine Zeit/ich habe{t} keine Zeit/ich bin{t} beschäftigt | Je suis pris{t}/je n'ai pas le temps{t}/je suis occupé{t} | Estoy ocupado{t}/no tengo tiempo{t} | Sono impegnato{t}/non ho tempo{t} | Estou ocupado{t}/não tenho tempo{t} | Ik heb{t} helaas geen tijd/ik heb{t} geen tijd/ik ben{t} bezet
I'm coming{t}/I am coming{t}/I'll come{t}/I will come{t}/I'll be there{t}/I will be there{t} | ich komme{t}/ich bin{t} dabei | Je viens{t}/je viendrai{t}/je serai là{t} | Voy{t}/iré{t}/vengo{t} | Vengo{t}/verrò{t}/ci sarò{t} | Vou{t}/venho{t} | Ik kom{t}/ik ben er{t}
We're coming{t}/we are coming{t}/we'll come{t}/we will come{t}/we'll be there{t} | wir kommen{t} | Nous venons{t}/nous viendrons{t} | Vamos{t}/iremos{t}/venimos{t} | Veniamo{t}/verremo{t} | Vamos{t}/vimos{t} | We komen{t}/wij komen{t}
I would love to come{t}/I'd love to come{t}/I'm happy to come{t}/I'd be happy to come{t}/I'll gladly come{t} | ich komme{t} sehr gerne/ich komme{t} gerne/ich komme{t} gern | Je viens avec plaisir{t}/je viendrai avec plaisir{t} | Iré con mucho gusto{t}/voy encantado{t} | Vengo volentieri{t} | Vou com muito gosto{t} | Ik kom{t} graag
We would love to come{t}/we'd love to come{t}/we're happy to come{t} | wir kommen{t} sehr gerne/wir kommen{t} gerne/wir kommen{t} gern | Nous venons avec plaisir{t}/nous viendrons avec plaisir{t} | Iremos con mucho gusto{t} | Veniamo volentieri{t} | Vamos com muito gosto{t} | We komen{t} graag
I'll be {N} minutes late/I will be {N} minutes late/I'm {N} minutes late/I am {N} minutes late/I'm running {N} minutes late | ich komme {N} Minuten später/ich komme {N} Minuten zu spät/ich verspäte mich um {N} Minuten/ich bin {N} Minuten zu spät | J'aurai {N} minutes de retard/j'ai {N} minutes de retard | Llegaré {N} minutos tarde/llego {N} minutos tarde | Arriverò con {N} minuti di ritardo/arrivo con {N} minuti di ritardo/ho {N} minuti di ritardo | Vou chegar {N} minutos atrasado/chego {N} minutos atrasado | Ik ben {N} minuten later/ik ben {N} minuten te laat/ik kom {N} minuten later
I agree/I'm fine with that/that's fine/that is fine/that works/I am fine with that | ich bin einverstanden/das passt/das ist in Ordnung/das ist okay | Je suis d'accord/d'accord/c'est d'accord/ça me va | Estoy de acuerdo/me parece bien | Sono d'accordo/va bene | Estou de acordo/concordo | Ik ga akkoord/ik vind het goed/dat is goed
I am happy with {n}/I'm happy with {n}/I agree with {n}/{s} is fine/I like {n}/I am satisfied with {n} | ich bin mit {d} einverstanden/ich bin mit {d} zufrieden/{s} ist in Ordnung/{s} passt | {S} me convient/je suis d'accord avec {n} | {S} me parece bien/estoy de acuerdo con {n} | {S} va bene per me/sono d'accordo con {n} | {S} está bem para mim/concordo com {n} | {S} is prima/ik ga akkoord met {n}
I have received {n}/I received {n}/I've received {n}/{s} has arrived/I got {n}/{s} arrived | ich habe {n} erhalten/ich habe {n} bekommen/{s} ist angekommen/{s} ist da | J'ai bien reçu {n}/j'ai reçu {n}/{s} est arrivé | He recibido {n}/{s} ha llegado | Ho ricevuto {n}/{s} è arrivato | Recebi {n}/{s} chegou | Ik heb {n} ontvangen/{s} is aangekomen
I have paid {n}/I paid {n}/I've paid {n}/{s} is paid/{s} has been paid | ich habe {n} bezahlt/{s} ist bezahlt | J'ai payé {n}/{s} est payé | He pagado {n}/{s} está pagado/{s} está pagada | Ho pagato {n}/{s} è pagato/{s} è pagata | Paguei {n}/já paguei {n}/{s} está pago/{s} está paga | Ik heb {n} betaald/{s} is betaald
I have signed {n}/I signed {n}/I've signed {n}/{s} is signed | ich habe {n} unterschrieben/{s} ist unterschrieben | J'ai signé {n}/{s} est signé | He firmado {n}/{s} está firmado | Ho firmato {n}/{s} è firmato | Assinei {n}/{s} está assinado | Ik heb {n} ondertekend/{s} is ondertekend
I have sent {n}/I sent {n}/I've sent {n} | ich habe {n} geschickt/ich habe {n} gesendet | J'ai envoyé {n} | He enviado {n}/he mandado {n} | Ho mandato {n}/ho inviato {n} | Enviei {n}/já enviei {n} | Ik heb {n} verstuurd/ik heb {n} gestuurd
I need {n} | ich brauche {n}/wir brauchen {n} | J'ai besoin de {n}/nous avons besoin de {n} | Necesito {n}/necesitamos {n} | Ho bisogno di {n}/mi serve {n} | Preciso de {n}/precisamos de {n} | Ik heb {n} nodig/we hebben {n} nodig
we need {n} | wir brauchen {n} | Nous avons besoin de {n} | Necesitamos {n} | Abbiamo bisogno di {n} | Precisamos de {n} | We hebben {n} nodig
I need more time/we need more time/I need a bit more time | ich brauche noch etwas Zeit/wir brauchen mehr Zeit/ich brauche mehr Zeit/wir brauchen noch etwas Zeit | J'ai besoin d'un peu plus de temps/nous avons besoin de plus de temps/il me faut plus de temps | Necesito un poco más de tiempo/necesitamos más tiempo/necesito más tiempo | Ho bisogno di un po' più di tempo/ho bisogno di più tempo/mi serve più tempo | Preciso de mais algum tempo/preciso de mais tempo/precisamos de mais tempo | Ik heb wat meer tijd nodig/ik heb meer tijd nodig/we hebben meer tijd nodig
Unfortunately, {s} is too expensive for us/{s} is too expensive/{s} is too high | {S} liegt leider über unserem Budget/{s} ist zu teuer/{s} ist uns zu teuer/{s} ist zu hoch | Malheureusement, {s} dépasse notre budget/{s} est trop cher/{s} est trop élevé | Lamentablemente, {s} supera nuestro presupuesto/{s} es demasiado caro/{s} es demasiado cara | Purtroppo {s} supera il nostro budget/{s} è troppo caro/{s} è troppo cara | Infelizmente, {s} ultrapassa o nosso orçamento/{s} é demasiado caro | Helaas valt {s} buiten ons budget/{s} is te duur
Unfortunately, it is too expensive for us/it is too expensive/it's too expensive/that's too expensive/it's too expensive for us/unfortunately it is too expensive/unfortunately that is too expensive for me/that is too expensive/the price is too high/it is too expensive for us | das ist uns leider zu teuer/das ist zu teuer/es ist zu teuer/das ist uns zu teuer/der Preis ist zu hoch | Malheureusement, c'est trop cher pour nous/c'est trop cher/c'est trop cher pour nous/le prix est trop élevé | Lamentablemente, es demasiado caro para nosotros/es demasiado caro/es muy caro | Purtroppo è troppo caro per noi/è troppo caro/costa troppo | Infelizmente é demasiado caro para nós/é demasiado caro/é muito caro | Helaas is het te duur voor ons/het is te duur/dat is te duur
We have already found another one/we have already found another/we already found another one/we have found another one/we already have one/we've found another one | wir haben schon etwas anderes gefunden/wir haben schon etwas gefunden/wir haben bereits etwas anderes gefunden | Nous avons déjà trouvé autre chose/nous avons déjà trouvé | Ya hemos encontrado otra cosa/ya hemos encontrado otro/ya hemos encontrado | Abbiamo già trovato un'altra soluzione/abbiamo già trovato altro | Já encontrámos outra solução/já encontrámos outro | We hebben al iets anders gevonden
I look forward to it/I'm looking forward to it/I am looking forward to it/we look forward to it/we're looking forward to it | ich freue mich darauf/ich freue mich/wir freuen uns darauf/wir freuen uns/ich freue mich schon | Je m'en réjouis/je me réjouis | Me hace mucha ilusión/tengo muchas ganas | Non vedo l'ora | Fico à espera com entusiasmo/estou ansioso | Ik kijk ernaar uit/ik heb er zin in/we kijken ernaar uit
We are on holiday{t}/we're on holiday{t}/we'll be on holiday{t}/we are away{t}/we're away{t} | wir sind{t} im Urlaub/wir sind{t} nicht da | Nous sommes en vacances{t} | Estamos de vacaciones{t} | Siamo in vacanza{t} | Estamos de férias{t} | We zijn{t} op vakantie
I'll bring {n}/I will bring {n}/I can bring {n} | ich bringe {n} mit | J'apporte {n} | Llevo {n}/traigo {n} | Porto {n} | Levo {n}/trago {n} | Ik neem {n} mee
I need {n}{t} | ich brauche {n}{t} | J'ai besoin de {n}{t} | Necesito {n}{t} | Ho bisogno di {n}{t} | Preciso de {n}{t} | Ik heb {n}{t} nodig
we need {n}{t} | wir brauchen {n}{t} | Nous avons besoin de {n}{t} | Necesitamos {n}{t} | Abbiamo bisogno di {n}{t} | Precisamos de {n}{t} | We hebben {n}{t} nodig
I have a question/I have one more question | ich habe noch eine Frage/ich habe eine Frage | J'ai une question | Tengo una pregunta | Ho una domanda | Tenho uma pergunta | Ik heb nog een vraag
Everything is fine/everything is ok/all good | alles ist in Ordnung/alles gut/alles bestens | Tout va bien | Todo está bien | Va tutto bene | Está tudo bem | Alles is in orde/alles goed
I accept/I agree to that | ich bin einverstanden/ich nehme an/wir nehmen an | J'accepte/nous acceptons | Acepto/aceptamos | Accetto/accettiamo | Aceito/aceitamos | Ik ga akkoord/wij gaan akkoord
I will think about it/I'll think about it/I need to think about it | ich überlege es mir/ich denke darüber nach | Je vais y réfléchir | Lo pensaré/me lo pensaré | Ci penserò/ci penso | Vou pensar nisso | Ik denk erover na/ik zal erover nadenken${MORE_STATEMENTS}`);

/** Questions for a fact. {t} and {v}: a time, and what someone does. */
export const QUESTIONS = rows(`
where we meet/where we can meet/where we should meet/where do we meet/where we should meet/where we are meeting | wo wir uns treffen | où on se retrouve/où nous nous retrouvons/où on se voit | dónde quedamos/dónde nos vemos | dove ci vediamo/dove ci incontriamo | onde nos encontramos | waar we afspreken/waar we elkaar ontmoeten
when we meet/when we can meet/when we could meet/what time we can meet/what time we meet | wann wir uns treffen/um wie viel Uhr wir uns treffen | quand on se retrouve/à quelle heure on se retrouve | cuándo quedamos/a qué hora quedamos | quando ci vediamo/a che ora ci vediamo | quando nos encontramos/a que horas nos encontramos | wanneer we afspreken/hoe laat we afspreken
when it starts/what time it starts/when it begins | wann es losgeht/wann es anfängt/wann es beginnt/um wie viel Uhr es losgeht | quand ça commence/à quelle heure ça commence | cuándo empieza/a qué hora empieza | quando comincia/a che ora comincia/quando inizia | quando começa/a que horas começa | wanneer het begint/hoe laat het begint
where it is/where it takes place | wo es stattfindet/wo es ist/wo das ist | où ça se passe/où c'est | dónde es | dove si tiene/dov'è | onde é | waar het is
how much it costs/what it costs/how much it will cost/how much that costs/what the price is | was das kostet/wie viel das kostet/was es kostet/wie viel es kostet | combien ça coûte/combien cela coûte | cuánto cuesta | quanto costa | quanto custa | wat het kost/hoeveel het kost
how long it takes/how long it will take | wie lange es dauert/wie lange das dauert | combien de temps ça prend/combien de temps cela prend | cuánto tiempo tarda/cuánto tarda | quanto tempo ci vuole | quanto tempo demora | hoe lang het duurt
when it will be ready/when it is ready | wann es fertig ist | quand ce sera prêt/quand c'est prêt | cuándo estará listo | quando sarà pronto/quando è pronto | quando estará pronto/quando fica pronto | wanneer het klaar is
what I should bring/what we should bring/what I can bring/what to bring/what we can bring/what I need to bring | was ich mitbringen soll/was wir mitbringen sollen/was ich mitbringen kann | ce que je dois apporter/ce que je peux apporter/ce que nous devons apporter | qué tengo que llevar/qué puedo llevar | cosa devo portare/cosa posso portare/che cosa devo portare | o que devo levar/o que posso levar | wat ik moet meenemen/wat ik kan meenemen
where I can park/where to park/where I should park | wo ich parken kann/wo wir parken können | où je peux me garer | dónde puedo aparcar | dove posso parcheggiare/dove devo parcheggiare | onde posso estacionar | waar ik kan parkeren
how I get there/how to get there/how we get there | wie ich hinkomme/wie ich dorthin komme | comment m'y rendre/comment y aller | cómo se llega | come ci si arriva/come arrivo | como chego lá | hoe ik er kom${MORE_QUESTIONS}`);

/** Questions whether something is so. */
export const WHETHERS = rows(`
the price is negotiable/the rent is negotiable | der Preis verhandelbar ist | le prix est négociable | el precio es negociable | il prezzo è trattabile | o preço é negociável | de prijs onderhandelbaar is
there is parking/there's parking/there is parking nearby/there is a car park | es Parkplätze gibt/man dort parken kann | il y a un parking | hay aparcamiento | c'è parcheggio | há estacionamento | er parkeergelegenheid is
I can pay by card/we can pay by card/card payment is possible | ich mit Karte zahlen kann/man mit Karte zahlen kann | je peux payer par carte | puedo pagar con tarjeta | posso pagare con la carta | posso pagar com cartão | ik met kaart kan betalen
I should bring anything/we should bring anything/we should bring something/I should bring something/I can bring something/I can bring anything/I need to bring anything | ich etwas mitbringen soll/ich was mitbringen soll | je dois apporter quelque chose | tengo que llevar algo | devo portare qualcosa | devo levar alguma coisa | ik iets moet meenemen
everything is ok/everything is all right/everything is fine | alles in Ordnung ist | tout va bien | todo está bien | va tutto bene | está tudo bem | alles in orde is
she needs anything else/you need anything else/you need anything/you need something | sie noch etwas braucht/Sie noch etwas brauchen/Sie etwas brauchen/du noch etwas brauchst | elle a besoin d'autre chose/vous avez besoin d'autre chose/tu as besoin d'autre chose | necesita algo más/necesitas algo más | le serve altro/ti serve altro | precisa de mais alguma coisa/precisas de mais alguma coisa | ze nog iets nodig heeft/u nog iets nodig hebt/je nog iets nodig hebt
that is possible/it is possible/that's possible/it's possible/this is possible | das möglich ist/das geht/es möglich ist | c'est possible | es posible | è possibile | é possível | dat mogelijk is/het mogelijk is/dat kan
she has time{t}/you have time{t}/you are free{t}/you are available{t}/you're free{t} | sie{t} Zeit hat/Sie{t} Zeit haben/du{t} Zeit hast | elle a le temps{t}/vous avez le temps{t}/vous êtes disponible{t}/tu as le temps{t} | tiene tiempo{t}/tienes tiempo{t} | ha tempo{t}/hai tempo{t} | tem tempo{t}/tens tempo{t} | ze{t} tijd heeft/u{t} tijd hebt/je{t} tijd hebt
{T} works for her/{T} works/{T} works for you/{T} suits you/{T} is ok/{T} is fine/{T} would work/{T} is possible | {T} ihr passt/{T} passt/{T} Ihnen passt/{T} dir passt/{T} geht | {T} lui convient/{T} vous convient/{T} te convient/{T} convient | {T} le viene bien/{T} te viene bien | {T} le va bene/{T} va bene/{T} ti va bene | {T} lhe convém/{T} te convém/{T} pode ser | {T} uitkomt/{T} goed uitkomt/{T} past${MORE_WHETHERS}`);
