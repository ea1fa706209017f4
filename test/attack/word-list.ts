/** 10,000 words for the attacker's mails: common English words, their forms, and then artificial words. */

const COMMON = `
the and for with you that this from have was were are is in on at to of it be as by or an if so we he she they i my me your his him her us our them their
had has did does not no can will been being any all both whether anything everyone yours about above accept account across action address advice afternoon again against agree airport almost along already also although always amount
answer apartment appear apple application appointment april area around arrange arrive article ask attach attend august aunt autumn available
average avoid baby back balance bank basket bathroom beach because become bedroom before begin behind believe belong below best better between
bicycle bill birthday blanket board boat body book booking borrow bottle bottom branch bread break breakfast bridge bring brother budget build
building bus business busy butter button buy cable cake calendar call camera cancel candle car card care careful carry case cash catch ceiling
central certain chain chair chance change charge cheap check cheese child children choose church cinema city class clean clear client climb
clock close clothes cloud coach coat coffee cold collect college colour come comfortable company compare complete computer concert condition
confirm connect contact contract control conversation cook copy corner correct cost cotton could council country couple course court cousin
cover create credit cross crowd culture cup current customer cut daily damage dance danger dark date daughter day dead deal dear debt december
decide decision deep delay deliver delivery dentist department departure deposit describe desk detail develop dictionary different difficult
dinner direct direction discount discuss distance doctor document dog dollar door double down draft draw dream dress drink drive driver drop dry
during each early earn earth east easy eat effect effort eight either electric electricity email emergency employ empty end energy engine
engineer english enjoy enough enter entrance envelope equal escape especially estimate euro even evening event every exact exam example except
exchange exercise expect expense experience expire explain extra eye face fact factory fail fair fall family famous far farm fast father fault
favourite february feed feel fence festival few field fill film final find fine finger finish fire first fish fit five fix flat flight floor
flower fly follow food foot football foreign forest forget form fortnight forward four fox free fresh friday fridge friend from front fruit full
fun furniture future game garage garden gate gather general get gift girl give glad glass glove gold good goodbye government grandmother grass
great green ground group grow guarantee guest guide hair half hall hand handle happen happy harbour hard hat have head health hear heart heat
heating heavy height hello help here high hill hire history hold hole holiday home hope horse hospital hot hotel hour house however huge hundred
hungry hurry husband ice idea ill imagine important improve include income increase indeed inform information inside instead instruction insurance
interest interview into introduce invite invoice iron island issue january jewel job join journey juice july june just keep kettle key kilogram
kind kitchen knife knock know ladder lady lake lamp land landlord language large last late later laugh laundry law lawyer lead leaf learn lease
leather leave left lemon lend length less lesson letter level library licence lie life lift light like likely limit line list listen little live
loan local lock long look lorry lose lost lot loud love lovely low luck luggage lunch machine magazine mail main make manage manager many map
march mark market marriage match material matter maximum may maybe meal mean measure meat medicine medium meet meeting member memory mention menu
message metal meter method middle might mile milk mind minister minute mirror miss mistake mobile model modern moment monday money month moon more
morning mortgage most mother motor mountain mouth move much museum music must name narrow nation natural nature near nearly necessary neck need
neighbour nephew never new news newspaper next nice niece night nine nobody noise none noon normal north note nothing notice november number nurse
object obvious october offer office often oil old onion online only open opinion opposite orange order ordinary other our outside oven over own
owner pack package page pain paint pair paper parcel parent park part partner party pass passenger passport past path patient pay payment peace
pen pencil people pepper perfect perhaps period permit person phone photograph piano pick picture piece pillow pipe place plan plane plant plastic
plate platform play please plenty plumber pocket point police policy polite pool poor popular port position possible post postcode potato pound
practice prefer prepare present press pressure pretty prevent price print private prize problem process produce product profit programme project
promise proof proper protect proud prove provide public pull pump pupil purchase purpose purse push put quality quarter queen question queue quick
quiet quite radiator railway rain raise rate rather reach read ready real really reason receipt receive recent recipe recommend record red reduce
refer refund refuse regard register regular relax remain remember remind remove rent repair repeat replace reply report request require rescue
reserve rest restaurant result return rice rich ride right ring rise river road roof room rope rose rough round route row rubber rubbish rule run
safe sail salad salary sale salt same sand saturday save say school science scissors screen sea search season seat second secret section see seem
sell send sense sentence separate september serious serve service set settle seven several shade shake shall shape share sharp sheet shelf shine
ship shirt shoe shop shore short should shoulder shout show shower shut sick side sign signature silence silver similar simple since sing single
sink sister site situation six size skill skin skirt sleep slice slip slow small smell smile smoke smooth snow soap social society sock soft
software soldier solution solve some somebody something sometimes son song soon sorry sort sound soup south space spare speak special speech speed
spell spend spoon sport spring square staff stage stairs stamp stand standard star start state statement station stay steel step stick still stone
stop store storm story straight strange street strike string strong student studio study subject success such sudden sugar suggest suit suitcase
summer sun sunday supper supply support suppose sure surface surname surprise sweet swim system table take talk tall tap taste tax taxi tea teach
teacher team telephone television temperature ten tenant tennis term terrace test than thank theatre their them then there therefore these thick
thief thin thing think third thirsty this those though thousand thread three through throw thumb thursday ticket tidy tie till time tired today
together toilet tomato tomorrow tongue tonight tool tooth top total touch towards towel tower town toy trade traffic train training transfer
travel treat tree trip trouble trousers truck true trust truth try tuesday turn twelve twenty twice two type ugly umbrella uncle under understand
unit university until upon upstairs urgent use useful usual valley value van various vegetable very video view village visa visit visitor voice
wait waiter wake walk wall wallet want warm warning wash waste watch water wave way weak wear weather website wedding wednesday week weekend weigh
weight welcome west what wheel when where which while white who whole why wide wife wild will win wind window wine winter wire wish with within
without woman wonder wood wool word work worker world worry worth would write writing wrong yard year yellow yes yesterday yet young your zero zoo`
  .trim()
  .split(/\s+/);

const ONSETS = [
  "b",
  "br",
  "d",
  "dr",
  "f",
  "g",
  "gl",
  "k",
  "l",
  "m",
  "n",
  "p",
  "pl",
  "r",
  "s",
  "st",
  "t",
  "tr",
  "v",
  "z",
];
const VOWELS = ["a", "e", "i", "o", "u"];
const CODAS = ["l", "m", "n", "r", "sk", "t"];

/** Makes words such as "brako" and "brakul", which belong to no language, in a fixed order. */
function* madeUp(): Generator<string> {
  for (const coda of CODAS)
    for (const first of ONSETS)
      for (const a of VOWELS) for (const second of ONSETS) for (const b of VOWELS) yield first + a + second + b + coda;
}

/** @returns that many different words of lower-case letters, always the same */
export function wordList(count: number): string[] {
  const words = new Set(COMMON);
  for (const word of COMMON) {
    const stem = word.replace(/[ey]$/, "");
    for (const form of [`${word}s`, `${stem}ing`, `${stem}ed`]) words.add(form);
  }
  for (const word of madeUp()) {
    if (words.size >= count) break;
    words.add(word);
  }
  return [...words].slice(0, count);
}
