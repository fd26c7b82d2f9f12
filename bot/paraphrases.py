"""Everyday words for the same thing: what people ask with, and what articles are written with.

One group a line; a word may stand in several. A group says "may be meant", never "is the same":
what is found by it counts for less than the asker's own word.
"""

from __future__ import annotations

from collections import defaultdict

from retrieval.terms import term

_GROUPS = """
kill killed killing dead death die died deaths slay slain murder murdered fatal fatality perish lives
murder homicide assassinate assassination slaughter massacre execute execution executed
corpse body bodies remains cadaver
bury buried burial grave graves funeral cemetery unburied
casualty casualties victim victims toll dead wounded
hurt injure injured injury injuries wound wounded wounding maimed
survive survived survivor survivors outlive alive
shoot shot shooting fire fired gunned gunfire opened bullet gunshot
gun firearm weapon rifle pistol handgun
weapon weapons arms weaponry armament ammunition munitions
bomb bombing bombed blast explosion explode exploded explosive detonate blew device
missile missiles rocket rockets projectile
shell shelling shells artillery bombard bombardment mortar
attack attacked attacks assault strike strikes raid hit offensive struck target targeted ambush onslaught
soldier soldiers troop troops military serviceman army forces fighter fighters
army military forces troops armed
tank tanks armour armoured armored
navy ship warship vessel fleet boat
plane aircraft jet airplane airliner aeroplane flight
helicopter chopper
pilot crew aviator cockpit
boat ship vessel ferry yacht
car vehicle automobile van truck lorry
train rail railway locomotive
crash crashed collision collide wreck accident derail
accident mishap disaster incident tragedy
collapse collapsed topple toppled fall fell down cave
crush crushed squash squashed flatten flattened
war conflict fighting battle combat hostilities invasion
invade invaded invasion occupy occupied occupation seize
ceasefire truce armistice halt peace
peace negotiations talks ceasefire settlement
talks negotiation negotiations negotiate discuss discussions dialogue meeting summit
negotiator mediator envoy delegate delegation representative
envoy ambassador diplomat emissary
retreat withdraw withdrawal withdrawn pull pulled pullout leave leaving
flee fled flight escape escaped evacuate refugee refugees fleeing
refugee refugees migrant migrants displaced asylum
evacuate evacuated evacuation evacuees rescue
leave left depart departed departure exit quit
go going went travel travelled leave head heading visit
visit visited visiting trip tour travel went travelled
arrive arrived arrival reach reached come came
return returned back come
prison jail jailed imprisoned imprisonment incarcerated custody detention behind bars cell
arrest arrested detain detained detention custody apprehended nabbed held
police cop cops officer officers constable constabulary sheriff
court judge tribunal trial justice bench
trial tried prosecute prosecution prosecuted court hearing
lawyer attorney solicitor barrister counsel
prosecutor prosecutors prosecution attorney
judge justice magistrate
sentence sentenced jailed punishment penalty term
guilty convict convicted conviction
accuse accused accusation allege alleged allegation allegations charge charged blame blamed claim claims
blame blamed responsible responsibility fault accused
claim claimed claims allege alleged assert asserted insist insisted statement
deny denied denies denial reject rejected rebut refute dispute
admit admitted acknowledge acknowledged accept concede confess confessed
promise pledge pledged vow vowed commit promised
promise promised assure assured guarantee guarantees
warn warned warning caution cautioned alert
urge urged call called appeal appealed demand demanded plea ask asked
ask asked request requested
demand demanded demands insist require
beg begged plead plea appeal
want wants wanted wish seek sought desire aim hope
aim goal objective purpose target intend
plan plans planned planning intend intention propose proposal scheme
suggest suggested propose proposed proposal recommend
recommend recommends recommended recommendation advise advice
condemn condemned denounce denounced criticise criticised criticize slam slammed blast decry
criticise criticised criticism criticize attack slam complain complaint
praise praised hail hailed applaud commend welcome
welcome welcomed greet greeted glad
thank thanked thanks grateful gratitude
apologise apologised apology apologize sorry regret
angry anger fury furious outrage outraged irate
upset unhappy disappointed disappointment displeased dismay
sad grief mourn mourning sorrow tribute
happy pleased delighted glad joy proud
afraid fear fears feared scared worry worried worries concern concerned alarmed alarm anxious
worried worry concern concerned alarm alarmed alarming
shock shocked shocking horrify horrified appalled horrific horror stunned
surprise surprised unexpected astonished shocked stunned
awful terrible horrible horrific appalling dreadful atrocious
atrocity atrocities massacre horror crimes
rape raped sexual assault abuse
torture tortured abuse abused beaten
abuse mistreat violence harm
harm hurt damage injure
damage damaged destroy destroyed destruction wreck ruin devastate devastated devastation
destroy destruction exterminate extermination demolish annihilate wipe
loot looted looting steal stole stolen robbery theft
steal theft robbed robbery thief stolen burglary
kidnap kidnapped abduct abducted abduction hostage hostages
hostage captive prisoner captured
hide hid hidden conceal cover coverup
find found discover discovered discovery uncover uncovered located spotted
search hunt look seek looking
see saw seen witness witnessed watch watched
witness witnesses onlooker bystander eyewitness
video footage film clip recording
film movie filmmaker director cinema picture
photo photos picture pictures image images photograph photographs snap
show showed shown reveal revealed display displayed demonstrate
display displayed exhibit exhibition museum show
tweet tweeted twitter post posted
post posted wrote write shared facebook online
online internet web website
write wrote written pen author
say remark comment commented remarks statement
answer answered reply replied respond responded response reaction
react reacted reaction response respond
explain explained explanation reason
reason reasons because cause caused due why motive
cause caused lead led result due blame
happen happened occur occurred take place
start started begin began begun launch launched commence open
end ended finish finished conclude concluded stop over
stop stopped halt halted cease cease end prevent
prevent prevented stop avoid block
block blocked ban banned prohibit prohibited bar barred
ban banned embargo prohibit outlaw outlawed
allow allowed permit permitted let
refuse refused reject rejected decline declined turn
force forced compel compelled coerce
continue continued keep kept carry ongoing remain
stay stayed remain remained
wait waited await awaiting
delay delayed postpone postponed
cancel cancelled cancelled scrap scrapped axed
resign resigned resignation quit step stepped
fire fired sack sacked dismiss dismissed
hire hired appoint appointed appointment recruit
job role post position work adviser occupation
boss chief head leader director manager chairman
chief head leader director secretary
leader leaders head president chief
president leader presidential
deputy vice
minister secretary
spokesman spokeswoman spokesperson spokespeople
official officials authority authorities
government administration regime cabinet authorities
parliament congress senate lawmakers legislature
lawmaker senator congressman legislator politician mp
election elections vote votes voted poll polls ballot
vote voted voting ballot
win won victory victorious beat triumph winner
lose lost defeat defeated loss beaten
beat beaten defeat defeated
score scored goal points result
championship title trophy cup tournament
match game fixture
player players athlete
coach manager trainer
fan fans supporter supporters
team side squad
record best
support supported back backed backing supporter endorse endorsed favour
back backs backed support supported
oppose opposed opposition against opponent
protest protests protested demonstration demonstrators rally march protesters
strike walkout industrial
riot riots unrest clashes disorder
agree agreed agreement deal accord pact
deal agreement accord treaty contract
sign signed signing
join joined member membership
exclude excluded expel expelled exclusion kick throw
expel expelled deport deported oust ousted remove
remove removed removing removal
sanctions sanction penalties measures embargo
punish punished punishment penalty
law legislation bill act rule rules
legal lawful law
illegal unlawful banned
fine penalty
money cash funds funding finance financial
fund funds funded funding finance money
pay paid payment cost costs price
cost costs price worth expensive pay
buy bought purchase purchased acquire acquired
buy importing import imports purchase
sell sold sale sales
company firm business corporation companies
business trade commerce
owner owns owned own
bank banks lender
tax taxes levy
cheap inexpensive affordable
rise rose increase increased grow grew growth up
increase increased raise raised boost rise hike
fall fell drop dropped decline declined decrease decreased reduce reduced cut less
less lower reduced fewer decline decrease reduction
cut cuts reduce reduced reduction
grow growth expand expansion enlarge enlarged
expand enlarge extend expansion extension
big large huge major massive enormous
small little tiny minor
old age aged
young youth teenager teen teenage
kid kids child children youngster boy girl
boy boys lad
baby infant newborn toddler
mother mum mom parent
father dad parent
parent parents mother father
wife husband spouse married partner
son daughter child
family families relatives relative
brother sister sibling
friend friends pal mate
people population residents citizens
resident residents local locals inhabitants villagers
civilian civilians unarmed
woman women female
man men male
name named names called
call called described named
describe described describing description term termed
town city village settlement
city town capital
capital city
country nation state
region area province territory district
border frontier boundary
near nearby close outside
north northern
south southern
east eastern
west western
street road avenue pavement
house home residence
home homes house houses
building buildings structure block
school college university classroom pupil
student students pupil pupils
teacher teachers professor tutor
study research survey report findings
researcher researchers scientist scientists academic
scientist scientists researcher expert
expert experts specialist analyst professor
report reported reports account
test tests tested testing trial
hospital clinic medical ward
doctor doctors physician medic medics surgeon
nurse medical
patient patients
ill illness sick sickness disease ailment
disease illness virus infection outbreak
virus infection infected disease
medicine medicines drug drugs medication treatment
vaccine vaccination jab immunisation
drug drugs narcotic cocaine heroin
smoke smoking cigarette tobacco
drink alcohol drunk drinking
eat eating food diet meal
food meal groceries
water drinking
power electricity energy
oil petroleum fuel crude
gas fuel
fuel petrol gasoline diesel
fire blaze flames burning burnt burn
flood flooding floods floodwater
storm hurricane cyclone typhoon tempest
rain rainfall downpour
wind winds gust gale
earthquake quake tremor seismic
weather climate
snow blizzard
hot heat warm temperature
cold freezing chill
space rocket astronaut orbit shuttle
launch launched liftoff lift takeoff blast
rocket launch
astronaut astronauts crew cosmonaut
explode exploded disintegrate blew destroyed
planet star galaxy
computer software machine
phone telephone mobile
device gadget
hack hacked hacking hacker breach
website site web page
church mosque temple cathedral
religion religious faith muslim christian
priest pope bishop cleric
pilgrimage pilgrims pilgrim hajj
prayer pray prayed praying
holy sacred
god divine
wear wearing wore clothes clothing dressed dress outfit
clothes clothing garments outfit
hair hairstyle
tie tied bound bind
hand hands
help helped aid assist assistance humanitarian relief
aid relief assistance humanitarian help
give gave given hand handed deliver delivered donate donated provide provided supply
hand handed give distribute distributed deliver delivered
deliver delivered delivery supply
send sent dispatch dispatched ship deploy
bring brought take
take took taken seize seized
get got obtain receive received
receive received get given
build built building construct construction constructed
work working worked labour
make made produce produced create created manufacture
create created invent found founded establish established
found founded founder founding co-founder established
choose chose chosen pick picked select selected choice
decide decided decision
decision ruling verdict
change changed changes alter altered shift
improve improved improvement better
worsen worse worst deteriorate
save saved rescue rescued
rescue rescued rescuer save
lack shortage shortages insufficient deficiency scarce
need needed needs require required necessary
enough sufficient adequate
problem problems issue trouble difficulty
trouble difficulty problem
dangerous danger risk hazardous unsafe peril
risk danger threat
threat threaten threatened threatening
safe safety secure security
secret classified confidential
fake faked false bogus hoax staged fabricated rigged
lie lies lied lying false
stage staged fake performance
true truth truthful
proof evidence prove proven
evidence proof
investigate investigated investigation probe inquiry enquiry examine
probe investigation inquiry
independent impartial
check verify verified confirm confirmed
confirm confirmed confirmation verify verified
famous well-known celebrity renowned
star celebrity actor actress
actor actress star
singer musician band artist
song music album track
book novel author
newspaper paper daily
journalist reporter journalists reporters correspondent editor
reporter journalist correspondent
press media journalists news
interview interviewed talked
speak spoke talk talked speech address
speech address spoke remarks
meet met meeting
attend attended attendance present
party celebration
celebrate celebrated celebration anniversary
prize award awarded medal
award prize honour
animal animals creature
dog dogs puppy
cat cats kitten
fish fishing
bird birds
tree trees forest woods
farm farmer farmers agricultural agriculture
plant factory
mine mines booby traps
trap traps booby
trench ditch dug pit
dig dug
basement cellar
camp base
station depot
depot warehouse storage facility facilities store
marry married marriage wedding wed bride groom newlyweds spouse
excuse explanation justification pretext claim claimed
rate rated rating label labelled judge judged
title titled entitled called headline name
ban banned stop eliminate halt
flag banner
red cross
king queen royal monarch prince
nuclear atomic
religion muslim islam islamic
islamophobia muslim discrimination racism
racism racist race discrimination
gay homosexual lgbt
immigrant immigrants immigration migrant
slavery slave slaves
rights human
equal equality
poor poverty
rich wealthy wealth billionaire
hungry hunger starving famine
homeless homelessness
education school
brainpower iq intelligence brain
brain mental intelligence
mental psychological
diet nutrition nutritional
salt sodium
kilometre km mile miles
metre meters feet
percent per cent percentage share proportion
half fifty
hundred hundreds
thousand thousands
million millions
year years annual annually
week weeks weekly
month months monthly
day days daily
yesterday today
soon shortly
first initial
last final latest
final last
new recent latest
early earlier
late later
many numerous
tough strict stricter harsh tougher
quick fast rapid quickly move
momentum initiative
crucial critical vital key important essential turning
important crucial vital key significant
difficult hard tough tricky
easy simple easily
mandatory compulsory obligatory required
voluntary optional
cheering cheer
gone missing lost disappeared vanish vanished
missing disappeared unaccounted
spy spies spying espionage
border crossing
blockade siege besieged surrounded
siege besieged
cut severed
ally allies allied partner
enemy foe opponent
rebel rebels separatist separatists insurgent militants militia
terrorist terrorists terrorism terror militants extremist
independence independent breakaway
neutral neutrality
annex annexed annexation
progress advance gains
advance advancing advanced
failing failed fail failure unsuccessful
success successful succeed
possible impossible possibility
isolate isolation isolated
mood morale spirits
mystery unknown unexplained
naked nude
race contest
coal fossil
morals moral ethics
shameful shame disgrace
funny joke humour
crowd crowds crowded uncrowded
enlarge expand
disciplined discipline punished suspended
replace replaced replacement substitute
swap exchange
permanent permanently forever
goodbye farewell
retire retired retirement
birthday born birth
born birth native
origin origins
"""


def _read(groups: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for line in groups.strip().splitlines():
        group = dict.fromkeys(filter(None, (term(word) for word in line.split())))
        for word in group:
            found[word] |= group
    return {word: tuple(other for other in near if other != word) for word, near in found.items()}


PARAPHRASES = _read(_GROUPS)


def paraphrases(of: str) -> tuple[str, ...]:
    """Return the terms that may be meant by the term ``of``."""
    return PARAPHRASES.get(of, ())
