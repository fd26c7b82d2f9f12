"""Closed classes of words that tell what a name is the name of: titles, roles, heads of bodies, places and events."""

from __future__ import annotations

from retrieval.tables import listed

# Words a name may have inside it in lower case.
PARTICLES = listed(
    "de del della dello degli di da das dos do du des van von vom zu zur zum der den ter ten tot la le les lo bin "
    "ibn bint ben abu al el ul ur ud und y e af av"
)

# Before a name, never a part of it.
HONORIFICS = listed(
    "Mr Mr. Mrs Mrs. Ms Ms. Miss Mx Mx. Dr Dr. Prof Prof. Sir Dame Lord Lady Baroness Baron Rev Rev. Reverend Fr "
    "Fr. Father Sister Brother Rabbi Imam Sheikh Shaikh Ayatollah Mullah Hon Hon. Madam Madame Monsieur Signor Herr "
    "Frau Señor Señora Bishop Archbishop Cardinal Monsignor"
)

# Before a first name standing alone they are part of what its bearer is called.
REGAL = listed("Pope King Queen Prince Princess Emperor Empress Saint St. St Patriarch Sultan Emir Tsar")

ABBREVIATED_TITLES = listed(
    "Gen Gen. Lt Lt. Col Col. Maj Maj. Capt Capt. Sgt Sgt. Cpl Cpl. Adm Adm. Cmdr Cmdr. Brig Brig. Pvt Pvt. Sen "
    "Sen. Sens. Rep Rep. Reps. Gov Gov. Govs. Del Del. Supt Supt. Insp Insp. Det Det. Atty Atty. Asst Asst. Pres "
    "Pres. Amb Amb. MP MEP MSP CEO CFO COO CTO"
)

# Nouns that say what a person is; lower-case here, matched in any case, singular.
ROLES = listed(
    "academic accountant activist actor actress adjutant administrator admiral adviser advisor aide aide-de-camp "
    "ambassador analyst anchor anthropologist archaeologist archbishop architect arbiter artist assemblyman "
    "assemblywoman assistant astronaut astronomer athlete attorney aunt author ayatollah banker barrister biologist "
    "bishop blogger boss boyfriend boxer brigadier broadcaster broker brother builder businessman businesswoman "
    "campaigner candidate captain cardinal caretaker cartoonist chair chairman chairperson chairwoman champion "
    "chancellor chef chemist chief cleric climatologist climber co-author co-chair co-director co-founder co-leader "
    "coach colleague colonel columnist comedian commander commandant commentator commissioner comptroller composer "
    "conductor congressman congresswoman conservationist constable consul consultant contestant contractor convener "
    "coordinator coroner correspondent councillor councilman councilwoman councilor counsel counselor counterpart "
    "cousin creator critic curator cyclist dancer daughter deacon dean defender delegate demographer deputy "
    "designer detective developer dictator diplomat director doctor driver ecologist economist editor educator "
    "emperor emir engineer entrepreneur envoy epidemiologist evangelist examiner executive expert explorer farmer "
    "father fiance fiancee fiancé fiancée fighter film-maker filmmaker financier firefighter fisherman footballer "
    "forecaster foreman founder friend geologist geneticist general girlfriend goalkeeper governor grandfather "
    "grandmother guard guide head headmaster headteacher historian holder host husband immunologist inspector "
    "instructor investigator investor inventor jockey journalist judge jurist justice king lawmaker lawyer leader "
    "lecturer legislator librarian lieutenant linguist lobbyist magistrate magnate major manager marshal "
    "mathematician mayor mayoress mediator medic meteorologist midfielder midwife minister moderator mogul monk "
    "mother musician narrator negotiator nephew neighbor neighbour neurologist neurosurgeon neuroscientist niece "
    "nominee novelist nun nurse nutritionist officer official ombudsman oncologist opponent organiser organizer "
    "owner painter paramedic paratrooper parliamentarian partner pastor patriarch pathologist pediatrician "
    "paediatrician philanthropist philosopher photographer physician physicist pilot pioneer player playwright poet "
    "politician pollster pope postdoc premier presenter president president-elect priest prime-minister prince "
    "princess principal prisoner producer professor programmer prosecutor protester provost psychiatrist "
    "psychologist publisher queen rabbi ranger rapper rapporteur reader rector refugee reporter representative "
    "rescuer researcher resident retiree rival sailor salesman scholar scientist screenwriter sculptor secretary "
    "secretary-general seismologist senator sergeant serviceman shopkeeper sheriff singer sister skipper "
    "sociologist soldier solicitor son songwriter speaker specialist spokesman spokesperson spokeswoman star "
    "statesman statistician stepfather stepmother striker strategist student superintendent surgeon surrogate "
    "surveyor survivor suspect swimmer teacher technician telecaster tourist toxicologist trader trainer treasurer "
    "trustee tsar tycoon uncle under-secretary undersecretary veteran vet veterinarian vice-chair vice-chairman "
    "vice-chancellor vice-president victim virologist volunteer warden widow widower wife winner witness worker "
    "writer zoologist whistleblower warlord geophysicist gynecologist pharmacist publicist superstar supporter "
    "strongman negotiators contributor quarterback linebacker pitcher batsman bowler outfielder forward referee "
    "umpire"
)

