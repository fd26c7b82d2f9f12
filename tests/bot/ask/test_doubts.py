"""What speaks against a sentence that has the words and the type of answer."""

from __future__ import annotations

import pytest

from bot.ask.choose import choose_answer
from bot.ask.model import Band, Thresholds
from bot.command import Library
from bot.model import Answer, Question
from bot.service import QuestionService
from tests.encoders import Fixed
from tests.stock import archive_of

RUN = (
    "The tram to Oxley left the rails on the bridge. The tram was going at 70 mph, the inspector said. "
    "On the bridge the limit for a tram is 30 mph. The tram is 40 feet long."
)
KILLED, DROWNED = "how many people were killed in the fire", "how many people drowned in the flood"
FLOOD = (
    "A flood drowned 12 people in Varde, said Ada Roe. The mayor wept. | The mayor of Oxley, Ivo Kern, opened a bridge."
)
EXPELLED = (
    "The nations of the union have expelled 200 diplomats since Monday. Norway has expelled nine of the diplomats. "
    "Denmark recalled its ambassador."
)
TOTAL = "how many diplomats have been expelled"
KEEPER = "The keeper of Oxley has left. His successor in Oxley is Ann Lee."
KEEPERS_NAME = "what is the name of the keeper of oxley"
# articles, with a bar before the next; what is asked, with the question before; a word of what a reader takes for it
ASKED = (
    # a limit is no speed unless the limit is asked for
    (RUN, "how fast was the tram going on the bridge", "30 mph", Band.CLOSEST),
    (RUN, "what is the limit for a tram, how fast may it go", "30 mph", Band.ANSWER),
    (RUN, "how many feet long is the tram", "40 feet", Band.ANSWER),
    # the hurt are not the dead
    ("Nine people were killed in the fire.", KILLED, "people", Band.ANSWER),
    ("Nine people were injured in the fire.", KILLED, "people", Band.CLOSEST),
    ("Nine people were killed and four injured in the fire.", KILLED, "people", Band.ANSWER),
    ("The forecast is of nine people dead in the fire.", KILLED, "people", Band.CLOSEST),
    # the place and the people asked for count as much as the event
    (FLOOD, f"{DROWNED} in Varde", "drowned", Band.ANSWER),
    (FLOOD, f"{DROWNED} in Oxley", "drowned", Band.CLOSEST),
    (FLOOD, f"{DROWNED} in Irpin", "drowned", Band.CLOSEST),
    (FLOOD, f"{DROWNED} in irpin", "drowned", Band.CLOSEST),
    (FLOOD, f"{DROWNED} in Irpin, said Ada Roe", "drowned", Band.CLOSEST),
    (FLOOD, f"{DROWNED}, said ivo kern", "drowned", Band.CLOSEST),
    # the total is no figure of one party, and the answer before is not the next
    (EXPELLED, TOTAL, "200", Band.ANSWER),
    (EXPELLED, f"{TOTAL} | how many were expelled by denmark?", "200", Band.CLOSEST),
    (EXPELLED, f"{TOTAL} | how many were expelled by norway?", "nine", Band.ANSWER),
    (EXPELLED, f"{TOTAL} | and which countries were they?", "200", Band.CLOSEST),
    # who is asked for by name is not in a sentence without another name
    (KEEPER, KEEPERS_NAME, "left", Band.CLOSEST),
    (KEEPER, KEEPERS_NAME, "successor", Band.ANSWER),
)


@pytest.mark.parametrize(("texts", "asked", "best", "band"), ASKED)
def test_what_has_the_words_and_the_type_may_not_be_the_answer(texts: str, asked: str, best: str, band: Band) -> None:
    library = Library(archive_of(*texts.split(" | ")), Fixed(best, odds=6.0), thresholds=Thresholds(0.0, 0.0))
    before, _, question = asked.rpartition(" | ")
    assert choose_answer(Question(question, before or None), library).band is band


def test_of_two_figures_of_one_unit_none_is_sure_and_both_are_shown() -> None:
    text = "The fire at the mill killed 9 people. Later the mayor spoke of 14 people. Trams stopped for 3 hours."
    reader = Fixed("people", odds=6.0)
    library = Library(archive_of(text), reader, thresholds=Thresholds(0.0, 0.0))
    question = Question("how many people did the fire at the mill kill, according to the mayor", brief=True)
    assert choose_answer(question, library).band is Band.PROBABLY
    reply = QuestionService(library).answer(question)
    assert isinstance(reply, Answer)
    assert ["9" in reply.extracts[0].text, "14" in reply.extracts[1].text] in ([True, True], [False, False])
    assert not any(extract.answer for extract in reply.extracts)
    alone = Library(archive_of(text.replace("14 people", "14 mills")), reader, thresholds=Thresholds(0.0, 0.0))
    assert choose_answer(question, alone).band is Band.ANSWER
