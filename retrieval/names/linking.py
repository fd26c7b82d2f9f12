"""What an article as a whole shows of its names: surnames, kinds, lists."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from itertools import combinations, pairwise

from retrieval.lexicon.word_classes import classes
from retrieval.model import Kind, Mention
from retrieval.names.entity_kinds import Candidate, KindVerdict
from retrieval.names.gazetteer import is_first_name, is_large_place, is_people, is_region, is_word, same_first_name
from retrieval.names.name_keys import misprinted, sound
from retrieval.names.name_parts import initials, is_acronym, letters
from retrieval.names.runs import RunWord

_SURE = 4  # a sure verdict outweighs this many doubtful ones
_SHORTEST_SOUND = 4  # letters of a surname that may be romanised otherwise
_MANY = 500  # surnames in one article, beyond which none is searched for a slip
_FULL_NAME = 2  # words: first name and surname
_SHORTEST_INITIALS = 3  # letters that need no name that is surely a body's
_KIN = classes("kin_women", "kin_men") | {"lady", "gentleman"}  # "first lady"
_LISTING = frozenset((",", "and", "or", "&"))
_COINED = re.compile(r"(\w+?)(?i:care|gate|nomics|mania)")


class KnownNames:
    """What an article shows, by the candidates of its sentences.

    ``surnames`` are full names by their last word, ``kinds`` what each name mostly is, ``nameless`` the last words
    of what is no name of ours, ``inside`` the names that occur elsewhere than at the head of a sentence, ``acronyms``
    what acronyms are short for where brackets introduce them: the name and its kind, ``spelt_out`` those that come
    behind the one body whose initials they are, ``sure`` the names whose kind is sure somewhere, ``sounds`` the
    surnames of full names by their sound, ``times`` how often each name occurs, ``first_names`` those of the people
    who have a full name, ``relatives`` the full names of the kin of somebody who is called by the surname before them.
    """

    def __init__(self, rows: Sequence[Sequence[Candidate]]) -> None:
        every = [j for row in rows for j in row]
        names = [j for j in every if j.verdict.kind is not None]
        surnames: dict[str, set[str]] = {}
        votes: dict[str, Counter[Kind]] = {}
        for j in every:
            kind, sure = j.verdict
            if kind is not None:
                votes.setdefault(j.spelling, Counter())[kind] += _SURE if sure else 1
            has_surname = j.part.titled or not (j.single or is_region(j.texts[-1]))
            if kind is Kind.PERSON and has_surname:
                surnames.setdefault(j.texts[-1], set()).add(j.spelling)
        # the bare surname is left out where full names have it
        self.surnames = {s: frozenset(full - {s} if len(full) > 1 else full) for s, full in surnames.items()}
        self.kinds = {name: min(cast.items(), key=lambda item: (-item[1], item[0]))[0] for name, cast in votes.items()}
        self.nameless = frozenset(j.texts[-1] for j in every if j.verdict == KindVerdict(None) and not j.single)
        self.inside = frozenset(j.spelling for j in names if not j.opens)
        self.acronyms = _acronyms(rows)
        self.sure = frozenset(j.spelling for j in names if j.verdict.sure)
        self.spelt_out = frozenset(_spelt_out([j for j in names if self.kinds[j.spelling] is Kind.ORG], self.sure))
        self.sounds: dict[str, set[str]] = {}
        for surname in (s for s, full in surnames.items() if any(" " in name for name in full)):
            self.sounds.setdefault(sound(surname), set()).add(surname)
        self.times = Counter(j.spelling for j in names)
        self.first_names = frozenset(
            name.split()[0]
            for surname, full in surnames.items()
            for name in full
            if " " in name and (is_first_name(name.split()[0]) or not is_word(surname))  # unlike "Trump Voters"
        )
        self.relatives = frozenset(_relatives(names))

    def has_beside(self, full: str, name: str) -> bool:
        """Whether ``name`` is one by itself, or somebody's surname without ``full``'s being one."""
        if name in self.surnames:
            return bool(self.surnames[name] - {full})
        return name in self.kinds or is_region(name) or is_people(name)

    def kind(self, name: str) -> Kind | None:
        if name in self.surnames:
            return Kind.PERSON
        if name in self.kinds:
            return self.kinds[name]
        if is_region(name) or is_large_place(name):
            return Kind.PLACE
        return Kind.GROUP if is_people(name) else None

    def fullest(self, name: str) -> str:
        """Return the full name of a surname that is one person's only, else ``name``.

        It may come with a middle name, a short first name ("Bill Barr") or words before it ("Twitter Ann Lee").
        """
        full = self.surnames.get(name, frozenset()) - self.relatives
        bare = {each for each in full if not any(each.endswith(f" {other}") for other in full)}
        one = bare and all(same_first_name(*pair) for pair in combinations({each.split()[0] for each in bare}, 2))
        return max(bare, key=lambda each: (self.times[each], each)) if one else name


def _relatives(names: Iterable[Candidate]) -> Iterator[str]:
    """Yield "Ada Lee" of "President Lee and his wife Ada Lee", and of "first lady Ada Lee"."""
    called: set[str] = set()
    for j in names:
        if j.single:
            called.add(j.spelling)
        elif j.before.lower() in _KIN and j.texts[-1] in called:
            yield j.spelling


def _spelt_out(bodies: Iterable[Candidate], sure: AbstractSet[str]) -> Iterator[str]:
    """Yield the acronyms that occur first behind the one body whose initials they are.

    Whoever writes a name out behind the acronym plays with it as often as not. Two letters fit some name's initials
    by chance, so that it must surely be a body's.
    """
    full: dict[str, set[str]] = {}
    met: set[str] = set()
    for j in bodies:
        if not j.single:
            full.setdefault(initials(j.spelling), set()).add(j.spelling)
        elif j.spelling not in met:
            met.add(j.spelling)
            short = letters(j.spelling)
            names = full.get(short, set())
            if is_acronym(j.spelling) and len(names) == 1 and (len(short) >= _SHORTEST_INITIALS or names <= sure):
                yield j.spelling


def _acronyms(rows: Sequence[Sequence[Candidate]]) -> dict[str, tuple[str, Kind | None]]:
    """Map acronyms in brackets to the name before them: "World Chess Union (WCU)"."""
    names: dict[str, tuple[str, Kind | None]] = {}
    for row in rows:
        for full, short in pairwise(row):
            follows = short.before == "(" and short.part.first == full.part.last + 2
            if follows and len(short.spelling) > 1 and letters(short.spelling) == initials(full.name):
                names.setdefault(short.spelling, (full.spelling, full.verdict.kind))
    return names


def listed_together(row: list[Candidate], words: list[RunWord], known: KnownNames) -> list[Candidate]:
    """Make the doubtful candidates of a sentence what their sure neighbours in a list are."""
    row = [_as_elsewhere(j, known) for j in row]
    for order in (range(1, len(row)), range(len(row) - 2, -1, -1)):
        for i in order:
            neighbour = row[i + (1 if order.step < 0 else -1)]
            left, right = (row[i], neighbour) if order.step < 0 else (neighbour, row[i])
            between = words[left.part.last + 1 : right.part.first]
            if _is_listed(row[i], neighbour, between):
                row[i] = row[i]._replace(verdict=neighbour.verdict, rule="list")
    return row


def _as_elsewhere(j: Candidate, known: KnownNames) -> Candidate:
    """Make a doubtful candidate what it surely is elsewhere, and a large city a city."""
    if j.verdict.sure or j.verdict.kind is None:
        return j
    surname = j.texts[-1]
    is_surname = known.kinds.get(surname) is Kind.PERSON or any(" " in name for name in known.surnames.get(surname, ()))
    if len(j.texts) == _FULL_NAME and is_surname:
        return j._replace(verdict=KindVerdict(Kind.PERSON), rule="surname elsewhere")
    if j.spelling in known.sure or j.rule == "place":
        # what lost its opener has a new name, which is not counted yet
        return j._replace(verdict=KindVerdict(known.kinds.get(j.spelling, j.verdict.kind)))
    return j


def _is_listed(doubtful: Candidate, neighbour: Candidate, between: list[RunWord]) -> bool:
    """Whether a doubtful word is in a list with a place or a body."""
    if doubtful.verdict.sure or doubtful.verdict.kind is None or not doubtful.single:
        return False
    sure = neighbour.verdict.sure and neighbour.verdict.kind in (Kind.PLACE, Kind.ORG)
    return sure and 0 < len(between) <= 2 and all(word.text in _LISTING for word in between)  # noqa: PLR2004 - ", and"


def resolve_mention(j: Candidate, known: KnownNames) -> Mention | None:
    if j.spelling in known.acronyms:
        name, kind = known.acronyms[j.spelling]
        return Mention(kind, name, j.span, None, "introduced") if kind is not None else None
    if _is_family(j, known):
        return Mention(Kind.GROUP, j.spelling, j.span, None, "family")
    surname = _surname(j, known) if j.single else None
    if surname is not None:
        # "Martin" may be Ada Martin, or Martin Quill by his first name
        name = j.spelling if surname in known.first_names else known.fullest(surname)
        return Mention(Kind.PERSON, name, j.span, None, "surname")
    is_nameless = j.spelling in known.nameless and j.rule not in ("region", "titled")
    if is_nameless or _is_mere_word(j, known) or _is_coined(j, known):
        return None
    if j.rule == "rest" and j.spelling in known.first_names:
        return Mention(Kind.PERSON, j.spelling, j.span, None, "first name")
    kind = j.verdict.kind if j.verdict.sure else known.kinds.get(j.spelling, j.verdict.kind)
    if kind is Kind.ORG and j.spelling in known.spelt_out:
        return Mention(kind, j.spelling, j.span, None, "spelt out")
    rule = j.rule if kind is j.verdict.kind and not (j.spelling in known.sure and not j.verdict.sure) else "elsewhere"
    return Mention(kind, j.spelling, j.span, None, rule) if kind is not None else None


def _is_mere_word(j: Candidate, known: KnownNames) -> bool:
    """Whether everyday words with capitals name nothing: once only, or only where a sentence opens."""
    if j.rule != "rest" or not all(is_word(text) for text in j.texts):
        return False
    return known.times[j.spelling] == 1 if j.single else j.spelling not in known.inside


def _is_family(j: Candidate, known: KnownNames) -> bool:
    """Whether a word is the plural of a surname, and so several people: "the Kasks"."""
    surname = j.spelling.removesuffix("s")
    plural = j.single and surname != j.spelling and j.spelling not in known.surnames and surname in known.surnames
    return plural and j.before in ("the", "The") and not is_people(j.spelling)


def _is_coined(j: Candidate, known: KnownNames) -> bool:
    """Whether a word is a scheme or an affair called after somebody: "Kaskcare", "Kasknomics"."""
    coined = _COINED.fullmatch(j.spelling)
    return coined is not None and (coined[1] in known.surnames or known.kinds.get(coined[1]) is Kind.PERSON)


def _surname(j: Candidate, known: KnownNames) -> str | None:
    """Return the surname that one word is: as spelt, in capitals, romanised otherwise or with a slip."""
    if j.rule in ("region", "nameless"):
        return None
    if any(" " in name for name in known.surnames.get(j.spelling, ())):
        return j.spelling
    if j.spelling.isupper():
        return j.spelling.title() if j.spelling.title() in known.surnames else None
    if j.verdict.kind is not Kind.PERSON and (j.verdict.sure or j.verdict.kind is None):
        return None
    alike = _alike(j.spelling, known) if len(j.spelling) >= _SHORTEST_SOUND else set[str]()
    if len(alike) == 1:
        return next(iter(alike))
    return j.spelling if j.spelling in known.surnames else None


def _alike(name: str, known: KnownNames) -> set[str]:
    same_sound = known.sounds.get(sound(name), set())
    if same_sound or len(known.surnames) > _MANY:
        return same_sound
    return {surname for surname in known.surnames if name[0] == surname[0] and misprinted(name, surname)}
