"""A sentence's tokens -> its runs of capital words, of which names consist.

A word here is a token, or several that hyphens join to a name: "Le-Drian" is one, "Ukraine's" is "Ukraine" and "'s".
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from retrieval.lexicon.word_classes import classes
from retrieval.names.gazetteer import is_place, is_region, is_word
from retrieval.names.titles import (
    BODIES,
    CALENDAR,
    EVENTS,
    LINKING_HEADS,
    OPENERS,
    PARTICLES,
    POSSESSORS,
    PUBLIC,
    SITES,
)
from retrieval.text.tokens import Tokens

HYPHENS = frozenset("-‐‑–")
_POSSESSIVES = frozenset(("'s", "’s", "'", "’", "'S", "’S", "‘s"))
_PREFIXES = classes("prefixes", "rarer_prefixes")
# What is longer is a list without commas, a headline or no writing at all. The archive stores a name once for each of
# its words, so that without a limit one long run would fill a disk.
_MOST_WORDS = 12  # of a name, hyphenated words counted one by one
_MOST_CHARACTERS = 200
_SYLLABLE = re.compile(r"[^aeiou]{0,3}[aeiou]{1,3}y?[^aeiouy]{0,2}|[^aeiouy]{1,2}y[^aeiouy]{0,2}")
_COMPOUND_ENDS = classes("compound_ends")  # "Hong Kong-born"
_PART = re.compile(r"[^\W_]+(?:['’.]+[^\W_]*)*")
_LONGEST_MATTER = 2  # words that a body is "for" before "and" adds more
_OPENING_MARKS = frozenset("\"“'‘(")
# A run of capital words goes on behind nothing else.
_JOINING = PARTICLES | _POSSESSIVES | _OPENING_MARKS | classes("name_joiners")


class RunWord(NamedTuple):
    """A word with its offsets; ``capital`` where it may be part of a name."""

    text: str
    start: int
    end: int
    capital: bool


class Run(NamedTuple):
    """Words ``first`` to ``last`` (inclusive) of a sentence: capital words and what joins them."""

    words: list[RunWord]
    text: str
    first: int
    last: int

    def adjacent(self, left: int) -> bool:
        """Whether only white space separates word ``left`` from the next."""
        following = left + 1
        return following < len(self.words) and self.text[self.words[left].end : self.words[following].start].isspace()


@lru_cache(maxsize=1 << 16)
def is_capital(text: str) -> bool:
    """Whether a word begins as a name does: "Amr", "al-Amr", "d'Ivoire", "deLuca"."""
    if text[0].isupper() or (text[:2] in PARTICLES and text[2:3].isupper() and text[3:].islower()):
        return True
    head, mark, tail = text.replace("’", "'").replace("'", "-").partition("-")
    return bool(mark) and head.lower() in PARTICLES and tail[:1].isupper()


def words_of(tokens: Tokens) -> list[list[RunWord]]:
    """Return the words of each sentence; hyphenated names are one word, other compounds several."""
    # a thousand words an article: making them step by step in Python would take twice as long
    word = partial(tuple.__new__, RunWord)
    every = list(map(word, zip(tokens.words, tokens.starts, tokens.ends, map(is_capital, tokens.words), strict=True)))
    # without a hyphen that nothing follows: "Chinese- and Korean-born"
    for i in [i for i, text in enumerate(tokens.words) if text[-1] in HYPHENS and text[0].isalpha()]:
        text = every[i].text.rstrip("".join(HYPHENS))
        every[i] = every[i]._replace(text=text, end=every[i].start + len(text))
    lines = [slice(line.start, line.stop) for line in tokens.sentences]
    return [every[line] if HYPHENS.isdisjoint(tokens.words[line]) else list(_hyphenated(every[line])) for line in lines]


def _hyphenated(words: list[RunWord]) -> Iterator[RunWord]:
    """Join the words that hyphens make one name."""
    i = 0
    while i < len(words):
        j = i + 1
        while _joins(words, j):
            j += 2
        text = "".join([word.text for word in words[i:j]])
        yield words[i] if j == i + 1 else RunWord(text, words[i].start, words[j - 1].end, is_capital(text))
        i = j


def _joins(words: list[RunWord], i: int) -> bool:
    """Whether word ``i`` is a hyphen within a name."""
    if i + 1 >= len(words) or words[i].text not in HYPHENS:
        return False
    left, hyphen, right = words[i - 1 : i + 2]
    if left.end != hyphen.start or hyphen.end != right.start:
        return False
    opens = left.capital and right.capital and left.text.lower() in _PREFIXES and _heads_a_body(words, i + 2)
    return opens or _one_name(left.text, right.text) or _are_syllables(words, i)


def _are_syllables(words: list[RunWord], i: int) -> bool:
    """Whether a hyphen joins two syllables of a Korean or Chinese name: "Ban Ki-moon", but not "San Jose-run"."""
    left, right = words[i - 1], words[i + 1]
    if right.text in _COMPOUND_ENDS or not all(_SYLLABLE.fullmatch(word.text.lower()) for word in (left, right)):
        return False
    before = words[i - 2] if i > 1 and words[i - 2].end + 1 == left.start else left  # the family: "Noh Su-bin"
    behind = words[i + 2] if i + 2 < len(words) else right  # "Su-bin Noh"
    is_place_led = is_region(left.text) or is_place(f"{before.text} {left.text}")
    has_family = (before is not left and before.capital and before.text not in BODIES) or behind.capital
    return left.capital and right.text.islower() and has_family and not is_place_led


def _heads_a_body(words: list[RunWord], i: int) -> bool:
    """Whether the capital words from ``i`` on end in what a body is called: "Anti-Defamation | League"."""
    end = i
    while end < len(words) and words[end].capital:
        end += 1
    return end > i and words[end - 1].text in BODIES


def _one_name(left: str, right: str) -> bool:
    """Whether a hyphen joins two parts of a name: "Jean-Yves", "al-Amr", "Geun-hye"; not "Kyiv-based"."""
    if left.lower() in _PREFIXES:
        return False
    if right[0].isdigit():
        return left.isupper()
    if right.islower() and left[0].isupper():
        return not is_word(right)
    return right[0].isupper() and (left[0].isupper() or left.lower() in PARTICLES)


def runs_of(words: list[RunWord], text: str) -> list[Run]:
    """Find the longest runs of capital words, in order."""
    runs: list[Run] = []
    for i in [i for i, word in enumerate(words) if word.capital]:
        if runs and i <= runs[-1].last:
            continue
        run = Run(words, text, i, i)
        while (following := _next_in_run(run)) is not None:
            run = Run(words, text, i, following)
        runs.append(run)
    return runs


def _next_in_run(run: Run) -> int | None:
    """Return the index of the next capital word of a run; None where it ends.

    Each of ``RULES`` looks at the word behind the run, which is none with a capital.
    """
    following = run.last + 1
    if following >= len(run.words):
        return None
    if run.words[following].capital:
        return following if run.adjacent(run.last) else None
    if run.words[following].text not in _JOINING:
        return None
    return next((i for i in (rule(run, following) for rule in RULES) if i is not None), None)


def _after_particle(run: Run, i: int) -> int | None:
    """Go on over "von der", "bin", "de la"."""
    while i < len(run.words) and run.words[i].text in PARTICLES:
        i += 1
    return i if _is_capital_at(run, i) else None


def _is_capital_at(run: Run, i: int) -> bool:
    return i < len(run.words) and run.words[i].capital and run.adjacent(i - 1)


def _after_ampersand(run: Run, i: int) -> int | None:
    """Go on over "&": "Johnson & Sons", "A&M"."""
    return i + 1 if run.words[i].text == "&" and i + 1 < len(run.words) and run.words[i + 1].capital else None


def _after_of(run: Run, i: int) -> int | None:
    """Go on over "of" and its like behind the head of a name: "Ministry of Defence", "Council on Foreign Relations"."""
    joiner, head = run.words[i].text, run.words[run.last].text
    if joiner not in ("of", "for", "on") or not run.adjacent(run.last):
        return None
    # "Port of Spain", "Battle of Narva", "Centre for the Study of …"
    any_joiner = head in BODIES or head in LINKING_HEADS or head in PUBLIC
    if not any_joiner and (joiner != "of" or not (head in SITES or head in EVENTS or _has_complement(run))):
        return None
    i += 1
    if i < len(run.words) and run.words[i].text == "the":
        i += 1
    return i if _is_capital_at(run, i) and run.words[i].text not in CALENDAR else None


def _after_and(run: Run, i: int) -> int | None:
    """Go on over "and" within one body's name: "Air and Space Museum", "Centers for Disease Control and Prevention"."""
    if run.words[i].text != "and" or not _is_capital_at(run, i + 1):
        return None
    return i + 1 if _has_complement(run) or _shares_its_head(run, i + 1) else None


