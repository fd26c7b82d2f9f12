"""Classes of words that tell what a name is the name of: titles, roles, heads of bodies, places and events."""

from retrieval.lexicon.reporting_verbs import NOUNS_TOO, VERBS, Force, Form
from retrieval.lexicon.word_classes import capitalized, classes, plural


def _with_full_stop(words: frozenset[str]) -> frozenset[str]:
    return words | {f"{word}." for word in words}


# Words a name may have inside it in lower case.
PARTICLES = classes("name_particles")
# Before a name, never a part of it.
HONORIFICS = _with_full_stop(classes("courtesy_titles")) | classes("forms_of_address", "clerical_titles")
# Before a first name without a surname they are part of a person's name.
REGAL = capitalized("royal_women", "royal_men", "regal_titles")
ABBREVIATED_TITLES = _with_full_stop(classes("cut_titles")) | classes("initialled_titles")
# Nouns that say what a person is; lower-case here, matched in any case, singular.
ROLES = classes("roles")
# Before a role, in lower or upper case, part of it: "deputy prime", "acting", "vice".
ROLE_MODIFIERS = classes("role_modifiers", "portfolios", "ranks", "then", "nouns_before_roles")
# The last word of what a body is called. A seat of power is called by its own name.
BODIES = capitalized(
    *("bodies", "airwaves", "media", "outlets", "paper_kinds", "paper_bodies", "newsroom_endings", "body_heads")
) - capitalized("seats")
# Of these the word itself is a body only behind another capital word or before "of".
SITES = capitalized("sites", "surname_sites", "leading_sites", "territories")
# Before the name of a place.
SITE_OPENERS = capitalized("leading_sites", "site_openers")
EVENTS = capitalized("events")
# Days and months, cut short or not, zones and parts of the day.
CALENDAR = (
    capitalized("weekdays", "months")
    | classes("calendar_forms")
    | {f"{day}s" for day in capitalized("weekdays")}
    | {f"{word}." for word in capitalized("short_weekdays", "house_weekdays", "short_months", "house_months")}
    | {zone.upper() for zone in classes("time_zones")}
)
# Capital words that name no one: forms of address, ranks without a name, credits.
NAMELESS = classes("acronyms", "suffixes_of_names", "page_furniture", "nameless_words")
# Words that open a sentence or a heading, and are no names.
OPENERS = classes(
    *("determiners", "pronouns", "clause_words", "auxiliaries", "negation", "prepositions", "conjunctions"),
    *("adverbs", "contractions", "interjections", "number_words", "openers"),
) | {word for word, verb in VERBS.items() if verb.lemma in ("say", "tell", "ask", "speak")}
# What a person does who is named before it.
SPEAKING = classes("speaking_words") | {
    word
    for word, verb in VERBS.items()
    if verb.force is Force.SAYING and verb.form in (Form.PAST, Form.THIRD) and word not in NOUNS_TOO
}
# Behind these "of" goes on with the name, though they are neither bodies nor sites by themselves.
LINKING_HEADS = capitalized(
    *("offices", "heads", "men_in_office", "women_in_office", "high_clergy", "leading_sites", "heads_before_of")
)
# Bodies whose "of" or "for" may take two matters, and adjectives that open the name of a public body.
PUBLIC = capitalized("chief_bodies", "public_bodies", "parliaments", "chambers", "organizations", "public_words")
# A possessive of these may be part of a name.
POSSESSORS = capitalized("offices", "royal_women", "royal_men", "possessors") | {
    plural(word).capitalize()
    for word in classes("persons", "women", "men", "bystanders", "lawyers", "medics", "reporters", "trades")
}
# What a state's offices are over: the complement of a title ("Secretary of State", "Chief of Staff").
OFFICES = capitalized("portfolios", "fields_of_state", "chambers", "parliaments", "offices_of_state")
# Before the name of an event.
EVENT_OPENERS = capitalized("storms", "event_openers")
# Bodies called by one word.
STANDING_BODIES = classes("standing_bodies")
# The last word of what a law, a plan or a work is called: no kind of ours.
LAWS = capitalized("works", "reports")
# In what a craft or a ware is called: no kind of ours.
CRAFT = classes("craft")
# Before the name of a place, a part of it: "South Asia".
DIRECTIONS = capitalized("directions", "cut_directions")
# A centre, a district or a station with one of these in its name is a body rather than a site.
BODILY = capitalized("portfolios", "fields_of_state", "fields_of_work", "airwaves", "media") | classes(
    "matters_of_bodies"
)
# Sites that are surnames as well.
SURNAME_SITES = capitalized("surname_sites", "surnames_of_sites")