# Before a role, in lower or upper case, part of it: "deputy prime", "acting", "vice".
ROLE_MODIFIERS = listed(
    "acting assistant associate chief deputy ex former first foreign interim junior late lead main prime principal "
    "retired senior then under vice executive managing defence defense interior finance home health justice "
    "attorney general lieutenant major brigadier rear staff special press party opposition presidential state "
    "political national regional federal parliamentary congressional republican democratic new current incumbent "
    "outgoing incoming majority minority house senate district secretary armed research emeritus permanent high "
    "supreme top campaign human rights police army air"
)

# The last word of what a body is called.
BODIES = listed(
    "Academy Healthcare Endowment Pharmaceuticals Entertainment Pictures Brands Logistics Administration Agency "
    "Airlines Airways Alliance Army Assembly Associates Association Authority Bank Bar Board Broadcasting Brigade "
    "Brigades Brotherhood Brothers Bureau Business Cabinet Capital Caucus Chamber Chronicle Church Clinic Club "
    "Coalition Co Co. College Collective Command Commission Commissariat Committee Commons Community Companies "
    "Company Conference Confederation Congress Consortium Consulate Cooperative Corp Corp. Corporation Corps "
    "Council Court Courts Daily Defence Defense Department Departments Directorate Division Duma Electric Embassy "
    "Energy Enterprises Exchange Executive Express Faculty Federation Fellowship Force Forces Forum Foundation "
    "Front Fund Gazette Government Group Guard Guardian Guild Health Herald Holdings Homes Hospital Hospitals House "
    "Inc Inc. Independent Industries Initiative Inquiry Inspectorate Institute Institution Insurance Intelligence "
    "International Journal Jury Knesset Laboratories Laboratory Labs Lab League Legion Legislature LLC LLP Lords "
    "Ltd Ltd. Magazine Mail Media Militia Ministry Mission Monitor Motors Movement Nations Navy Network Networks "
    "News Newspaper Newspapers Observer Office Oil Opera Orchestra Order Organisation Organization Panel Parliament "
    "Partners Partnership Party Patrol PLC plc Police Politburo Post Power Press Program Programme Project "
    "Prosecutors Radio Railway Railways Records Register Regiment Registry Reporter Representatives Reserve Review "
    "School Schools Secretariat Securities Senate Service Services Society Solutions Squad Standard Standards Star "
    "Station Studios Sun Symphony Syndicate Systems Taskforce Tavern Team Technologies Technology Telecom Telegraph "
    "Television Times Tribunal Tribune Trust TV Union Unions United Unit University Universities Ventures Watch "
    "Wire Works Workers Resistance Rights Security Affairs Relations Commerce Cross Crescent Labour Medicine Law "
    "Science Sciences Studies Research Engineering Education Treasury Enforcement Protection State Justice Homeland "
    "Agriculture Transportation Interior"
)

