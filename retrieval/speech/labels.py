"""The words for a speaker -> the label that is shown: a noun phrase, with the fullest name the article has."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from retrieval.lexicon.reporting_verbs import NOUNS_TOO, VERBS, Form
from retrieval.lexicon.word_classes import classes
from retrieval.model import Kind, Mention, Span
from retrieval.names import outlets
from retrieval.names.gazetteer import BODIES_OF_STATES, is_first_name, is_people
from retrieval.names.name_parts import initials, is_acronym, is_role, is_title, letters
from retrieval.names.titles import HONORIFICS
from retrieval.speech.cues import cues, names_speaker
from retrieval.text.blocks import Layout

# Tokens of a corpus, brackets, and what is said of a speaker at the end.
_TOKENS = ((re.compile(r"-LRB-\s?"), "("), (re.compile(r"\s?-RRB-"), ")"), (re.compile(r"``\s?|\s?''"), '"'))
_APART = re.compile(r" (?=[,.;:)%]|[’']s?(?:\s|$))")
_BRACKETS = re.compile(r" ?[(\[][^)\]]*(?:[)\]]|$)")
_PARTY = re.compile(r", (?:[RDI](?:-[A-Z][\w. ]*)?|(?:Re|De)[a-z]+ of [A-Z]\w+)(?=,|$)")  # ", R-Ky."
_REST = re.compile(
    r"(?:;|, (?:an?|his|her|its|(?:also |better )?known as) |"
    r",? (?:who|whom|which|whose|where|(?:him|her|it|them)sel(?:f|ves))(?= |$)).*"
)
_WORDS = re.compile(
    r"statement|(?:news|press) release|e-?mail|tweet|letter|message|remarks?|account|memo|post", re.IGNORECASE
)
_OWN_WORDS = re.compile(
    rf"(?P<who>.+?)['’]s? (?:\w+ )?(?:{_WORDS.pattern})$|"
    rf"(?:an?|the|her|his|their) (?:[\w-]+ )?(?:{_WORDS.pattern}) (?:from|by) (?P<by>.+)$",
    re.IGNORECASE,
)
_ISSUED = re.compile(  # what a body puts out
    r"(?:an?|the) (?P<who>[A-Z].*) (?:(?:news |press )?release|statement|announcement|bulletin|web ?site)",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"(?P<mark>['’]s)(?P<owns> (?!(?:{'|'.join(sorted(VERBS))}|and|or|in|on|at)\b)\w)?")
_LIST = re.compile(r", and |, | and ")
_MARK = re.compile(r"(?:^|\s)(?:[-–—−]{1,2}|:)\s+|—")
QUOTED = re.compile(r"[“”\"]|``|''")  # words that somebody says are nobody's label
_AFTER_NAMES = frozenset("of from at in with on a an the".split())
# Endings of a company's name; others are of its divisions ("Acme Pictures").
_COMPANY = classes("company_endings") - frozenset(
    "capital entertainment homes pictures records studios ventures".split()
)
_COMPANY |= frozenset("llc llp lp plc & group international institute ratings energy theatres foods stores".split())
_LONG_COMPANY = 3  # words of a company's name behind the first
_OWNER = re.compile(r"^.*['’]s?\s|^(?:an?|the)\s")
_OFFICE_ENDS = re.compile(r",|\s(?:of|in|on|at|for|from|with|to|and)\s")
_OTHER_OFFICES = frozenset(("former", "ex", "vice", "deputy", "then", "late"))
_PAST = frozenset(
    """became began came went gave took got knew saw wrote rose fell drew grew threw broke chose spoke stood died kept
    remained pinned lost won made led left met paid ran sat sent told said called brought bought fought""".split()
)
_OBJECTS = cues.determiners | cues.object_pronouns | cues.possessives


class Labels:
    """What the names of an article tell of a label."""

    def __init__(self, layout: Layout) -> None:
        text = layout.article.text
        mentions = [mention for row in layout.mentions for mention in row]
        persons = [mention for mention in mentions if mention.kind is Kind.PERSON]
        self.persons = {m.name for m in persons if " " in m.name}
        self._longer: dict[str, list[str]] = {}  # "Ann Moritz Thale" of "Moritz Thale"
        for name in self.persons:
            first, rest = name.split(maxsplit=1)
            if is_first_name(first):
                self._longer.setdefault(rest, []).append(name)
        self.bodies = {m.name for m in mentions if m.kind is Kind.ORG}
        self._of_initials = self.bodies | {m.name for m in mentions if m.kind is not Kind.PERSON and " " in m.name}
        self._names = self.persons | self.bodies
        self._named: dict[str, set[str]] = {}  # by how a person is spelt
        for mention in persons:
            self._named.setdefault(" ".join(mention.span.of(text).split()), set()).add(mention.name)
        self._parties = [  # "Ann Lee, a Nevada Democrat"
            (one.name, group.name)
            for row in layout.mentions
            for one, group in pairwise(row)
            if group.kind is Kind.GROUP and text[one.span.end : group.span.start] in (", a ", ", the ")
        ]
        self._marked = _marked(
            text, [m for m in mentions if m.kind is not Kind.PERSON or not is_first_name(m.name.split()[0])]
        )
        self._roles = [
            (m, _office(text, m.role), frozenset(m.role.of(text).lower().split()))
            for m in persons
            if m.role and (m.role.start < m.span.start or text[m.role.end : m.role.end + 1] == ",")
        ]
        self._held: dict[str, list[set[str]]] = {}
        for mention, called, words in self._roles:
            self._held.setdefault(mention.name, []).append({*words, *called})

    def of(self, text: str) -> str | None:
        """Return the label; None for a clause of which it is unclear who in it speaks."""
        text = text.replace("\xad", "")
        for pattern, mark in _TOKENS:
            text = pattern.sub(mark, text)
        text = _PARTY.sub("", _BRACKETS.sub("", _APART.sub("", " ".join(text.split())))).strip(" ,;:-–—")
        if not text or text in self._names:
            return self._marked.get(text) or self.fullest(text) if text else None
        if QUOTED.search(text):
            return None
        if marks := [*_MARK.finditer(text)]:
            behind = text[marks[-1].end() :]
            front = text[: marks[0].start()]
            text = behind if behind in self._names or front.isupper() else front or behind  # behind a dateline
        if (issued := _ISSUED.fullmatch(text)) and (issuer := self.fullest(issued["who"])) in self._names:
            return issuer
        own = _OWN_WORDS.match(text)
        text = _REST.sub("", (own["who"] or own["by"]) if own else text)
        clause = self._subject(text.split())
        return clause and (self._listed(clause) or self._one(clause))

    def _subject(self, words: Sequence[str]) -> str | None:
        """Return the part of a clause that can be who speaks: before its verb, or behind a conjunction after it."""
        verb = next((i for i in range(1, len(words)) if self._is_finite(words, i)), None)
        if verb is None:
            return " ".join(words)
        joints = [i for i in range(verb, len(words) - 1) if words[i] in cues.clause_openers | {"and", "but"}]
        if joints:
            return self._subject(words[joints[-1] + 1 :])
        head = words[verb - 1]
        return " ".join(words[:verb]) if head[0].isupper() or names_speaker(head.lower()) else None

    def _is_finite(self, words: Sequence[str], i: int) -> bool:
        word, following = words[i], words[i + 1] if i + 1 < len(words) else ""
        verb, is_past = VERBS.get(word), word.endswith("ed")
        says = verb and (following == "that" or (verb.form in (Form.PAST, Form.THIRD) and word not in NOUNS_TOO))
        acts = is_past and word.islower() and words[i - 1].lower() not in cues.determiners
        has_object = following.lower() in _OBJECTS or following.istitle()
        finite = word in cues.auxiliaries or word in _PAST or (says and not is_past) or (acts and has_object)
        return bool(finite) and following not in ("", "by") and following.lower() not in cues.times

    def _listed(self, text: str) -> str | None:
        """Return two or more who say it together: "Sens. Ann Lee, R-Ohio, and Omar Diaz"."""
        front, _, final = text.rpartition(" and ")
        if not front or any(" and " in body and body in text for body in self.bodies):
            return None
        opener = final.split(maxsplit=1)[0]
        if not (opener[0].isupper() or opener.lower() in cues.determiners | cues.possessives):
            return None
        parts = [part for part in _LIST.split(front) if part]
        labels = [part if f"the {(one := self._one(part))}" == part else one for part in parts]
        people = [label in self.persons for label in labels]
        # what stands behind a name, between commas, is said of it
        kept = [label for i, label in enumerate(labels) if people[i] or not any(people[:i]) or label.istitle()]
        last = self._one(final := final.split(", ", maxsplit=1)[0])
        kept = [*dict.fromkeys((*kept, final if f"the {last}" == final else last))]
        return f"{', '.join(kept[:-1])} and {kept[-1]}" if len(kept) > 1 else kept[0]

    def _one(self, text: str) -> str:
        """Return the label of one speaker: a name without titles and appositions, or a description."""
        words = text.split()
        for first, last in self._places(words):
            before, behind = words[:first], words[last + 1 :]
            closed = not behind or words[last].endswith(",") or behind[0].lower() in _AFTER_NAMES
            if closed and self._is_front(before):
                return self.fullest(" ".join(words[first : last + 1]).rstrip(","))
        head, _, name = text.partition(", ")
        if name and all(word[0].isupper() for word in head.split()):
            words = head.split()  # "Lee, 35"
        elif (
            name.removeprefix("the ").istitle()
            and words[0].lower() in cues.pointing_determiners
            and not cues.prepositions & {*words}
        ):
            words = name.removeprefix("the ").split()  # "its director, Jan Visk"
        while len(words) > 1 and words[0] in HONORIFICS:
            words = words[1:]
        for i, word in enumerate(words[1:], 1):  # "the London-based Acme"
            if not (word.islower() or word.endswith("-based") or is_people(word)) or word in cues.prepositions:
                body, opener = " ".join(words[i:]), words[0]
                of_kind = opener.lower() == "the" or opener.endswith("-based") or is_people(opener) or opener.islower()
                if body in self.bodies and of_kind and opener not in _OTHER_OFFICES | cues.determiners - {"the"}:
                    return body  # "the London-based Acme", "trade group Acme"
                break
        return self.fullest(" ".join(words))

    def _places(self, words: list[str]) -> Iterator[tuple[int, int]]:
        """Yield where full names stand, the last first."""
        bare = [word.rstrip(",") for word in words]
        for first in range(len(words) - 1, -1, -1):
            for last in range(len(words) - 1, first, -1):
                if " ".join(bare[first : last + 1]) in self.persons:
                    yield first, last
                    break

    def _is_front(self, before: Sequence[str]) -> bool:
        """Return whether words before a name say what the person is: "the board's head,", but not "a lawyer for"."""
        if not before or before[-1].endswith(","):
            return not any(word in ("and", "like", "including") for word in before)
        if before[-1].lower() in cues.prepositions | {"to", "of", "and"} or before[-1].endswith(("'s", "’s")):
            return False
        if not any(word in cues.prepositions or word in ("to", "of") for word in before):
            return before[-1] not in cues.determiners
        titled = is_role(before[-1]) or is_title(before[-1]) or is_people(before[-1])
        return before[-1][0].isupper() and not titled and before[0][0].isupper() and is_role(before[0])

    def may_hold(self, name: str, office: Sequence[str]) -> bool:
        """Return False where the article gives a person only other offices, or a former one."""
        held = self._held.get(name, [])
        return not held or any(office[-1] in own and _OTHER_OFFICES.isdisjoint(own - {*office}) for own in held)

    def holders(self, words: Sequence[str]) -> dict[str, Mention]:
        """Return the persons whose office is called so; "the minister" can be a foreign minister, but no former one."""
        return {
            m.name: m
            for m, office, _ in reversed(self._roles)
            if office and set(words[:-1]) <= {*office} and _OTHER_OFFICES.isdisjoint({*office} - {*words})
            if office[-1] == words[-1] or (office[-1][-1] == "." and words[-1].startswith(office[-1][:-1]))
        }

    def fullest(self, name: str) -> str:
        """Return the fullest name of whom a label names in part or by what the person is, where that is one."""
        words = name.split()
        if name in self.persons and is_first_name(words[0]):
            longer = self._longer.get(name, [])
            return longer[0] if len(longer) == 1 else name
        fuller = self._named.get(name, set()) - {name}
        if not fuller and words[0][0].isupper():
            bare = len(words) == 1 and name in self._named  # whose surname it is, the names could not tell
            fuller = {p for p in self.persons if not bare and p.endswith(f" {name}")}
            fuller |= {p for p in self.persons if p.startswith(f"{name} ") and is_first_name(name)}
        if not fuller and is_acronym(name) and len(name) > 2:  # noqa: PLR2004 - chance
            fuller = {p for p in self.persons if letters(name) == initials(p.removesuffix(" Jr."))}  # "RFK"
        if not fuller and (name in self.bodies or is_acronym(name)):
            fuller = {body for body in self._of_initials if body != name and _stands_for(name, body)}
        role = frozenset(name.lower().removeprefix("the ").split())
        if len(role) > 1 and name not in self.bodies and (words[0].lower() == "the" or words[0][0].isupper()):
            own = words[: words.index("of")] if "of" in words else words
            fuller |= {m.name for m, _, known in self._roles if " " in m.name and is_role(own[-1]) and role <= known}
        fuller |= {person for person, party in self._parties if party == name.removeprefix("the ")} & self.persons
        return fuller.pop() if len(fuller) == 1 else name


def _marked(text: str, mentions: Sequence[Mention]) -> dict[str, str]:
    """Return the names that end in "'s" ("Denby's said", "at Denby's."), by what was read as the name: "Denby"."""
    ends: dict[str, set[str]] = {}
    for mention in mentions:
        behind = _MARKED.match(text, mention.span.end)
        ends.setdefault(mention.name, set()).add(behind["mark"] if behind else "")
        if behind and not behind["owns"]:
            ends[mention.name].add("named")
    return {
        name: f"{name}{min(marks - {'named'})}" for name, marks in ends.items() if "named" in marks and "" not in marks
    }


def _office(text: str, role: Span) -> tuple[str, ...]:
    """Return the words of an office, without whose it is: "Acme's chief executive of …"."""
    before = text[: role.start].lower().split()[-1:]
    own = _OFFICE_ENDS.split(_OWNER.sub("", role.of(text).lower()), maxsplit=1)[0]
    return (*(before if before and before[0] in _OTHER_OFFICES else ()), *own.split())


def _stands_for(name: str, body: str) -> bool:
    """Return whether a short name is a body's: its initials, or all but what any firm is called ("Acme Inc.").

    Initials may leave out what stands before or behind: "WHO" of the U.N.'s, "CDC" of "… Control and Prevention".
    """
    short, full = letters(name), initials(body)
    fits = full.startswith(short) or full.endswith(short) or short == "".join(word[0] for word in body.split()).upper()
    if is_acronym(name) and fits and len(full) - 2 <= len(short) > 2:  # noqa: PLR2004 - chance
        return True
    if BODIES_OF_STATES.get(short) == body:
        return True
    if name in outlets.SHORT and body.endswith(f" {name}"):
        return body in outlets.NAMES
    rest = body.lower().removeprefix(f"{name.lower()} ").split()
    if name in outlets.NAMES or len(rest) == len(body.split()):
        return False
    return all(word in _COMPANY for word in rest) or (len(rest) <= _LONG_COMPANY and rest[-1] in _COMPANY)
