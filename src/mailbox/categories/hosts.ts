/** Names and words that `categorize` searches for. Adding one changes only the category of mail. */

/** Domains, with all their subdomains, that send notifications about activity on a social network. */
export const SOCIAL_HOSTS: ReadonlySet<string> = new Set([
  ...["facebook.com", "facebookmail.com", "fb.com", "meta.com", "instagram.com", "threads.net", "whatsapp.com"],
  ...["linkedin.com", "xing.com", "viadeo.com", "twitter.com", "x.com", "bsky.app", "bsky.social", "mastodon.social"],
  ...["mastodon.online", "mastodon.world", "fosstodon.org", "mstdn.social", "truthsocial.com", "gab.com", "tumblr.com"],
  ...["reddit.com", "redditmail.com", "quora.com", "pinterest.com", "tiktok.com", "snapchat.com", "discord.com"],
  ...[
    "discordapp.com",
    "telegram.org",
    "twitch.tv",
    "flickr.com",
    "deviantart.com",
    "500px.com",
    "vsco.co",
    "bereal.com",
  ],
  ...["nextdoor.com", "nextdoor.de", "nebenan.de", "meetup.com", "couchsurfing.com", "foursquare.com", "myspace.com"],
  ...["goodreads.com", "letterboxd.com", "last.fm", "strava.com", "youtube.com", "vimeo.com", "dailymotion.com"],
  ...[
    "vk.com",
    "ok.ru",
    "vkontakte.ru",
    "weibo.com",
    "weibo.cn",
    "douban.com",
    "zhihu.com",
    "renren.com",
    "mixi.jp",
    "line.me",
  ],
  ...[
    "kakaocorp.com",
    "kakao.com",
    "band.us",
    "tinder.com",
    "gotinder.com",
    "bumble.com",
    "hinge.co",
    "match.com",
    "okcupid.com",
  ],
  ...[
    "parship.de",
    "parship.com",
    "elitepartner.de",
    "badoo.com",
    "happn.com",
    "grindr.com",
    "plentyoffish.com",
    "pof.com",
  ],
  ...[
    "stayfriends.de",
    "classmates.com",
    "skyrock.com",
    "ning.com",
    "hi5.com",
    "taringa.net",
    "researchgate.net",
    "academia.edu",
  ],
]);

const CAMPAIGN_NAMES = [
  ...["campaign", "mc-user$", "mailchimp", "mailin-campaign", "mailjet-campaign", "klaviyo"],
  ...["sfmc-", "rpcampaign", "cmail-?", "emarsys", "csa-complaints$", "newsletter", "acmail"],
  ...["rext$", "mkt", "marketo", "eloqua", "cheetah", "cm-?id$", "convertkit", "beehiiv"],
  ...["getresponse", "job$", "roving-(?:campaign)?id$", "ctct-", "cleverreach", "mailerlite"],
  ...["mailer-lid$", "mailer-sid$", "iterable", "braze", "responsys", "dmid$"],
];

/**
 * Headers that only mailing services and campaign software write. Alone they decide no category, because some receipts
 * have them, too.
 */
export const CAMPAIGN_HEADER = new RegExp(`^x-(?:${CAMPAIGN_NAMES.join("|")})`);

/** First words of local parts that send advertisements and newsletters: "news" in news@, news-de@, news1@. */
export const MARKETING_SENDERS: ReadonlySet<string> = new Set([
  ...[
    "news",
    "enews",
    "newsletter",
    "newsletters",
    "enewsletter",
    "offer",
    "offers",
    "deal",
    "deals",
    "promo",
    "promos",
  ],
  ...[
    "promotion",
    "promotions",
    "marketing",
    "campaign",
    "campaigns",
    "sale",
    "sales",
    "shop",
    "store",
    "digest",
    "weekly",
  ],
  ...[
    "magazine",
    "special",
    "specials",
    "angebot",
    "angebote",
    "werbung",
    "aktion",
    "aktionen",
    "infolettre",
    "offre",
    "offres",
  ],
  ...["promozioni", "offerte", "oferta", "ofertas", "promocoes", "promociones", "boletin", "nieuwsbrief", "aanbieding"],
  ...["aanbiedingen", "nyhetsbrev", "nyhedsbrev", "uutiskirje", "rassylka", "newsy", "hirlevel"],
]);

