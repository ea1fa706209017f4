/** More of the lexicon: what people often ask for, announce and want to know, in the columns of lexicon.ts. */

export const MORE_NOUNS = `
breakfast s | Frühstück n | petit-déjeuner m | desayuno m | colazione f | pequeno-almoço m | ontbijt n
lunch s | Mittagessen n | déjeuner m | almuerzo m | pranzo m | almoço m | lunch c
form s | Formular n | formulaire m | formulario m | modulo m | formulário m | formulier n
forms p | Formulare pn | formulaires pm | formularios pm | moduli pm | formulários pm | formulieren pn
deposit s | Anzahlung/Kaution f | acompte m | depósito m | acconto m | sinal m | aanbetaling c
discount s | Rabatt m | remise f | descuento m | sconto m | desconto m | korting c
date s | Datum n | date f | fecha f | data f | data f | datum c
address list s | Adressliste f | liste d'adresses f | lista de direcciones f | lista degli indirizzi f | lista de moradas f | adressenlijst c
bank details p | Bankverbindung f | coordonnées bancaires pf | datos bancarios pm | coordinate bancarie pf | dados bancários pm | bankgegevens pn
tracking number s | Sendungsnummer f | numéro de suivi m | número de seguimiento m | numero di tracking m | número de seguimento m | trackingnummer n
certificate s | Bescheinigung f | attestation f | certificado m | certificato m | certificado m | verklaring c
passport s | Reisepass m | passeport m | pasaporte m | passaporto m | passaporte m | paspoort n
house s | Haus n | maison f | casa f | casa f | casa f | huis n
flat/apartment s | Wohnung f | appartement m | piso m | appartamento m | apartamento m | appartement n
delivery s | Lieferung f | livraison f | entrega f | consegna f | entrega f | levering c
goods p | Ware f | marchandise f | mercancía f | merce f | mercadoria f | goederen pn
sample s | Muster n | échantillon m | muestra f | campione m | amostra f | monster n
samples p | Muster pn | échantillons pm | muestras pf | campioni pm | amostras pf | monsters pn
questions p | Fragen pf | questions pf | preguntas pf | domande pf | perguntas pf | vragen pc
text s | Text m | texte m | texto m | testo m | texto m | tekst c
translation s | Übersetzung f | traduction f | traducción f | traduzione f | tradução f | vertaling c
presentation s | Präsentation f | présentation f | presentación f | presentazione f | apresentação f | presentatie c
minutes p | Protokoll n | compte rendu m | acta f | verbale m | ata f | notulen pc
bike/bicycle s | Fahrrad n | vélo m | bicicleta f | bicicletta f | bicicleta f | fiets c
drinks p | Getränke pn | boissons pf | bebidas pf | bevande pf | bebidas pf | drankjes pn
bread s | Brot n | pain m | pan m | pane m | pão m | brood n
recipe s | Rezept n | recette f | receta f | ricetta f | receita f | recept n
visit s | Besuch m | visite f | visita f | visita f | visita f | bezoek n
news s | Neuigkeiten pf | nouvelles pf | noticias pf | notizie pf | notícias pf | nieuws n
inconvenience s | Unannehmlichkeiten pf | désagrément m | molestias pf | disagio m | incómodo m | ongemak n
misunderstanding s | Missverständnis n | malentendu m | malentendido m | malinteso m | mal-entendido m | misverstand n
quick reply/quick answer/fast reply/prompt reply s | schnelle Antwort f | réponse rapide f | respuesta rápida f | risposta rapida f | resposta rápida f | snelle antwoord n
money s | Geld n | argent m | dinero m | soldi pm | dinheiro m | geld n
password s | Passwort n | mot de passe m | contraseña f | password f | palavra-passe f | wachtwoord n
location s | Ort m | lieu m | lugar m | luogo m | local m | locatie c
reminder s | Erinnerung f | rappel m | recordatorio m | promemoria m | lembrete m | herinnering c
support s | Unterstützung f | soutien m | apoyo m | sostegno m | apoio m | steun c
understanding s | Verständnis n | compréhension f | comprensión f | comprensione f | compreensão f | begrip n
children/kids p | Kinder pn | enfants pm | niños pm | bambini pm | crianças pf | kinderen pn
child/kid s | Kind n | enfant m | niño m | bambino m | criança f | kind n
café/cafe s | Café n | café m | cafetería f | bar m | café m | café n
restaurant s | Restaurant n | restaurant m | restaurante m | ristorante m | restaurante m | restaurant n
party s | Feier f | fête f | fiesta f | festa f | festa f | feest n
concert s | Konzert n | concert m | concierto m | concerto m | concerto m | concert n
course s | Kurs m | cours m | curso m | corso m | curso m | cursus c
lesson s | Stunde f | leçon f | clase f | lezione f | aula f | les c
call s | Anruf m | appel m | llamada f | chiamata f | chamada f | telefoontje n
interview s | Gespräch n | entretien m | entrevista f | colloquio m | entrevista f | gesprek n
coffee s | Kaffee m | café m | café m | caffè m | café m | koffie c
programme/program/schedule s | Programm n | programme m | programa m | programma m | programa m | programma n
weekend s | Wochenende n | week-end m | fin de semana m | fine settimana m | fim de semana m | weekend n`;