# Of these the word itself is a body only where another capital word stands before or "of" follows.
SITES = listed(
    "Airfield Airport Alley Archipelago Arena Atoll Avenue Base Basin Bay Beach Boulevard Bridge Building Camp "
    "Canal Canyon Cape Castle Cathedral Cave Cemetery Channel Circle City Coast County Creek Crossing Dam Delta "
    "Desert District Drive Falls Field Forest Fort Garden Gardens Glacier Gulf Hall Harbor Harbour Heights Highway "
    "Hill Hills Hotel Island Islands Isle Isles Junction Lake Lakes Lane Memorial Mine Monastery Mosque Mount "
    "Mountain Mountains Ocean Palace Park Parish Pass Peak Peninsula Plain Plains Plant Plateau Plaza Point Pond "
    "Port Prefecture Prison Province Range Ranch Reef Refinery Region Republic Reservoir Resort Ridge River Road "
    "Rock Ruins Sea Shore Square Stadium Station Strait Straits Street Strip Suburb Summit Synagogue Temple "
    "Terminal Territory Tower Towers Town Township Trail Tunnel Valley Village Volcano Wall Wharf Woods Zone Museum "
    "Springs Meadows Complex Facility Observatory Planetarium Pad Oblast Raion Krai Zoo Theater Theatre Library "
    "Gallery Center Centre"
)

# Before the name of a place.
SITE_OPENERS = listed("Mount Mt Mt. Lake Cape Fort Port Gulf Bay Strait Isle Lac Rio Cabo")

EVENTS = listed(
    "Accord Accords Anniversary Attack Attacks Award Awards Battle Bowl Carnival Ceremony Championship "
    "Championships Classic Convention Coup Cup Day Debate Derby Disaster Earthquake Election Elections Eve Eid "
    "Exhibition Expo Fair Festival Final Finals Games Genocide Holocaust Hurricane Cyclone Typhoon Storm Marathon "
    "Massacre Match Month Movement Night Olympics Open Paralympics Prix Pandemic Primary Prize Race Rally Rebellion "
    "Referendum Revolt Revolution Season Series Siege Spring Summit Tour Tournament Treaty Trial Uprising War Wars "
    "Week Weekend Year Ramadan Hajj Christmas Easter Passover Hanukkah Diwali Thanksgiving Halloween Agreement "
    "Trophy Protests Riots"
)

# Capital words that name no one: days, months, forms of address, ranks without a name, credits.
CALENDAR = listed(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays "
    "Saturdays Sundays January February March April May June July August September October November December Jan "
    "Jan. Feb Feb. Mar. Apr. Jun. Jul. Aug Aug. Sept Sept. Sep Sep. Oct Oct. Nov Nov. Dec Dec. Mon. Tue. Tues. Wed. "
    "Thu. Thurs. Fri. GMT UTC EST EDT PST PDT CET BST AM PM a.m. p.m. A.M. P.M."
)

NAMELESS = listed(
    "VIP CEO CFO COO TV DVD CD PC ID OK Q&A DNA RNA HIV AIDS COVID COVID-19 Covid Covid-19 PDF URL GDP CPI IQ SUV "
    "ATM UFO SOS FAQ PhD BSc MA BA MBA MD RN JD LLB ABSTRACT FULL TEXT ADVERTISEMENT PHOTO PHOTOS VIDEO UPDATE "
    "UPDATED BREAKING WATCH READ MORE RELATED ALSO NOTE CORRECTION God Lord Internet Web Photo Photos Image Images "
    "Picture Pictures Video Source Sources Credit File Watch Read Related Advertisement Updated Published Editor's "
    "Copyright AP I I'm I've I'd I'll Jr Jr. Sr Sr. II III IV Esq"
) - {"AP"}

# Words that open a sentence, or stand in capitals at a heading's start, and are no names.
OPENERS = listed(
    "a an the this that these those some any all both each every either neither no none another other others such "
    "same i you he she it we they me him her us them my your his its our their mine yours hers ours theirs who whom "
    "whose which what someone somebody anyone anybody everyone everybody nobody nothing something anything "
    "everything and or but nor so yet for as if when while where why how because since until unless although though "
    "whereas whether than of in on at by to from with without within into onto upon about above across after "
    "against along amid among amongst around before behind below beneath beside besides between beyond despite "
    "during except inside like near off out outside over past per plus regarding concerning through throughout till "
    "toward towards under underneath unlike up via versus is are was were be been being am do does did doing done "
    "have has had having can could may might must shall should will would not never also just even only still "
    "already again then there here now today yesterday tomorrow tonight later earlier once twice often sometimes "
    "always usually perhaps maybe however meanwhile moreover furthermore nevertheless nonetheless therefore thus "
    "instead indeed otherwise finally eventually recently currently previously additionally afterwards consequently "
    "first second third last next one two three four five six seven eight nine ten eleven twelve dozens hundreds "
    "thousands millions many most much more few fewer less least several enough little half nearly almost roughly "
    "approximately yes well oh ok okay please thanks thank let let's said says say asked told according given "
    "speaking former ex current retired late then-president newly additional senior top new old early don't doesn't "
    "didn't isn't aren't wasn't weren't can't couldn't won't wouldn't it's that's there's he's she's they're we're "
    "you're i'm i've i'd i'll what's who's here's how's"
)

