"""`python -m training.denials SHARED`: judged sentences and our own passages -> ``denial.toml``.

``verdicts/denials.jsonl`` holds what careful readers found, who knew no rule, in sentences of 2,000 real articles
(``news_2000.jsonl`` in SHARED), by place and without a word of them. A line has the ``article``; the sentence,
``start`` to ``end``; whether it is a ``denial``; and where the ``denier`` is named. ``half`` is 0 for what is learned
on, and 1 for what was kept aside: for a last figure, by weights that never saw it,
`python -m training.denials SHARED 1`.

What is printed while learning is measured on articles that were not trained on.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

import retrieval.speech
from retrieval.intake.articles import load_articles
from retrieval.logistic import Logistic
from retrieval.model import Article, Denial
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import DENIAL_THRESHOLD, DenialContext, denier, find_denials, find_denying_verb, signs
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.passages import DENIALS
from training.fit import part, write

VERDICTS = Path(__file__).parent / "verdicts" / "denials.jsonl"
WEIGHTS = Path(retrieval.speech.__file__).with_name("denial.toml")
STRENGTH = 0.5  # the inverse of the penalty on weights
OURS = 0.3  # what one of our own passages counts beside a judged sentence: they are clean, and all of them denials
FOLDS = 8
_LEARNED, _KEPT = 0, 1
Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence that may deny: ``at`` in its article, with what was judged of it."""

    group: str
    context: DenialContext
    at: int
    denial: bool
    denier: str = ""

    @property
    def weight(self) -> float:
        """What it counts in learning."""
        return OURS if self.group in DENIALS else 1.0

    @property
    def signs(self) -> Features | None:
        """What speaks for and against its denying; none where nothing does."""
        trigger = find_denying_verb(self.context, self.at)
        return signs(self.context, self.at, trigger) if trigger else None

    @property
    def speaker(self) -> str | None:
        """Who denies, as read."""
        trigger = find_denying_verb(self.context, self.at)
        return denier(self.context, self.at, trigger) if trigger else None


def main(shared: Path) -> None:
    """Learn the weights, write them, and print what they are worth on articles that they were not learned on."""
    cases = (*judged(shared, _LEARNED), *own_passages())
    save(learn(cases))
    report([found for number in range(FOLDS) for found in _held_out(cases, number) if found[0].group not in DENIALS])


def judged(shared: Path, half: int) -> Iterator[Case]:
    """Yield the judged sentences of one half; ``OSError`` where the articles are not there."""
    held = [json.loads(line) for line in VERDICTS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in held if row["half"] == half]
    wanted = {row["article"] for row in rows}
    corpus = load_articles([shared / "data" / "corpus" / "news_2000.jsonl"]).articles
    contexts = {article.id: context_of(article) for article in corpus if article.id in wanted}
    for row in rows:
        context = contexts[row["article"]]
        place = row["denier"]
        name = context.layout.article.text[slice(*place)] if place else ""
        yield Case(row["article"], context, _at(context, row["start"]), row["denial"], name)


def context_of(article: Article) -> DenialContext:
    """Return an article as denials are sought in it."""
    layout = lay_out(article, parse(article.text))
    layout = layout.with_names(find_names(layout))
    return DenialContext(layout, attribute(layout))


def _at(context: DenialContext, place: int) -> int:
    """Return the sentence that begins at a place, or holds it: where sentences end may have been mended since."""
    return max((s.index for s in context.layout.sentences if s.span.start <= place), default=0)


def own_passages() -> Iterator[Case]:
    """Yield the denials of the passages that were written for the tests."""
    for name, lines in DENIALS.items():
        context = context_of(Article(name, " ".join(line[2:] for line in lines)))
        if len(context.layout.sentences) != len(lines):
            raise ValueError(f"a sentence a line is wanted in {name!r}")
        at = next(i for i, line in enumerate(lines) if line[0] == "=")
        yield Case(name, context, at, denial=True)


def learn(cases: Sequence[Case]) -> Logistic:
    """Learn whether words deny: a logistic regression over named features."""
    rows = [(signs, case.denial, case.weight) for case in cases if (signs := case.signs)]
    found, labels, counts = zip(*rows, strict=True)
    vectors = DictVectorizer(sparse=False)
    columns = vectors.fit_transform(found)
    regression = LogisticRegression(C=STRENGTH, max_iter=5000).fit(columns, labels, sample_weight=counts)
    weights = zip(vectors.feature_names_, map(float, regression.coef_[0]), strict=True)
    return Logistic(float(regression.intercept_[0]), dict(weights))


def save(model: Logistic) -> None:
    """Write the model beside the module that uses it."""
    comment = "Written by `make weights` (training/denials.py); what the features mean stands in denials.py."
    names = [f'"{name}"' for name in model.weights]
    write(WEIGHTS, comment, model.intercept, names, list(model.weights.values()))


def _held_out(cases: Sequence[Case], number: int) -> list[tuple[Case, Denial | None]]:
    """Return what weights find in the articles of one fold that were learned on the others."""
    folds = [(case, part(case.group, FOLDS)) for case in cases]
    model = learn([case for case, fold in folds if fold != number])
    return [(case, _found(case, model)) for case, fold in folds if fold == number]


def _found(case: Case, model: Logistic) -> Denial | None:
    signs = case.signs
    return Denial(case.speaker) if signs is not None and model.probability(signs) >= DENIAL_THRESHOLD else None


def report(found: Sequence[tuple[Case, Denial | None]]) -> None:
    """Print how many denials are found, how many rightly, and how many of these with a denier that is not wrong."""
    said = [(case, denial) for case, denial in found if denial]
    right = [(case, denial) for case, denial in said if case.denial]
    say("of what is called a denial, is one", len(right), len(said))
    say("of the denials, called one", len(right), sum(case.denial for case, _ in found))
    say("  with a denier named", sum(denial.speaker is not None for _, denial in right), len(right))
    say("  with a denier that is not wrong", sum(names(d.speaker, case.denier) for case, d in right), len(right))


def names(told: str | None, denier: str) -> bool:
    """Return whether the name told does not contradict the denier's as read; none does not."""
    if told is None:
        return True
    initials = "".join(word[0] for word in told.split()).lower()
    return bool(({initials} | set(told.lower().split())) & set(denier.lower().split()) - {"the", "a", "an", "of"})


def say(what: str, part: int, whole: int) -> None:
    """Print one figure."""
    sys.stdout.write(f"{what}: {part}/{whole} ({part / max(1, whole):.3f})\n")


def measure(shared: Path) -> None:
    """Print what the weights as they are find in the half that was kept aside."""
    cases = judged(shared, _KEPT)
    report([(case, find_denials(case.context.layout, case.context.attributions)[case.at]) for case in cases])


if __name__ == "__main__":
    (measure if sys.argv[2:] == ["1"] else main)(Path(sys.argv[1]))