/** Words in local parts that no person uses as an address: "notifications" in github-notifications@. */
export const MACHINE_SENDERS: ReadonlySet<string> = new Set([
  ...[
    "notify",
    "notification",
    "notifications",
    "notifier",
    "alert",
    "alerts",
    "auto",
    "automated",
    "automailer",
    "automatic",
  ],
  ...[
    "system",
    "robot",
    "bot",
    "daemon",
    "cron",
    "root",
    "mailer",
    "bounce",
    "bounces",
    "unattended",
    "update",
    "updates",
  ],
  ...[
    "receipt",
    "receipts",
    "invoice",
    "invoices",
    "billing",
    "order",
    "orders",
    "payment",
    "payments",
    "tracking",
    "delivery",
  ],
  ...[
    "bestellung",
    "bestellungen",
    "rechnung",
    "rechnungen",
    "versand",
    "confirm",
    "confirmation",
    "confirmations",
    "booking",
  ],
  ...[
    "bookings",
    "reservation",
    "reservations",
    "statement",
    "statements",
    "security",
    "account",
    "accounts",
    "verify",
  ],
  ...[
    "verification",
    "service",
    "jira",
    "bugzilla",
    "jenkins",
    "gitlab",
    "build",
    "builds",
    "nagios",
    "monitoring",
    "reminder",
  ],
  ...["reminders", "shipment", "paketankuendigung", "dmarc", "postmaster", "wordpress", "www", "apache", "nobody"],
]);

/** Domain labels in front of a sender's own domain that only newsletters use: x@newsletter.example.com. */
export const MARKETING_SUBDOMAINS: ReadonlySet<string> = new Set([
  ...["news", "enews", "newsletter", "newsletters", "enewsletter", "enewsletters", "marketing", "promo", "promos"],
  ...["promotions", "offers", "deals", "campaign", "campaigns", "mailing", "mailings"],
]);

const REFUSAL = "no|do[._-]?not|dont|non|nao|keine?|nicht|ne[._-]?pas";
const ANSWER = "reply|replay|respond(?:a|er)?|repondre|rispondere|antwort(?:en)?";

/**
 * "no-reply", "noreply2", "donotreply", "ne-pas-repondre", "nicht.antworten" and the like, anywhere in a local part.
 */
export const NO_REPLY = new RegExp(`(?:\\b|_|\\d)(?:(?:${REFUSAL})[._-]?(?:${ANSWER})|nie[._-]?odpowiadaj)`);

/** First words of addresses that people and programs share: an office, a shop. */
export const ROLE_SENDERS: ReadonlySet<string> = new Set(
  (
    "info infos information hello hi hallo hola ola ciao bonjour hej contact contacto contato contatti kontakt mail team " +
    "office buero kundenservice kundendienst service services support help care customercare customerservice client clients " +
    "clientes cliente kunden members membership mitglieder community club events event list lists mailinglist mailing " +
    "announce announcement announcements editor editors editorial redaktion redaction redacao redaccion redazione webmaster " +
    "subscriptions subscription subscriber welcome noticias novidades novedades actualites actualite actu notizie nouvelles " +
    "aktuelles neuigkeiten nieuws agenda programm rundbrief weather horoscope daily weekly monthly press presse pedidos " +
    "pedido commande commandes ordini ordine encomendas avisos aviso facturas facturacion faturas fatturazione reservas " +
    "reservations marcacoes citas billetes tickets ticket kundenkonto meldung mitteilung benachrichtigung benachrichtigungen " +
    "bestelling bestellingen klantenservice facturatie kundeservice kundtjanst tilaukset zamowienia sklep biuro kontakty " +
    "zakaz zakazy magazin siparis bilgi destek auto web website app online customer feedback survey reply replies"
  ).split(" "),
);

