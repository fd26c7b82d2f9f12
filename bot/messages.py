"""Every sentence the bot says in its own voice. It speaks of the articles and of itself, never of the world."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from bot.command import Command
from bot.model import NoticeReason
from retrieval import QUESTION, Kind

EMPTY_QUESTION = "Ask a question about the articles, for example: how many people were evacuated? `help` lists more."
WELCOME = "You are welcome."
ENDED = "All right. Ask whenever you like."
TOO_LONG = f"That question is longer than {QUESTION:,} characters. Please ask it in a sentence or two."
PREVIOUS_TOO_LONG = f"The question before is longer than {QUESTION:,} characters. Please ask again without it."
HELP = "Ask a question about the articles in plain words, or use a command:"
REFUSED = "Sorry, this bot answers only the people and channels it was set up for. Its keeper can add you."
NOTHING_TO_SHOW = "There is nothing to show."
FAILED = "Something went wrong here, and the question was not answered. Please ask again; the fault is in the log."
AWAY = "The articles cannot be reached just now. Please ask again in a minute; the log says why."
CHANGED = "The article has changed or gone since that answer was given. Please ask the question again."
NO_QUOTE = "Paste the quotation to check, for example: /verify “we saw nothing” — Jane Roe"
EXACT = "Exact: these words stand in the articles. Quotation marks, dashes and spaces were not compared."
PUNCTUATION = "Exact but for punctuation: these words stand in the articles in a row, with other stops or commas."
TOO_SHORT = "Paste three words or more: fewer stand everywhere, and checking them says nothing."
ALTERED = "Altered: the articles have other words."
STITCHED = "Stitched: these words come from different places."
COMPARED = "Compared ([-in the article-] [+in the quotation+]):"
OWN_VOICE = "The article says it in its own voice."
NO_CAVEAT = "No caveat of the outlet stands on it; that does not mean it is verified."
POSSIBLY_COVERED = (
    "No caveat surely stands on it; what may be about it is told below. That does not mean it is verified."
)
ABSENT = "Absent: no article has these words, or words like them."
NO_QUOTE_IN_MESSAGE = (
    f"That message is longer than {QUESTION:,} characters, and holds no quotation marks."
    " Please paste what is to be checked."
)
KINDS = {
    Kind.PERSON: "person",
    Kind.ORG: "organisation",
    Kind.PLACE: "place",
    Kind.GROUP: "group",
    Kind.EVENT: "event",
}
MAY_COVER = "Perhaps also about"
WHOLE_ARTICLE = "Covers the article as a whole."
DISPUTED_USAGE = "Say what it is about, for example: /disputed casualties"
DENIAL = "Denied"
LEFT_OUT_FILES = "Left out, because they could not be read"
NO_OUTLET = "Outlet not named"
BEGINS = "It begins"
CAVEATS = "What it says it could not verify"
WHO_USAGE = "Say who, or what, for example: /who the mayor's name"
SAID_USAGE = "Say whose words, for example: /said NAME about schools"
NO_SUCH_EXTRACT = "That names no extract of an answer. After an answer, 1 is the first: /context 1, /copy 2."
STALE = "That answer cannot be gone on from any more. Please ask the question again."
NO_WORD = "The question holds no name and no other word to look for."
NEWS = "New on standing questions"
STEP_REFUSED = (
    "This workflow step may not read that channel's articles: whoever runs the bot can name the channel in"
    " STET_SLACK_STEPS."
)
WATCH_USAGE = "Say what is to be watched for: a name, or a question, for example: /watch who speaks for the harbour"
WATCH_ONLY_IN_CHAT = (
    "Standing questions are told where they are asked for: in Slack and on Discord. `stet subscriptions` lists them."
)
WATCH_ARCHIVE = "Standing questions need articles that come in: an archive, which `stet add` makes."
WATCH_NO_ACCESS = (
    "I may not write here, so news could not be posted here. Add me to this channel (in Slack: /invite and my name; on"
    " Discord: allow me View Channel and Send Messages), or write to me directly, and ask again."
)
WATCH_ACCESS_UNKNOWN = "I could not see whether I may write here: if nothing comes, add me to this channel."
WATCH_FULL = (
    "This channel has as many standing questions as are kept. `/watches` lists them; `/watches 1` ends the first."
)
NO_WATCH = "There is no standing question here. `/watch` makes one."
NO_SUCH_WATCH = "There is no standing question of that number here. `/watches` lists them."
NO_MORE = "There is nothing more to show for that question."
NO_ARTICLE_YET = "Nothing found: there is no article to look in yet. `stet add` puts some in."
LEFT_OUT = "A sentence that also answers is too long to show here whole, and is left out."
ONLY_SENTENCE_TOO_LONG = "The one sentence that answers is too long to show here whole, and is left out."
CALLED = "The desk has your question."
NOT_CALLED = "The desk could not be asked: the log says why. Press again later."
THANKS = "Thank you. It is noted beside the answer, for the bot's keeper."
UNSEEN = "Discord does not show the bot that reply. Leave the mention on when you reply, or use /ask."
UNREAD = "Slack does not show the bot that message. Use its menu: Check this quote."
ASK_ON = "Only you see this: what does not name the bot is answered for certain or not at all. Mention it to ask on."
IN_ARTICLE = "In the article"
BEFORE = "Before it:"
CHANGED_SINCE = "Changed since. The article now says:"
NO_LONGER_SAID = "Changed since. The article no longer says this."
WITHDRAWN = "Withdrawn: the article that was quoted here has been taken down."
WITHDRAWN_IN_PART = "Part of this answer is withdrawn: an article that was quoted here has been taken down."
CAVEAT = "[!] NOT VERIFIED, in the outlet's words:"
NOTICES = {
    NoticeReason.ARTICLE: "[!] The outlet says of this article:",
    NoticeReason.POSSIBLE: "[!] This article also says:",
}
# In chat the label stands above the words that it is about, where a notification begins, and the caveat below them.
UNVERIFIED = "⚠️ Not verified"
CAVEAT_INTRO = "In the outlet's words:"
NOTED = {why: label.replace("[!]", "⚠️") for why, label in NOTICES.items()}
MENU = {"context": "Context", "copy": "Copy"}  # what can be done with an extract, by its command
RIGHT, WRONG = "Helpful", "Not right"
WHY_WRONG = "What was not right?"


def day(published: date | None) -> str:
    """Return a date as a newsroom writes it, or nothing."""
    return f"{published.day} {published:%B} {published.year}" if published else ""


def held_until(embargo: datetime) -> str:
    """Say until when an article is kept back, with the offset from UTC by which that was told."""
    return f"held until {day(embargo)}, {embargo:%H:%M} {embargo.isoformat()[-6:]}"


def published(day_of: date | None) -> str:
    """Return the sentence for the day of an article, where somebody asks when "that" was."""
    return f"The article is of {day(day_of)}." if day_of else "The article bears no date."


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: "1 article", "2 articles"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[str]) -> str:
    """Return words in quotation marks, with commas."""
    return ", ".join(f"“{word}”" for word in words)


def in_no_article(words: Iterable[str]) -> str:
    """Say which words no article has."""
    return f"In no article: {listed(words)}."


def nothing_found(
    looked_for: tuple[str, ...],
    not_found: tuple[str, ...],
    articles: int,
    newest: date | None,
    since: date | None = None,
) -> str:
    """Return the sentence for no answer: what was looked for, and in how much, from which day on."""
    if not articles and not since:
        return NO_ARTICLE_YET
    parts = ["Nothing found.", f"Looked for {listed(looked_for)}." if looked_for else NO_WORD]
    if not_found:
        parts.append(in_no_article(not_found))
    dated = f", the newest of {day(newest)}" if newest else ""
    recent = f" since {day(since)}" if since else ""
    parts.append(f"Searched {count(articles, 'article')}{recent}{dated}.")
    return " ".join(parts)


def not_sure(not_found: tuple[str, ...] = ()) -> str:
    """Return the sentence above what may not answer, with the words asked for that no article has."""
    lacking = f", as no article has {listed(not_found)}" if not_found else ""
    return f"Not sure that this answers it{lacking}; nearest:"


def unknown_command(nearest: str) -> str:
    """Return the sentence for an unknown command, with the nearest one that exists."""
    meant = f" Did you mean /{nearest}?" if nearest else ""
    return f"There is no such command.{meant} /help lists them all."


def help_all(commands: Iterable[Command]) -> str:
    """Return the list of commands."""
    lines = (f"/{command.usage}: {command.help}" for command in commands)
    return "\n".join((HELP, *lines))


def help_on(command: Command) -> str:
    """Return the explanation of one command."""
    return f"/{command.usage}\n{command.help}"


def misattributed(speaker: str) -> str:
    """Return the sentence for a quotation that was found, but is not by the person named."""
    return f"Misattributed: these words stand in the articles, but not as said by {speaker}."


def said_as(speaker: str | None, claimed: str) -> str:
    """Return the sentence for words whose speaker the article has in other words, or not at all."""
    if speaker is None:
        return f"Who says them is not identified there; whether it is {claimed} is for you to check."
    return f"The article says “{speaker}”; whether that is {claimed} it does not say."


def quoted(words: str, most: int = 200) -> str:
    """Return words in quotation marks, cut where they are many; for naming them, not for quoting."""
    return f"“{words if len(words) <= most else words[:most].rstrip() + '…'}”"


def absent(words: str) -> str:
    """Return the sentence that names the words which no article has."""
    return f"{ABSENT.removesuffix('.')}: {quoted(words)}"


def these_words(words: str) -> str:
    """Return the sentence for a message of which only these words stand in an article."""
    return f"Exact, of these words of the message: {quoted(words)} Of the others nothing was found."


def checked(number: int) -> str:
    """Return the heading over the results for several quotations."""
    return f"{count(number, 'quotation')} checked, each for itself"


def not_shown(why: str) -> str:
    """Return what is said to somebody, between the two, whose answer could not be shown where it was asked."""
    return f"The answer could not be shown where you asked ({why}). Ask it here, or tell the bot's keeper."


def called(name: str) -> str:
    """Return the line that hands a question to people."""
    return f"{name or 'Somebody'} asks what the articles do not say for certain:"


def dealt_with(name: str) -> str:
    """Return the line that marks a question as dealt with, and by whom."""
    return f"Done, says {name}" if name else "Done"


def shared_by(name: str) -> str:
    """Return the line that names who shares an answer with everybody."""
    return f"Shared by {name}" if name else "Shared"


def about(words: str) -> str:
    """Return " on “words”", or "" without words."""
    return f" on “{words}”" if words else ""


def no_caveat(words: str) -> str:
    """Return the sentence for no caveat found, which vouches for nothing."""
    return f"The articles hold no caveat of an outlet{about(words)}. That does not mean that anything was verified."


def caveats(number: int, words: str) -> str:
    """Return the heading over a list of caveats."""
    return f"{count(number, 'caveat')}{about(words)}"


def covers(number: int, *, surely: bool = True) -> str:
    """Return the line that counts the sentences a caveat covers, or may, where not all are shown."""
    return f"{'Covers' if surely else 'Perhaps about'} {number} sentences; the first are shown."


def also_may_cover(number: int) -> str:
    """Return the line that counts the sentences a caveat may cover beside those that it surely covers."""
    return f"Perhaps also about {count(number, 'more sentence')}."


def news_on(words: str) -> str:
    """Say on which standing question something came in."""
    return f"New on {listed((words,))}:"


def watching(words: str) -> str:
    """Say what is watched for from now on, and how that is ended."""
    return (
        f"What comes in on {listed((words,))} is told here from now on. `/watches` lists and ends what is watched for."
    )


def watched(every: Iterable[str]) -> str:
    """List what is watched for in a channel, with numbers."""
    lines = (f"{number}. {words}" for number, words in enumerate(every, 1))
    return "\n".join(("Watched for here:", *lines, "`/watches 1` ends the first."))


def watched_no_more(words: str) -> str:
    """Say what is not watched for any more."""
    return f"{listed((words,))} is not watched for any more."


def and_more(number: int, noun: str) -> str:
    """Return the line that counts what is not shown."""
    return f"… and {count(number, f'more {noun}')}."


def newest_version(number: int, since: date | None) -> str:
    """Say that an article was changed after it was published, and since when it stands as it does."""
    return f"Changed since it was published: version {number}{f', of {day(since)}' if since else ''}"


def outlet_could_not_verify(words: str) -> str:
    """Introduce the sentence in which an outlet says what it could not verify."""
    return f"It says it could not verify: “{words}”"


def undisputed(words: str) -> str:
    """Return the sentence for nothing disputed."""
    return f"Nothing found{about(words)} that somebody denies."


def disputed(words: str) -> str:
    """Return the heading over what is disputed."""
    return f"Disputed{about(words)}"


def no_title(opening: str) -> str:
    """Return what stands for a title that an article lacks, made of the words it begins with."""
    return f"(no title) “{opening}”"


def no_article(words: str) -> str:
    """Return the sentence for no article on the words."""
    return f"No article{about(words)}."


def held(number: int, words: str) -> str:
    """Return the heading over a list of articles."""
    return f"{count(number, 'article')}{about(words)}"


def searched_since(first: date, undated: int) -> str:
    """Return the sentence for how far back is asked, and what becomes of articles without a day."""
    words = f"Asked is what was published since {day(first)}."
    if not undated:
        return words
    without = count(undated, "article without a date", "articles without a date")
    return f"{words} Among it: {without}, which go by the day of coming in, where that is kept."


def outlet(source: str, number: int, days: tuple[date, date] | None, today: date | None = None) -> str:
    """Return the heading over an outlet's articles, of the first to the last of ``days``; ``today`` where it grows."""
    dated = f", {day(days[0])} to {day(days[1])}" if days and days[0] < days[1] else f", {day(days[1])}" if days else ""
    silent = f", silent for {count(max((today - days[1]).days, 0), 'day')}" if days and today else ""
    return f"{source or NO_OUTLET}: {count(number, 'article')}{dated}{silent}"