export const MORE_VERBS = `
receive/get | bekommen/erhalten - | recevoir | recibir | ricevere | receber | ontvangen
park | parken - | stationner | aparcar | parcheggiare | estacionar | parkeren
arrive | ankommen - | arriver | llegar | arrivare | chegar | aankomen
be there | da sein - | être là | estar allí | essere lì | estar lá | er zijn
leave | losfahren - | partir | salir | partire | partir | vertrekken
collect/fetch | abholen - | récupérer | recoger | ritirare | ir buscar | ophalen
transfer | überweisen d | virer | transferir | bonificare | transferir | overmaken
buy | kaufen - | acheter | comprar | comprare | comprar | kopen
borrow | ausleihen - | emprunter | tomar prestado | prendere in prestito | pedir emprestado | lenen
forward | weiterleiten d | transférer | reenviar | inoltrare | reencaminhar | doorsturen
return | zurückschicken d | retourner | devolver | restituire | devolver | terugsturen
refund | erstatten d | rembourser | reembolsar | rimborsare | reembolsar | terugbetalen
repair/fix | reparieren - | réparer | reparar | riparare | reparar | repareren
take | nehmen - | prendre | llevar | prendere | levar | nemen
use | benutzen - | utiliser | usar | usare | usar | gebruiken
see/visit | besichtigen - | visiter | ver | vedere | visitar | bekijken
do | machen - | faire | hacer | fare | fazer | doen
accept | annehmen - | accepter | aceptar | accettare | aceitar | aannemen
attend/take part/join | teilnehmen - | participer | participar | partecipare | participar | meedoen
let me know/tell me | mir Bescheid geben - | me prévenir | avisarme | farmi sapere | avisar-me | me laten weten
let us know/tell us | uns Bescheid geben - | nous prévenir | avisarnos | farci sapere | avisar-nos | ons laten weten`;

