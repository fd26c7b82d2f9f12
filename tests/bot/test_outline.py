"""What may be unverified is told in every reply that shows it."""

from dataclasses import replace

import pytest

from bot import sentence_links, verbatim
from bot.command import Library
from bot.commands.clip import FORMS
from bot.model import Check, Clipping, Notice, NoticeReason, Question, Revision
from bot.outline import not_yet_shown, notices, outline, quoted_parts
from bot.service import QuestionService
from retrieval import version_key
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.stock import FERRY, caveated, expect, holdings

TEXT = (
    "Guards fired on the dockers of Port Ellen, Mara Quill said. She said 12 men were hurt. "
    "The harbour office denied that guards fired on the dockers. The fence was mended on Monday. "
    "Her account could not be independently verified. The guards left early, she added."
)
CAVEAT = "Her account could not be independently verified."
MAYBE = (0, 1, 2)
SURELY = (5,)


# a caveat may cover the first three sentences of the article, and surely covers its last
READING = caveated(read_one(Article("port", TEXT)), SURELY, MAYBE)
ARCHIVE = open_archive([READING])
SERVICE = QuestionService(Library(ARCHIVE))
THIRD = sentence_links.encode([sentence_links.Pointer(version_key("port", READING.article.digest), 2)])
ASKED = (
    "Who fired on the dockers of Port Ellen?; How many men were hurt?; /who Mara Quill; /said Mara Quill; "
    "/verify Guards fired on the dockers of Port Ellen; /verify She told us 12 men were hurt; /unverified dockers; "
    f"/disputed dockers; /more {THIRD}; /context {THIRD}; /copy {THIRD}; /copy {THIRD} markdown"
).split("; ")


@pytest.mark.parametrize("asked", ASKED)
def test_a_caveat_that_may_cover_a_sentence_shown_is_told_once(asked: str) -> None:
    reply = SERVICE.answer(Question(asked))
    shown = (reply.extract,) if isinstance(reply, Clipping) else outline(reply).extracts
    places = {part.index for extract in shown for part in quoted_parts(extract)}
    assert places & {*MAYBE}
    assert [(notice.text, notice.why) for notice in notices(shown)] == [(CAVEAT, NoticeReason.POSSIBLE)]


def test_a_sentence_that_no_caveat_may_cover_is_shown_without_one() -> None:
    reply = expect(Check, SERVICE.answer(Question("/verify The fence was mended on Monday")))
    assert [match.extract.index for match in reply.matches] == [3]
    assert notices(outline(reply).extracts) == ()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("index", [2, 5])  # it may cover the first, and surely covers the second
def test_what_is_copied_takes_the_caveat_along(form: str, index: int) -> None:
    link = THIRD.replace(".2", f".{index}")
    reply = expect(Clipping, SERVICE.answer(Question(f"/copy {link} {form}")))
    assert CAVEAT.rstrip(".") in reply.text


def test_a_caveat_on_what_stands_in_an_extracts_place_by_now_is_told_with_it() -> None:
    warned, doubtful = (verbatim.extract(ARCHIVE, "port", index) for index in (5, 0))
    posted = replace(warned, caveats=(), revision=Revision(warned))
    assert not_yet_shown(doubtful.notices, (posted, doubtful)) == []
    assert not_yet_shown(doubtful.notices, (replace(posted, revision=None), doubtful)) == list(doubtful.notices)


def test_what_both_versions_of_an_article_say_is_told_once() -> None:
    was = verbatim.extract(ARCHIVE, "port", 0)
    [notice] = was.notices
    later = replace(notice, citation=replace(notice.citation, digest="f" * 64))
    now = replace(was, text=f"{was.text} Twice.", notices=(later,))
    corrected = replace(was, revision=Revision(now))
    assert notices([corrected]) == (later,)


def test_a_notice_that_was_told_on_an_extract_is_told_no_more() -> None:
    archive = holdings().archive
    told, first, other = (verbatim.extract(archive, FERRY.id, index) for index in (2, 0, 4))
    (caveat,) = told.caveats
    first = replace(first, caveats=())
    due = Notice(caveat.text, caveat.kind, caveat.verifier, caveat.citation, NoticeReason.POSSIBLE)
    needing = replace(first, notices=(due,))
    assert not_yet_shown([due], [told]) == []
    assert not_yet_shown([due], [first]) == [due]
    assert not_yet_shown([due], [told, needing]) == []
    assert not_yet_shown([due], [needing, told]) == [due]
    assert not_yet_shown([due], [replace(first, before=told)]) == []
    assert not_yet_shown([due], [other, needing]) == []