def _has_complement(run: Run) -> bool:
    """Whether the run is "<body> of|for|on <one or two words>", which "and" may add to."""
    return any(
        run.words[i].text in ("of", "for", "on") and run.words[i - 1].text in PUBLIC
        for i in range(max(run.first + 1, run.last - _LONGEST_MATTER), run.last)
    )


def _shares_its_head(run: Run, i: int) -> bool:
    """Whether what follows "and" ends in a body's head that what precedes it lacks."""
    before = run.words[run.last].text
    front = [word.text for word in run.words[run.first : run.last]]
    front = front[1:] if front[:1] == ["The"] else front
    one_word = not front or is_region(" ".join(front))  # "The United States Food and Drug Administration"
    if (before in BODIES and not (one_word and before in PUBLIC)) or before in SITES or before.lower() in OPENERS:
        return False
    if before.isupper() or is_region(before):
        return False
    end = i
    while _is_capital_at(run, end + 1) and run.words[end + 1].text not in CALENDAR:
        end += 1
    head, public = run.words[end].text, run.words[run.first].text in PUBLIC
    return end > i and ((head in BODIES and (one_word or public)) or (head in SITES and public))


def _after_possessor(run: Run, i: int) -> int | None:
    """Go on over a possessive within a name: "Women's Cup", "People's Republic", "Prosecutor General's Office"."""
    is_possessive = run.words[i].text in _POSSESSIVES and run.words[run.last].text in POSSESSORS
    if not (is_possessive and _is_capital_at(run, i + 1)):
        return None
    head = run.words[i + 1].text
    return i + 1 if head in BODIES or head in SITES or head in EVENTS else None


def _after_nickname(run: Run, i: int) -> int | None:
    """Go on over a nickname in quotation marks: Robert C. "Bobby" Scott."""
    if i + 3 >= len(run.words) or run.words[i].text not in _OPENING_MARKS or not run.words[i + 1].capital:
        return None
    closed = len(run.words[i + 2].text) == 1 and run.adjacent(run.last) and run.adjacent(i + 2)
    return i + 3 if closed and run.words[i + 3].capital else None


RULES = (_after_particle, _after_ampersand, _after_of, _after_and, _after_possessor, _after_nickname)


def is_too_long(words: Sequence[RunWord]) -> bool:
    """Whether words that could be one name are more than a name has."""
    if words[-1].end - words[0].start > _MOST_CHARACTERS:
        return True
    return len(words) > _MOST_WORDS or sum(len(_PART.findall(word.text)) for word in words) > _MOST_WORDS