export const MORE_STATEMENTS = `
{S} is attached/{S} are attached/I attach {n}/here is {n}/here are {n}/I'm sending {n}/I am sending {n}/{s} are in the attachment/please find {n} attached/I've attached {n} | anbei <finden Sie#findest du#findet ihr> {n}/ich schicke {n} | <Vous trouverez#Tu trouveras#Vous trouverez> {n} en pièce jointe/j'envoie {n} | Adjunto {n}/envío {n} | Allego {n}/mando {n} | Envio {n} em anexo/mando {n} | Ik heb {n} bijgevoegd/ik stuur {n}
I have {n}/I've got {n}/I already have {n}/I have got {n} | ich habe {n} | J'ai {n} | Tengo {n} | Ho {n} | Tenho {n} | Ik heb {n}
We have {n}/we've got {n}/we already have {n} | wir haben {n} | Nous avons {n} | Tenemos {n} | Abbiamo {n} | Temos {n} | We hebben {n}
I don't have {n}/I do not have {n}/I don't have {n} yet/I haven't got {n} | ich habe {n} leider noch nicht | Malheureusement, je n'ai pas encore {n} | Todavía no tengo {n} | Purtroppo non ho ancora {n} | Infelizmente, ainda não tenho {n} | Ik heb {n} helaas nog niet
I haven't received {n}/I have not received {n}/I haven't received {n} yet/I didn't get {n}/I didn't receive {n}/{s} has not arrived/{s} hasn't arrived/{s} has not arrived yet/{s} hasn't arrived yet | ich habe {n} noch nicht erhalten | Je n'ai pas encore reçu {n} | Todavía no he recibido {n} | Non ho ancora ricevuto {n} | Ainda não recebi {n} | Ik heb {n} nog niet ontvangen
we haven't received {n}/we have not received {n} yet/we haven't received {n} yet/we have not received {n} | wir haben {n} noch nicht erhalten | Nous n'avons pas encore reçu {n} | Todavía no hemos recibido {n} | Non abbiamo ancora ricevuto {n} | Ainda não recebemos {n} | We hebben {n} nog niet ontvangen
I have booked {n}{t}/I booked {n}{t}/I've booked {n}{t}/I have reserved {n}{t}/I reserved {n}{t} | ich habe {n}{t} gebucht | J'ai réservé {n}{t} | He reservado {n}{t} | Ho prenotato {n}{t} | Reservei {n}{t} | Ik heb {n}{t} geboekt
I have bought {n}{t}/I bought {n}{t}/I've bought {n}{t} | ich habe {n}{t} gekauft | J'ai acheté {n}{t} | He comprado {n}{t} | Ho comprato {n}{t} | Comprei {n}{t} | Ik heb {n}{t} gekocht
I have paid {n}{t}/I paid {n}{t}/I've paid {n}{t}/I have already paid {n}{t}/I already paid {n}{t} | ich habe {n}{t} bezahlt | J'ai payé {n}{t} | He pagado {n}{t} | Ho pagato {n}{t} | Paguei {n}{t} | Ik heb {n}{t} betaald
I have sent {n}{t}/I sent {n}{t}/I've sent {n}{t}/I already sent {n}{t} | ich habe {n}{t} geschickt | J'ai envoyé {n}{t} | He enviado {n}{t} | Ho mandato {n}{t} | Enviei {n}{t} | Ik heb {n}{t} verstuurd
I have signed {n}{t}/I signed {n}{t} | ich habe {n}{t} unterschrieben | J'ai signé {n}{t} | He firmado {n}{t} | Ho firmato {n}{t} | Assinei {n}{t} | Ik heb {n}{t} ondertekend
I have checked {n}/I checked {n}/I've checked {n} | ich habe {n} geprüft | J'ai vérifié {n} | He comprobado {n} | Ho controllato {n} | Verifiquei {n} | Ik heb {n} gecontroleerd
I have read {n}/I read {n}/I've read {n} | ich habe {n} gelesen | J'ai lu {n} | He leído {n} | Ho letto {n} | Li {n} | Ik heb {n} gelezen
I have forgotten {n}/I forgot {n}/I've forgotten {n} | ich habe {n} leider vergessen | Malheureusement, j'ai oublié {n} | Lamentablemente, he olvidado {n} | Purtroppo ho dimenticato {n} | Infelizmente, esqueci-me de {n} | Ik ben {n} helaas vergeten
{T} is too early/{T} is too early for me/{T} is a bit early/{T} is too early for us | {T} ist leider zu früh | Malheureusement, {T}, c'est trop tôt | {T} es demasiado pronto | {T} è troppo presto | {T} é cedo demais | {T} is helaas te vroeg
{T} is too late/{T} is too late for me/{T} is a bit late/{T} is too late for us | {T} ist leider zu spät | Malheureusement, {T}, c'est trop tard | {T} es demasiado tarde | {T} è troppo tardi | {T} é tarde demais | {T} is helaas te laat
{T} would be better/{T} is better/{T} would suit me better/I prefer {T}/I would prefer {T}/I'd prefer {T}/{T} would be better for me/{T} suits me better/{T} would be ideal | {T} wäre mir lieber | {T}, ce serait mieux pour moi | {T} me vendría mejor | {T} sarebbe meglio per me | {T} seria melhor para mim | {T} komt mij beter uit
{T} is too soon | {T} ist leider zu kurzfristig | Malheureusement, {T}, c'est trop tôt | {T} es demasiado pronto | {T} è troppo presto | {T} é cedo demais | {T} is helaas te snel
we accept/we agree | wir sind einverstanden | Nous acceptons | Aceptamos | Accettiamo | Aceitamos | We gaan akkoord
we accept {n}/I accept {n}/I'd like to accept {n}/we would like to accept {n} | wir nehmen {n} gerne an | Nous acceptons {n} | Aceptamos {n} | Accettiamo {n} | Aceitamos {n} | We accepteren {n}
I'd like {n}{t}/I would like {n}{t}/we would like {n}{t}/we'd like {n}{t} | ich hätte gerne {n}{t} | J'aimerais avoir {n}{t} | Me gustaría tener {n}{t} | Vorrei {n}{t} | Gostaria de ter {n}{t} | Ik wil graag {n}{t}
I have a meeting{t}/I've got a meeting{t}/I'm in a meeting{t}/I am in a meeting{t} | ich habe{t} eine Besprechung | J'ai une réunion{t} | Tengo una reunión{t} | Ho una riunione{t} | Tenho uma reunião{t} | Ik heb{t} een vergadering
I have to work{t}/I must work{t}/I'm working{t}/I am working{t}/I work{t} | ich muss{t} arbeiten | Je dois travailler{t} | Tengo que trabajar{t} | Devo lavorare{t} | Tenho de trabalhar{t} | Ik moet{t} werken
I have no car/I don't have a car/the car is broken/my car is broken/the car is at the garage | mein Auto ist kaputt | Ma voiture est en panne | Tengo el coche averiado | Ho la macchina rotta | Tenho o carro avariado | Mijn auto is kapot
I need the car{t}/I need my car{t} | ich brauche das Auto{t} selbst | J'ai besoin de la voiture{t} | Necesito el coche{t} | Mi serve la macchina{t} | Preciso do carro{t} | Ik heb de auto{t} zelf nodig
it is attached/it's attached/they are attached/it is in the attachment | das Dokument ist im Anhang | Le document est en pièce jointe | El documento va adjunto | Il documento è in allegato | O documento segue em anexo | Het document zit in de bijlage
{T} still works/{T} still works for me/{T} is still fine/{T} still suits me | {T} passt mir weiterhin | {T} me convient toujours | {T} me sigue viniendo bien | {T} va ancora bene per me | {T} continua a servir-me | {T} komt mij nog steeds goed uit
I can only come{t}/I can only make it{t}/I'm only free{t}/I am only free{t}/I can only do it{t} | ich kann erst{t} kommen | Je ne peux venir que{t} | Solo puedo ir{t} | Posso venire solo{t} | Só posso ir{t} | Ik kan pas{t} komen
I prefer the afternoon/the afternoon is better/the afternoon would be better/afternoons are better/I prefer afternoons/I'd prefer the afternoon/I would prefer the afternoon | nachmittags wäre es mir lieber | Je préfère l'après-midi | Prefiero por la tarde | Preferisco il pomeriggio | Prefiro à tarde | Ik heb liever 's middags
I prefer the morning/the morning is better/the morning would be better/mornings are better/I prefer mornings/I'd prefer the morning/I would prefer the morning/mornings only | vormittags wäre es mir lieber | Je préfère le matin | Prefiero por la mañana | Preferisco la mattina | Prefiro de manhã | Ik heb liever 's ochtends
not yet/no, not yet/not so far | leider noch nicht | Pas encore | Todavía no | Non ancora | Ainda não | Nog niet
don't worry/don't worry about it/never mind/it doesn't matter/it does not matter | das macht nichts | Ce n'est pas grave | No pasa nada | Non fa niente | Não faz mal | Het geeft niet
see <you#you#you> {T}/I'll see <you#you#you> {T} | bis {T} | À {T} | Hasta {T} | A {T} | Até {T} | Tot {T}
Unfortunately, I can't do {T}/I can't do {T}/we can't do {T}/I cannot do {T}/we cannot do {T}/I can't manage {T}/we can't manage {T} | {T} passt leider nicht | Malheureusement, {T} ne convient pas | Lamentablemente, {T} no viene bien | Purtroppo {T} non va bene | Infelizmente, {T} não dá | {T} lukt helaas niet
I might be {N} minutes late/I may be {N} minutes late/I could be {N} minutes late/maybe I'll be {N} minutes late | vielleicht komme ich {N} Minuten später | J'aurai peut-être {N} minutes de retard | Puede que llegue {N} minutos tarde | Forse arriverò con {N} minuti di ritardo | Talvez chegue {N} minutos atrasado | Misschien ben ik {N} minuten later
I can meet{t}/we can meet{t}/I can meet <you#him#her>{t}/I could meet{t}/I'm free to meet{t} | ich habe{t} Zeit | Je suis disponible{t} | Estoy disponible{t} | Sono disponibile{t} | Estou disponível{t} | Ik ben{t} beschikbaar
I'm tired/I am tired/I'm very tired | ich bin müde | Je suis fatigué | Estoy cansado | Sono stanco | Estou cansado | Ik ben moe
{s} was sent{t}/{s} has been sent{t}/{s} was sent off{t}/{s} went out{t} | wir haben {n}{t} geschickt | Nous avons envoyé {n}{t} | Hemos enviado {n}{t} | Abbiamo inviato {n}{t} | Enviámos {n}{t} | We hebben {n}{t} verstuurd
{s} was paid{t}/{s} has been paid{t} | wir haben {n}{t} bezahlt | Nous avons payé {n}{t} | Hemos pagado {n}{t} | Abbiamo pagato {n}{t} | Pagámos {n}{t} | We hebben {n}{t} betaald
we arrive{t}/we will arrive{t}/we'll arrive{t}/we're arriving{t}/we are arriving{t} | wir kommen{t} an | Nous arrivons{t} | Llegamos{t} | Arriviamo{t} | Chegamos{t} | We komen{t} aan
I arrive{t}/I will arrive{t}/I'll arrive{t}/I'm arriving{t}/I am arriving{t} | ich komme{t} an | J'arrive{t} | Llego{t} | Arrivo{t} | Chego{t} | Ik kom{t} aan
I'll be at home all day/I will be at home all day/I'm at home all day/I'm home all day/I'll be home all day | ich bin den ganzen Tag zu Hause | Je serai à la maison toute la journée | Estaré en casa todo el día | Sarò a casa tutto il giorno | Estarei em casa o dia todo | Ik ben de hele dag thuis
there will be {N} of us/we are {N}/we're {N}/we will be {N}/we'll be {N}/we are {N} people/we will be {N} people/we'll be {N} people/there are {N} of us | wir sind {N} Personen/wir sind zu {N} | Nous serons {N}/nous sommes {N}/on sera {N} | Seremos {N}/somos {N} | Saremo in {N}/siamo in {N} | Seremos {N}/somos {N} | We zijn met {N} personen/we zijn met zijn {N}
that's a good idea/good idea/great idea/it's a good idea/that's a great idea/sounds good/sounds great/that sounds good/that sounds great/that would be great/that would be lovely/that would be nice/that's great/that's perfect | das ist eine gute Idee/gute Idee/klingt gut/gern | C'est une bonne idée/bonne idée | Es una buena idea/buena idea | È un'ottima idea/buona idea | É uma boa ideia/boa ideia | Dat is een goed idee/goed idee
that's great news/great news/good news/that is great news/wonderful news | das sind tolle Neuigkeiten | C'est une excellente nouvelle | Qué buena noticia | È un'ottima notizia | É uma ótima notícia | Dat is goed nieuws
no problem/that's no problem/that is no problem/it's no problem/no worries/that's not a problem | das ist kein Problem/kein Problem | Pas de problème/aucun problème | No hay ningún problema/no hay problema | Nessun problema | Não há problema/sem problema | Geen probleem
it looks good/looks good/looks great/it looks great/everything looks good | das sieht gut aus/sieht gut aus | Tout me semble bien/ça a l'air bien | Tiene buena pinta/se ve bien | Mi sembra tutto a posto/sembra buono | Parece-me bem | Het ziet er goed uit
I don't know yet/I'm not sure yet/I am not sure yet/I don't know | ich weiß es leider noch nicht/ich weiß es noch nicht | Je ne sais pas encore | Todavía no lo sé | Non lo so ancora | Ainda não sei | Ik weet het nog niet
I'm not interested/I am not interested/we're not interested/we are not interested | ich habe leider kein Interesse/kein Interesse | Cela ne m'intéresse malheureusement pas | Lamentablemente no me interesa | Purtroppo non mi interessa | Infelizmente não estou interessado | Ik heb helaas geen interesse
I'm interested/I am interested/we are interested/we're interested | ich habe Interesse/ich bin interessiert | Cela m'intéresse | Me interesa | Mi interessa | Interessa-me | Ik heb interesse
it is urgent/it's urgent/this is urgent | es ist dringend/es eilt | C'est urgent | Es urgente | È urgente | É urgente | Het is dringend
there is no rush/there's no rush/no rush/no hurry/it's not urgent/it is not urgent/there is no hurry | es eilt nicht/keine Eile | Il n'y a pas d'urgence/rien ne presse | No hay prisa/no corre prisa | Non c'è fretta | Não há pressa | Er is geen haast bij/geen haast
the price is fine/the price is ok/I'm fine with the price/I am fine with the price | der Preis ist in Ordnung | Le prix me convient | El precio me parece bien | Il prezzo va bene | O preço está bem | De prijs is prima
I hope <you are#you are#you are> well/hope you are well/I hope you're well | ich hoffe, es geht <Ihnen#dir#euch> gut | J'espère que <vous allez#tu vas#vous allez> bien | Espero que <esté#estés#estén> bien | Spero che <Lei stia#tu stia#stiate> bene | Espero que esteja tudo bem | Ik hoop dat het goed met <u#je#jullie> gaat
I have no objection/I have no objections/no objections | ich habe keine Einwände | Je n'ai pas d'objection | No tengo objeciones | Non ho obiezioni | Não tenho objeções | Ik heb geen bezwaar
the meeting is at {T}/we meet at {T}/let's meet at {T}/let's meet {T}/we can meet {T}/we could meet {T}/meet {T}/we should meet {T} | treffen wir uns {T} | Retrouvons-nous {T} | Quedamos {T} | Vediamoci {T} | Encontramo-nos {T} | Laten we {T} afspreken`;

