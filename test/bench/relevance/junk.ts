/** Mailboxes that get junk queries. */
export const JUNK_MAILBOXES = ["sandbox", "notes"] as const;

/** Queries without an answer in the sample mail and in "notes", by kind. Some words of the topics may occur. */
export const JUNK: Record<string, string[]> = {
  "keys at random": [
    "qwertyuiopzz",
    "asdfghjkl",
    "xkcdvbn",
    "zzzzzz",
    "lkjhgfd poiuytr",
    "mnbvcxzlk",
    "wqxzj",
    "ghtyrueiwo",
    "plokmijn uhbygv",
    "aaabbbcccddd",
    "9f8e7d6c5b4a",
    "hjklhjklhjkl",
    "vfrtgbnhy",
    "zxcvb nmlkj hgfds",
    "jfkdlsa",
  ],
  "words of no mail": [
    "blorptang frizzlewick",
    "snorgleflub",
    "grumwhistle zanthopod",
    "quizzaciously",
    "floccinaucinihilipilification",
  ],
  "topics of no mail": [
    "photosynthesis chlorophyll",
    "volcano eruption lava",
    "quantum chromodynamics gluons",
    "byzantine emperor justinian",
    "helicopter rotor maintenance",
    "dinosaur fossils",
    "football world cup final penalty",
    "nuclear submarine",
    "chess grandmaster tournament",
    "bitcoin mining rig electricity",
    "tractor gearbox",
    "monsoon flooding bangladesh",
    "kangaroo hunting",
    "vampire novel",
    "trombone lessons",
  ],
  "other languages": ["икра чёрная осетровая", "космонавт", "παρθενώνας αθήνα", "폭포 사진", "kielbasa przepis"],
};