/** Domains of free mail, where people have their addresses. Mailing services refuse to send in their name. */
export const FREE_MAIL: ReadonlySet<string> = new Set(
  (
    "gmail.com googlemail.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.pt hotmail.com hotmail.de " +
    "hotmail.fr hotmail.it hotmail.es hotmail.co.uk live.com live.de live.fr live.nl live.it live.co.uk msn.com yahoo.com " +
    "yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.uk yahoo.co.jp yahoo.com.br ymail.com rocketmail.com icloud.com me.com " +
    "mac.com aol.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de arcor.de posteo.de posteo.net " +
    "mailbox.org proton.me protonmail.com pm.me tutanota.com tuta.io fastmail.com fastmail.fm hey.com zoho.com orange.fr " +
    "wanadoo.fr free.fr sfr.fr laposte.net bbox.fr neuf.fr libero.it virgilio.it alice.it tin.it tiscali.it mail.ru bk.ru " +
    "list.ru inbox.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net qq.com 163.com 126.com sina.com foxmail.com naver.com " +
    "daum.net hanmail.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp sapo.pt uol.com.br bol.com.br terra.com.br ziggo.nl " +
    "kpnmail.nl xs4all.nl planet.nl home.nl telia.com wp.pl o2.pl onet.pl interia.pl gazeta.pl seznam.cz centrum.cz azet.sk " +
    "comcast.net verizon.net att.net sbcglobal.net earthlink.net cox.net btinternet.com sky.com ntlworld.com telenet.be " +
    "skynet.be bluewin.ch eircom.net bigpond.com optusnet.com.au shaw.ca rogers.com sympatico.ca abv.bg freemail.hu"
  ).split(" "),
);

/**
 * Domains of services that send newsletters, in the Message-ID, the return address or the links of a message. "#"
 * stands for digits.
 */
export const NEWSLETTER_HOSTS: ReadonlySet<string> = new Set(
  (
    "mcsv.net mcdlv.net rsgsv.net mailchimpapp.net list-manage.com list-manage#.com mailchi.mp cmail#.com createsend.com " +
    "createsend#.com cmdu.net constantcontact.com rs#.net ccsend.com klaviyomail.com klclick.com klclick#.com " +
    "kmail-lists.com sendinblue.com sibsp.com sendibm#.com sendibt#.com sendib#.com sendibw#.com mailjet.com mjt.lu " +
    "mailerlite.com mlsend.com mlsend#.com mlsnd.com convertkit-mail.com convertkit-mail#.com getresponse.com gr-mail.com " +
    "gr-mail#.com aweber.com activehosted.com acems#.com activecampaign.com emlnk.com emlnk#.com cleverreach.com crsend.com " +
    "newsletter#go.com nl#go.com rapidmail.com emailsys#a.net emailsys#b.net emailsys#.net inxmail.com inxserver.com " +
    "inxserver.de optivo.com optivo.net optivo.de srv#.de emarsys.net emsecure.net exacttarget.com exct.net " +
    "sfmc-content.com mktomail.com mktoresp.com eloqua.com en#.com responsys.net rsys#.com rsys#.net bm#.com " +
    "silverpop.com mkt#.com hubspotemail.net hs-sales-engage.com hubspotlinks.com beehiiv.com substack.com " +
    "buttondown.email tinyletter.com revue.email moosend.com sendpulse.com unisender.com sendsay.ru subscribe.ru " +
    "mailigen.com benchmarkemail.com icontact.com verticalresponse.com sailthru.com customeriomail.com dripemail#.com " +
    "omnisend.com e-goi.com mailup.com mailup.it acumbamail.com dopplerrelay.com laposta.nl laposta.org ymlp.com ymlp#.net " +
    "getanewsletter.com apsis.com apsis.one freshmail.pl freshmail.com ecomail.cz ecomailapp.cz smartemailing.cz " +
    "blastmail.jp combzmail.jp stibee.com stib.ee lyris.net dmtrk.com dmtrk.net dotmailer.com dotdigital-email.com " +
    "pure#.com campaign-archive.com campaign-archive#.com e#ma.net myemma.com vuture.net"
  ).split(" "),
);

/** Headers and domains of services that send for programs. People who run their own mail server use them, too. */
export const RELAY_HEADER =
  /^x-(?:sg-e?id|mailgun-|pm-message-id|mandrill-|ses-outgoing|msfbl|sib-id|postmark|smtpcom|mj-mid|report-abuse)/;
export const RELAY_HOSTS: ReadonlySet<string> = new Set(
  (
    "amazonses.com sendgrid.net mandrillapp.com mailgun.org mailgun.net mtasv.net sparkpostmail.com sendgrid.info " +
    "elasticemail.com mailersend.net mailersend.com resend.dev socketlabs.com postmarkapp.com"
  ).split(" "),
);