export const MORE_QUESTIONS = `
how {you} are/how {you} is/how {you} is doing/how {you} are doing | wie es <Ihnen#dir#euch> geht/wie es ihm geht/wie es ihr geht | comment <vous allez#tu vas#vous allez>/comment il va/comment elle va | cómo <está#estás#están> | come <sta#stai#state> | como <está#estás#estão> | hoe het met <u#je#jullie> gaat/hoe het met hem gaat/hoe het met haar gaat
when I will receive {n}/when I will get {n}/when we will receive {n}/when I get {n}/when we get {n}/when {s} arrives/when {s} will arrive/when {s} will be delivered/when {s} is coming | wann ich {n} bekomme | quand je recevrai {n} | cuándo recibiré {n} | quando riceverò {n} | quando vou receber {n} | wanneer ik {n} krijg
how many people are coming/how many are coming/how many people come/how many people there will be/how many we are/how many people will come | wie viele Leute kommen | combien de personnes viennent | cuántas personas vienen | quante persone vengono | quantas pessoas vêm | hoeveel mensen er komen
who else is coming/who else comes/who is coming | wer sonst noch kommt/wer noch kommt | qui d'autre vient | quién más viene | chi altro viene | quem mais vem | wie er nog meer komt
what time suits {you}/what time works for {you}/when suits {you}/which day suits {you}/when it suits {you}/when {you} has time/when {you} have time/when {you} is free/when {you} are free/when {you} is available/when {you} are available | wann es <Ihnen#dir#euch> passt/wann er Zeit hat/wann sie Zeit hat | quand cela <vous#te#vous> convient/quand elle est disponible | cuándo <le#te#les> viene bien | quando <Le#ti#vi> va bene | quando <lhe#te#vos> dá jeito | wanneer het <u#je#jullie> uitkomt
what is included/what's included/what the price includes | was im Preis enthalten ist | ce qui est compris dans le prix | qué incluye el precio | cosa è compreso nel prezzo | o que está incluído no preço | wat er bij de prijs inbegrepen is
how much I owe {you}/what I owe {you}/how much I owe | was ich <Ihnen#dir#euch> schulde/was ich schulde | combien je <vous#te#vous> dois | cuánto <le#te#les> debo | quanto <Le#ti#vi> devo | quanto <lhe#te#vos> devo | hoeveel ik <u#je#jullie> schuldig ben
how much {s} is/what {s} costs/how much {s} costs/how much is {s}/how much {s} will cost | was {s} kostet/wie viel {s} kostet | combien coûte {n} | cuánto cuesta {n} | quanto costa {n} | quanto custa {n} | wat {s} kost/hoeveel {s} kost
how long {s} takes/how long {s} will take/how long {s} lasts/how long {s} will last/how long {s} is | wie lange {s} dauert | combien de temps dure {n} | cuánto dura {n} | quanto dura {n} | quanto tempo dura {n} | hoe lang {s} duurt
when {s} starts/when {s} will start/what time {s} starts/when {s} is/what time {s} is | wann {s} beginnt | quand commence {n} | cuándo empieza {n} | quando comincia {n} | quando começa {n} | wanneer {s} begint
where {s} is/where is {s} | wo {s} ist | où est {n} | dónde está {n} | dov'è {n} | onde está {n} | waar {s} is`;