def changed(article_id: str) -> str:
    """Return the sentence for an article that has changed since it was read."""
    return f"{article_id} has changed since it was read."


def one_story(number: int) -> str:
    """Return the heading over the copies of one story."""
    return f"One story in {number} articles"


def lost_caveat(article_id: str, carried_by: str) -> str:
    """Return the line that flags a copy without a caveat that another copy has."""
    return f"[!] {article_id} dropped the caveat that {carried_by} carries:"


def no_such_article(article_id: str, nearest: tuple[str, ...]) -> str:
    """Return the sentence for an unknown article, with those that may be meant."""
    if not article_id:
        return "Say which article, by its id: /sources lists them."
    meant = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
    return f"There is no article “{article_id[:80]}”.{meant} /sources lists them."


def named(names: tuple[str, ...], most: int) -> str:
    """Return the line that lists the names in an article."""
    return f"Names in it: {', '.join(names[:most])}{' …' if len(names) > most else ''}." if names else ""


def no_such_form(form: str, forms: tuple[str, ...]) -> str:
    """Return the sentence that lists the forms an extract can be copied in."""
    return f"An extract can be copied as {', '.join(forms)}; not as “{form[:40]}”."


def said_in_all(number: int, name: str, *, at_least: bool = False) -> str:
    """Return the line that tells of how many sentences the newest are shown, and what shows all of them."""
    return f"The newest of {'at least ' if at_least else ''}{count(number, 'sentence')}; /said {name} shows them all."


def of_the_newest(number: int) -> str:
    """Return the line that says of how many articles a card tells."""
    return f"What follows is of the newest {number:,}."


def several(name: str) -> str:
    """Return the sentence for a name that several people or things have."""
    return f"“{name}” may be any of these:"


def nobody(name: str, *, near: bool) -> str:
    """Return the sentence for a name that occurs nowhere."""
    return f"“{name}” is named in no article." + (" The nearest names are:" if near else "")


def said_nothing(name: str, topic: str) -> str:
    """Return the sentence for somebody to whom no sentence is attributed."""
    return f"No article has {name} saying anything{about(topic)}."
