"""English words whose forms no stemmer brings together, and spellings that differ by country.

``IRREGULAR`` maps a form to the word it belongs to; ``SPELLINGS`` maps one country's spelling to the other's.
"""

from __future__ import annotations

# One verb a line: the word itself, then its irregular forms.
_VERBS = """
arise arose arisen
awake awoke awoken
bear bore borne
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grind ground
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
leap leapt
learn learnt
leave left
lend lent
light lit
lose lost
make made
mean meant
meet met
mislead misled
overcome overcame
overthrow overthrew overthrown
pay paid
prove proven
rebuild rebuilt
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
speed sped
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
uphold upheld
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
withhold withheld
withstand withstood
write wrote written
man men
woman women
child children
foot feet
tooth teeth
mouse mice
person people
life lives
wife wives
knife knives
half halves
leaf leaves
loaf loaves
thief thieves
shelf shelves
crisis crises
analysis analyses
medium media
"""

# "ground", "wound", "bound", "light" … are words of their own far more often in the news than past forms.
_OWN_WORDS = frozenset(("ground", "wound", "bound", "media", "leaves", "bit", "bore"))

IRREGULAR = {
    form: line.split()[0] for line in _VERBS.strip().splitlines() for form in line.split()[1:] if form not in _OWN_WORDS
}

_COUNTRIES = """
defense/defence offense/offence pretense/pretence license/licence practice/practise
center/centre theater/theatre meter/metre liter/litre kilometer/kilometre fiber/fibre caliber/calibre
labor/labour color/colour harbor/harbour neighbor/neighbour honor/honour favor/favour armor/armour
rumor/rumour behavior/behaviour humor/humour tumor/tumour vapor/vapour rigor/rigour endeavor/endeavour
armored/armoured neighboring/neighbouring neighborhood/neighbourhood colored/coloured favorite/favourite
program/programme check/cheque tire/tyre aluminum/aluminium gray/grey plow/plough jewelry/jewellery
mom/mum mother/mummy airplane/aeroplane ton/tonne tons/tonnes traveled/travelled traveling/travelling
canceled/cancelled skeptical/sceptical pediatric/paediatric fetus/foetus leukemia/leukaemia
pajamas/pyjamas whiskey/whisky judgment/judgement enrollment/enrolment fulfill/fulfil
"""

SPELLINGS = {other: one for one, other in (pair.split("/") for pair in _COUNTRIES.split())}
