"""Closed classes of words that decide what a full stop means."""

from __future__ import annotations

from retrieval.tables import listed

# A stop after one of these never ends a sentence: a name follows.
TITLES = listed("""
    Mr Mrs Ms Mx Messrs Dr Prof Rev Fr Hon Gen Lt Col Maj Capt Cmdr Cdr Cpl Sgt Pvt Adm Brig Det Insp Supt Const
    Sen Sens Rep Reps Gov Govs Pres Amb Atty Supt Sec Asst Assoc Dep Dir Ste Mt Ft Sra Srta Mme
    Mlle Msgr Sir Ph vs v cf eg ie viz approx e.g i.e
    """)

# A stop after one of these ends a sentence only before a word that begins sentences.
SHORTENED = listed("""
    Jan Feb Apr Aug Sept Sep Oct Nov Dec Inc Corp Ltd Co Cos Bros Jr Sr Esq Dept Univ Assn St Ave Blvd Rd Hwy Bldg
    etc al ft lb lbs oz hrs yrs Del
    """)

# The same, but only after a comma: "Salem, Mass. police", for most of them are words as well.
STATES = listed("""
    Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa
    Penn Tenn Tex Va Vt Wash Wis Wyo Ont Que
    """)

# What is told apart by letters, so that the letter is no initial: "vitamin C. Doctors say".
LETTERED = listed("""
    vitamin hepatitis influenza plan grade group type class phase section option category level zone team block gate
    exhibit appendix schedule annex part point step tier wing hall
    """)

# A stop after one of these does not end a sentence before a figure.
NUMBERING = listed("No Nos no nos Art Arts Sec Secs Fig Figs fig p pp Vol vol Ch ch Par par Rs Nr Ex op")

# Words that begin sentences, and seldom follow an abbreviation inside one.
STARTERS = listed("""
    a an the this that these those there here he she it they we you i his her its their our my your
    in on at to for from by with without of as if when while after before since until during under over between among
    against despite because although though unless once whether although amid following according about above across
    and but or nor yet so also then thus still now today yesterday tomorrow later earlier meanwhile however moreover
    what who whom whose which why how where not no none neither either both all some many most much more few several
    one two three another other others each every any such even only just instead asked speaking last next
    is are was were has have had does do did can could will would should may might must let
    """)

# What may follow "6 p.m." within the sentence.
AFTER_THE_HOUR = listed("""
    gmt utc est edt et cst cdt ct mst mdt mt pst pdt pt bst cet cest eet eest ist jst hkt sgt aest aedt msk local
    eastern
    central pacific mountain monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thurs fri sat sun
    """)

# Verbs that name the speaker after a quotation that ends in a question or exclamation mark.
ASKING = (
    "said|says|asked|asks|added|adds|wrote|writes|told|tells|tweeted|posted|replied|replies|shouted|shouts|cried|cries"
    "|wondered|wonders|exclaimed|quipped|joked|joking|recalled|demanded|insisted|remarked|continued|explained|yelled"
    "|inquired|enquired|answered|responded|declared|read|reads"
)
