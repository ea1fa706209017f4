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