export const MORE_WHETHERS = `
{you} have {n}/{you} has {n}/{you} already has {n}/{you} already have {n}/{you} has got {n}/{you} still has {n}/{you} still have {n} | sie {n} hat | elle a {n} | tiene {n} | ha {n} | tem {n} | ze {n} heeft
{you} need {n}/{you} needs {n} | sie {n} braucht | elle a besoin de {n} | necesita {n} | ha bisogno di {n} | precisa de {n} | ze {n} nodig heeft
{you} need help/{you} needs help | sie Hilfe braucht | elle a besoin d'aide | necesita ayuda | ha bisogno di aiuto | precisa de ajuda | ze hulp nodig heeft
{you} received {n}/{you} got {n}/{you} has received {n}/{you} have received {n}/{s} arrived/{s} has arrived | sie {n} bekommen hat | elle a reçu {n} | ha recibido {n} | ha ricevuto {n} | recebeu {n} | ze {n} heeft ontvangen
{you} are coming{t}/{you} is coming{t}/{you} comes{t}/{you} come{t}/{you} wants to come{t}/{you} want to come{t}/{you} would like to come{t} | sie{t} kommt | elle vient{t} | viene{t} | viene{t} | vem{t} | ze{t} komt
{s} is included/{s} are included | {s} inbegriffen ist | le prix comprend {n} | el precio incluye {n} | il prezzo comprende {n} | o preço inclui {n} | {s} inbegrepen is
the meeting can be online/we can meet online/it can be online/the meeting could be online/we could meet online/we can do it online | das Treffen online stattfinden kann | la réunion peut se faire en ligne | la reunión puede ser en línea | la riunione si può fare online | a reunião pode ser online | de vergadering online kan
it is still available/it's still available/it is available/it's still free | es noch verfügbar ist | c'est encore disponible | todavía está disponible | è ancora disponibile | ainda está disponível | het nog beschikbaar is
that works for {you}/that suits {you}/this works for {you}/that's ok/that is ok/that's ok for {you}/that is ok for {you}/that's fine/it is ok/it's ok/that works/this works | das passt | cela convient | le viene bien | va bene | pode ser | dat uitkomt
there is a discount/there's a discount/a discount is possible/we can get a discount/I can get a discount/I get a discount/{you} can give us a discount/{you} can give me a discount/{you} could give us a discount | ein Rabatt möglich ist | une remise est possible | es posible un descuento | è possibile uno sconto | é possível um desconto | een korting mogelijk is
{you} has any questions/{you} have any questions/{you} has questions | sie noch Fragen hat | elle a des questions | tiene alguna pregunta | ha domande | tem alguma pergunta | ze nog vragen heeft`;