# Behind these "of" goes on with the name, though they are neither bodies nor sites by themselves.
LINKING_HEADS = listed(
    "Church Duke Duchess Prince Princess Secretary Museum Bill Declaration Knights Daughters Sons Tower Voice "
    "Doctors Reporters Sisters Head Minister President Director Chief Chairman Chairwoman Mayor Governor Speaker "
    "Chair Leader Editor Archbishop Bishop Ambassador Commissioner Dean Master Mothers Friends Bay Sea Strait Gulf "
    "Cape Isle"
)

# Bodies whose "of" or "for" may take two matters, and adjectives that open the name of a public body.
PUBLIC = listed(
    "Department Ministry Centers Centre Center Office Council Committee Institute Organization Organisation Bureau "
    "Commission Secretary Minister Standards Securities Immigration Customs House Senate National Federal "
    "International European Royal American British Central Public State"
)

# A possessive of these may stand inside a name.
POSSESSORS = listed(
    "People Peoples Women Men Children Veterans Workers Farmers Teachers General Governor Mayor President King "
    "Queen Attorney Prosecutor Prosecutors Ladies Girls Boys Mother Father Valentine Lord Nurses Doctors Players "
    "Writers"
)

# What a state's offices are over: the complement of a title ("Secretary of State", "Chief of Staff").
OFFICES = listed(
    "State Defense Defence Labor Labour Energy Education Commerce Agriculture Transportation Security Homeland "
    "Affairs Veterans House Commons Lords Senate Exchequer Treasury Health Human Services Interior Justice Staff "
    "Police Finance War"
)

# Before the name of an event.
EVENT_OPENERS = listed("Hurricane Cyclone Typhoon Storm Operation")

# Bodies called by one word.
STANDING_BODIES = listed(
    "Congress Parliament Senate Knesset Duma Treasury Pentagon Kremlin Interpol Bundestag Europol Eurojust"
)

# The last word of what a law, a plan or a work is called: no kind of ours.
LAWS = listed(
    "Act Bill Plan Amendment Constitution Law Protocol Code Charter Resolution Declaration Deal Pact Treaty Theory "
    "Disease Disorder Disorders Syndrome Virus Effect Principle Doctrine Index Scale Model Method Report Study "
    "Grants Grant Letter Statement Appendix Chapter Article Section Title Tax Budget Show Podcast Sitcom Song Album "
    "Film Movie Novel"
)

# In what a craft or a ware is called: no kind of ours.
CRAFT = listed(
    "Shuttle Spacecraft Rocket Satellite Missile Boeing Airbus HMS USS HMAS SS MV MS RMS Soyuz Orbiter Orbiters"
)

# Before the name of a place, a part of it: "South Asia".
DIRECTIONS = listed(
    "N. S. E. W. North South East West Northern Southern Eastern Western Central Upper Lower Northeast Northwest "
    "Southeast Southwest Northeastern Northwestern Southeastern Southwestern Mid Greater Inner Outer"
)

# A centre, a district or a station with one of these in its name is a body rather than a site.
BODILY = listed(
    "for on Research Policy Law Legal Studies Information Media School Water Fire Tax Advocacy Resource Poverty "
    "News Radio Television Data Rights Justice Control Prevention Progress Action"
)

# Sites that are surnames as well.
SURNAME_SITES = listed(
    "Hill Hills Woods Park Lake Field Fields Castle Forest Rock Lane Street Hall Temple Bridge Beach Parish Marsh "
    "Falls Point Pond Tower Towers Camp Garden Port Shore Berg"
)