/** Places and means, which stand where times do. */
export const PLACES = `
at our place/at ours/at our house/at our home | bei uns | chez nous | en nuestra casa | da noi/a casa nostra | em nossa casa | bij ons
at my place/at mine/at my house | bei mir | chez moi | en mi casa | da me/a casa mia | em minha casa | bij mij
at the station/in the station/at the train station | am Bahnhof | à la gare | en la estación | alla stazione/in stazione | na estação | op het station/bij het station
at the office/in the office | im Büro | au bureau | en la oficina | in ufficio | no escritório | op kantoor
at the entrance/at the main entrance | am Eingang | à l'entrée | en la entrada | all'ingresso | à entrada | bij de ingang
at the airport | am Flughafen | à l'aéroport | en el aeropuerto | all'aeroporto | no aeroporto | op het vliegveld
at home | zu Hause | à la maison | en casa | a casa | em casa | thuis
in the park/at the park | im Park | au parc | en el parque | al parco | no parque | in het park
at the café/in the café/at the cafe/in the cafe | im Café | au café | en la cafetería | al bar | no café | in het café
at the restaurant/in the restaurant | im Restaurant | au restaurant | en el restaurante | al ristorante | no restaurante | in het restaurant
at the school/at school | in der Schule | à l'école | en el colegio | a scuola | na escola | op school
at the hotel/in the hotel | im Hotel | à l'hôtel | en el hotel | in hotel | no hotel | in het hotel
in the garden | im Garten | dans le jardin | en el jardín | in giardino | no jardim | in de tuin
in front of the cinema/outside the cinema/at the cinema | vor dem Kino | devant le cinéma | delante del cine | davanti al cinema | em frente ao cinema | voor de bioscoop
by card/with card/by credit card | mit Karte | par carte | con tarjeta | con la carta/con carta | com cartão | met kaart
by bank transfer/by transfer/by wire | per Überweisung | par virement | por transferencia | con bonifico/tramite bonifico | por transferência | per overschrijving
in cash/cash | bar/in bar | en espèces | en efectivo | in contanti | em dinheiro | contant
by email/by mail/by e-mail | per E-Mail/per Mail | par e-mail/par mail | por correo electrónico/por correo | per e-mail/via e-mail/per mail | por e-mail | per e-mail/per mail
by phone/on the phone | telefonisch | par téléphone | por teléfono | per telefono | por telefone | telefonisch
by post | per Post | par la poste | por correo postal | per posta | pelo correio | per post
by car | mit dem Auto | en voiture | en coche | in macchina/in auto | de carro | met de auto
by train | mit dem Zug | en train | en tren | in treno | de comboio | met de trein
online | online | en ligne | en línea/online | online | online | online
a day earlier/one day earlier | einen Tag früher | un jour plus tôt | un día antes | un giorno prima | um dia antes | een dag eerder
a day later/one day later | einen Tag später | un jour plus tard | un día después | un giorno dopo | um dia depois | een dag later
a week later/one week later | eine Woche später | une semaine plus tard | una semana después | una settimana dopo | uma semana depois | een week later
an hour later/one hour later | eine Stunde später | une heure plus tard | una hora más tarde | un'ora più tardi | uma hora mais tarde | een uur later
an hour earlier/one hour earlier | eine Stunde früher | une heure plus tôt | una hora antes | un'ora prima | uma hora antes | een uur eerder
as soon as possible/asap | so bald wie möglich | dès que possible | lo antes posible | il prima possibile | o mais depressa possível | zo snel mogelijk
after the delivery | nach der Lieferung | après la livraison | después de la entrega | dopo la consegna | depois da entrega | na de levering
after the meeting | nach der Besprechung | après la réunion | después de la reunión | dopo la riunione | depois da reunião | na de vergadering
before the meeting | vor der Besprechung | avant la réunion | antes de la reunión | prima della riunione | antes da reunião | voor de vergadering
after work | nach der Arbeit | après le travail | después del trabajo | dopo il lavoro | depois do trabalho | na het werk
after the holidays/after the holiday | nach den Ferien | après les vacances | después de las vacaciones | dopo le vacanze | depois das férias | na de vakantie
today at noon | heute Mittag | à midi aujourd'hui | hoy a mediodía | oggi a mezzogiorno | hoje ao meio-dia | vanmiddag om twaalf uur
already | schon/bereits | déjà | ya | già | já | al
yesterday | gestern | hier | ayer | ieri | ontem | gisteren
last week | letzte Woche | la semaine dernière | la semana pasada | la settimana scorsa | na semana passada | vorige week`;
