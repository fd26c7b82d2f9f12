"""Every sentence the bot says in its own voice. It speaks of the articles and of itself, never of the world."""

import re
from collections.abc import Iterable
from datetime import date, datetime

from bot.ask.model import Band
from bot.command import Command
from bot.model import FindingKind, NoticeReason, Searched
from retrieval import QUESTION, Kind

EMPTY_QUESTION = "Ask a question about the articles, for example: how many people were evacuated? `/help` says more."
WELCOME = "You are welcome."
ENDED = "All right. Ask whenever you like."
TOO_LONG = f"That question is longer than {QUESTION:,} characters. Please ask it in a sentence or two."
PREVIOUS_TOO_LONG = f"The previous question is longer than {QUESTION:,} characters. Please ask again without it."
COMMAND = re.compile(r"`/([^`]+)`")  # in what follows, where a surface puts its own form
IN_CHAT, IN_TERMINAL = "/{}", "`stet {}`"  # such forms
_CHAT_LINES = re.compile(r"(?m)^`/watch[^`]*`: .*\n?")  # of what works in Slack and on Discord alone
_TERMINAL_SENTENCES = re.compile(r" [^.`]{,300}`stet [^`]{,100}`[^.`]{,300}\.")  # for whoever runs the program
HELP = "Ask a question about the articles in plain words, or use a command:"
REFUSED = "Sorry, this bot only answers the people and channels it was set up for. Its administrator can add you."
NOTHING_TO_SHOW = "There is nothing to show."
FAILED = "Something went wrong and your question wasn't answered. Please ask again. The error is in the log."
UNAVAILABLE = "The articles can't be reached right now. Please ask again in a minute. The log says why."
CHANGED = "The article has changed or been removed since that answer. Please ask your question again."
NO_QUOTE = "Paste the quotation to check, for example: `/verify “we saw nothing” — Jane Roe`"
TOO_SHORT = "Paste three words or more: shorter quotations occur everywhere, so checking them says nothing."
NOT_COMPARED = "Not compared"
ONLY_QUOTATIONS = "Words outside the quotations were not compared."
GOES_ON = "The article goes on"
COMPARED = "Compared ([-in the article-] [+in the quotation+]):"
UNDATED = "This article is undated."
OWN_VOICE = "The article says this in its own voice."
NOT_VERIFIED = "Not verified: the outlet's words are with the quotation."
NO_CAVEAT = "The outlet attached no caveat to this. That doesn't mean it is verified."
POSSIBLY_COVERED = "No caveat clearly covers this, but one that may is shown below. That doesn't mean it is verified."
NO_QUOTE_IN_TEXT = "No quotation of three words or more was found. Put the words to check in quotation marks."
NO_QUOTE_IN_MESSAGE = (
    f"That message is longer than {QUESTION:,} characters, and has no quotation marks."
    " Please paste what is to be checked."
)
KINDS = {Kind.PERSON: "person", Kind.ORG: "organisation", Kind.PLACE: "place", Kind.GROUP: "group", Kind.EVENT: "event"}
MAY_COVER, MAY_ALSO_COVER = "May cover", "May also cover"
WHOLE_ARTICLE = "Covers the whole article."
DISPUTED_USAGE = "Say what it is about, for example: `/disputed casualties`"
DENIAL = "Denied"
LEFT_OUT_FILES = "Skipped because they could not be read"
NO_OUTLET = "Outlet not named"
BEGINS = "Opening"
CAVEATS = "What the outlet could not verify"
WHO_USAGE = "Say who, or what, for example: `/who the mayor's name`"
SAID_USAGE = "Say whose words, for example: `/said NAME about schools`"
FIRST_USAGE = "Say which words, for example: `/first “mass graves”`, or: `/first NAME said ceasefire`"
FIRST, LAST, HOW_OFTEN = "First", "Last", "How often"
CARRIED_ON = "Corrected, and still said elsewhere"
NOT_CARRIED_ON = "No other article clearly repeats what was corrected."
PEOPLE_QUOTED, UNNAMED_QUOTED = "Named", "Unnamed"
# from docs/quality.md, "the speaker beside a sentence"; a test compares
SPEAKER_ERROR = "Readers judged 170 speakers: 75 in 100 are right, 11 have a poor label, 12 are wrong, 1 can't be told."
NO_PERIOD = "Write a day as 2031-05-09, a month as 2031-05, a year as 2031."
NOBODY_QUOTED = "These articles quote nobody."
NO_ARTICLE_COUNTED = "No article matches. Check words, outlet, section and days: `/sources` lists articles by outlet."
NO_SUCH_QUOTATION = "That isn't the number of a quotation. After an answer, 1 is the first: `/context 1`, `/copy 2`."
NO_ANSWER_BEFORE = "That names no quotation. Run `stet chat`, ask there, then type: more, or: context 1, or: copy 1"
EXPIRED = "That answer has expired. Please ask your question again."
NO_WORD = "The question has no name or other word to search for."
NEWS = "New on standing questions"
STEP_REFUSED = (
    "This workflow step may not read that channel's articles: whoever runs the bot can allow it with"
    " steps = true in the file of channel rules."
)
WATCH_USAGE = "Say what to watch for, a name or a question, for example: `/watch who speaks for the harbour`"
WATCH_ONLY_IN_CHAT = (
    "A standing question posts what new articles say in a channel of Slack or Discord. Ask it there."
    " `stet subscriptions` lists those of all channels."
)
WATCH_ARCHIVE = "Standing questions need an archive that receives new articles. Whoever runs the bot can create one."
WATCH_NO_ACCESS = (
    "I can't post here, so you wouldn't see new results. Add me to this channel (in Slack: /invite and my name; on"
    " Discord: allow me View Channel and Send Messages) or message me directly, then ask again."
)
WATCH_ACCESS_UNKNOWN = "I couldn't check whether I can post here. If nothing arrives, add me to this channel."
WATCH_FULL = "This channel has no room for more standing questions. `/watches` lists them; `/watches 1` ends the first."
NO_WATCH = "There are no standing questions here. `/watch` adds one."
NO_SUCH_WATCH = "No standing question here has that number. `/watches` lists them."
NO_MORE = "There is nothing more to show for that question."
NOTHING_ANSWERS = "Nothing in the archive answers this."
CLOSEST, MORE = "Show closest matches", "More"
FURTHER = "Further matches. They may not answer your question:"
NO_ARTICLE_YET = "Nothing found: there are no articles yet. `stet add` adds some."
SENTENCE_TOO_LONG = "A sentence that also answers is too long to show in full and is left out."
ONLY_SENTENCE_TOO_LONG = "The only sentence that answers is too long to show in full and is left out."
HANDED_OVER = "The newsroom has your question."
NOT_HANDED_OVER = "Your question could not be handed over: the log says why. Press again later."
DRAFT = "The draft"
UNREADABLE_DRAFT = "The draft cannot be read."
PROOF_INTERRUPTED = "Your draft was not proofed, because the bot was restarted. Post it again."
DRAFT_TAKES_TOO_LONG = (
    "This draft takes too long to check, or too much memory. Split it or save its text as .txt, and proof each part."
)
DRAFTS_UNDER_WAY = "Other drafts are being checked. Wait half a minute, and try again."
EMPTY_DRAFT = "The draft is empty. Write or paste its text."
TOO_LONG_TO_CHECK = "Too long to be checked as quotations"
FINDINGS = {
    FindingKind.FIGURE: "🔢 Figure",
    FindingKind.NAME: "🪪 Name",
    FindingKind.CERTAINTY: "🎚️ Certainty",
    FindingKind.CAVEAT_LOST: "⚠️ Not verified",
    FindingKind.DENIAL_LOST: "↔️ Denied",
}
THE_OUTLET, SOMEBODY = "the outlet", "somebody"
CHANGED_BEFORE_SHARING = "The reply has changed since. Share this one, if you want to."
THANKS = "Thank you. Your feedback is saved with the answer for the bot's administrator."
DISCORD_HIDES_REPLY = "Discord doesn't show the bot that reply. Leave the mention on when you reply, or use /ask."
SLACK_HIDES_MESSAGE = "Slack doesn't show the bot that message. Use its menu: Check this quote."
ASK_ON = "Only you see this. Without a mention, the bot replies only when it is sure. Mention it to ask more."
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
# In chat the label is above the words that it is about, because a notification begins there; the caveat is below.
UNVERIFIED = "⚠️ Not verified"
CHAT_NOTICES = {why: label.replace("[!]", "⚠️") for why, label in NOTICES.items()}
MENU = {"context": "Context", "copy": "Copy"}  # what can be done with a quotation, by its command
RIGHT, WRONG = "Helpful", "Not right"
WHY_WRONG = "What was not right?"

# The same with something filled in.
further = "{} more".format
read_as = "Read “{}” as “{}”.".format
did_you_mean = "Did you mean “{}”?".format
outlet_could_not_verify = "The outlet could not verify: “{}”".format
changed = "{} has changed since it was read.".format
one_story = "One story in {} articles".format
lost_caveat = "[!] {} dropped the caveat that {} carries:".format
newest_articles = "The rest covers the newest {:,}.".format
text_too_long = "That is longer than {:,} characters. Paste a part of it.".format
may_be_several = "The ages in the articles don't fit one person: several people may be called {}.".format
feed_silent = "No article has come from {} for {:,} hours, and some used to. `stet check` says more.".format
several = "“{}” may be any of these:".format
first_of = "First in {}".format
with_reason = ", {:,} with a reason given for not naming them".format
show_quoted = "`/quoted by {}` shows the sentences. `stet quoted --csv` has all names.".format
replaced = "[-{}-] [+{}+]".format
in_no_article = "No article has {}.".format
left_unanswered = "This answers only the first question. Ask the second by itself: {}".format
published_on = "Published on {}.".format
no_caveat = "The articles have no caveat{}. That doesn't mean anything was verified.".format
covers = "Covers {} sentences; the first are shown.".format
may_cover = "May cover {} sentences; the first are shown.".format
also_may_cover = "May also cover {}.".format
undisputed = "Nothing found{} that anybody denies.".format
named_with = "Often named with {}.".format
nobody = "No article names “{}”.".format
nobody_but_near = "No article names “{}”. The closest names are:".format
said_nothing = "The articles attribute nothing to {}{}.".format
first_written, first_said = "First written: “{}”".format, "First said by {1}: “{0}”".format
never_written, never_said = "No article has “{}”.".format, "No article has {1} say “{0}”.".format
first_in_version = "A later version of the article, of {}, has it first.".format
undated_articles = "In {} without a date".format
counted_forms = "Counted, in so many articles: {}.".format
still_said = "The first sentence is the corrected one. {} may need the same correction.".format
speaker_there = "No speaker was compared. In the article: {}.".format
other_spelling = "Your archive writes “{1}” (in {2}), not “{0}”.".format
other_figure = "The archive has “{1}” where the draft has “{0}”.".format
no_figure = "No article on this has “{}”. The closest sentence gives no such figure.".format
other_name = "The closest sentence names “{1}”, not “{0}”.".format
other_role = "The archive last described {0} as “{2}”, not “{1}”.".format
other_source = "Check this: in the article this is said by {1}, not {0}.".format
the_outlet = "the outlet ({})".format
caveat_lost = "Check this: it looks like a statement that {} could not verify. The draft leaves the caveat out.".format
caveat_perhaps_lost = "Check this: {} could not verify something near this statement, perhaps this too.".format
surer = "Check this: the article says “{}”, the draft “{}”.".format
no_doubt = "Check this: the article says “{}”, the draft leaves it out.".format
denial_lost = "Check this: {} denies it in the article, and the draft leaves the denial out.".format
draft_too_long = "The draft has more than {:,} {}. Split it, and proof each part.".format
news_on = "New on “{}”:".format
watch_started = "New results for “{}” will be posted here. `/watches` lists and ends standing questions.".format
watch_ended = "“{}” is no longer watched for.".format
help_on = "`/{0.usage}`\n{0.help}".format


def in_words(text: str, form: str) -> str:
    """Return what the bot says with its commands as a surface has them, in place of the {} in ``form``.

    What only another surface has is left out.
    """
    if form != IN_CHAT:
        text = _CHAT_LINES.sub("", text)
    if form != IN_TERMINAL:
        text = _TERMINAL_SENTENCES.sub("", text)
    return COMMAND.sub(lambda match: form.format(match[1]), text)


def caveat_intro(quotations: int) -> str:
    if quotations == 1:
        return "In the outlet's words:"
    return f"Of {'both' if quotations == 2 else f'all {quotations}'}, in the outlet's words:"  # noqa: PLR2004


def day(published: date | None) -> str:
    return f"{published.day} {published:%B} {published.year}" if published else ""


def embargo_notice(embargo: datetime) -> str:
    return f"embargoed until {day(embargo)}, {embargo:%H:%M} {embargo.isoformat()[-6:]}"


def count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def quoted_list(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def nothing_found(
    looked_for: tuple[str, ...], not_found: tuple[str, ...], articles: int, newest: date | None, since: date | None
) -> str:
    if not articles and not since:
        return NO_ARTICLE_YET
    parts = [NOTHING_ANSWERS, f"Looked for {quoted_list(looked_for)}." if looked_for else NO_WORD]
    if not_found:
        parts.append(in_no_article(quoted_list(not_found)))
    dated = f", the newest of {day(newest)}" if newest else ""
    recent = f" since {day(since)}" if since else ""
    parts.append(f"Searched {count(articles, 'article')}{recent}{dated}.")
    return " ".join(parts)


def mentioned(name: str, articles: int, *, listed: bool) -> str:
    """Return that a name asked for is in articles, of which none answers; they are ``listed`` below."""
    mention = "mentions" if articles == 1 else "mention"
    return f"No sentence answers this. {count(articles, 'article')} {mention} “{name}”{':' if listed else '.'}"


def doubt(band: Band, not_found: tuple[str, ...] = (), *, one: bool = False) -> str:
    lacking = f"no article has {quoted_list(not_found)}" if not_found else ""
    if band is Band.PROBABLY:
        return f"Probably{lacking and f', though {lacking}'}:"
    closest = "Closest match" if one else "Closest matches"
    return f"This may not answer your question{lacking and f': {lacking}'}. {closest}:" if band is Band.CLOSEST else ""


def unknown_command(nearest: str) -> str:
    meant = f" Did you mean `/{nearest}`?" if nearest else ""
    return f"There is no such command.{meant} `/help` lists them all."


def help_all(commands: Iterable[Command]) -> str:
    return "\n".join((HELP, *(f"`/{command.usage}`: {command.help}" for command in commands)))


def quoted(words: str, most: int = 200) -> str:
    """Return words in quotation marks, cut where they are many; for naming them, not for quoting."""
    return f"“{words if len(words) <= most else words[:most].rstrip() + '…'}”"


def not_compared(words: Iterable[str]) -> str:
    return f"Outside the quotations: {', '.join(quoted(each, 60) for each in words)}."


def not_shown(question: str) -> str:
    return f"I can't post where you asked {quoted(question)} Ask me here, or tell the bot's administrator."


def handover_request(name: str) -> str:
    return f"{name or 'Somebody'} has a question that the articles don't clearly answer:"


def marked_done(name: str) -> str:
    return f"Marked as done by {name}" if name else "Done"


def shared_by(name: str) -> str:
    return f"Shared by {name}" if name else "Shared"


def about(words: str) -> str:
    return f" on “{words}”" if words else ""


def watch_list(every: Iterable[str]) -> str:
    lines = (f"{number}. {words}" for number, words in enumerate(every, 1))
    return "\n".join(("Standing questions here:", *lines, "`/watches 1` ends the first."))


def and_more(number: int, noun: str) -> tuple[str, ...]:
    return (f"… and {count(number, f'more {noun}')}.",) if number > 0 else ()


def newest_version(number: int, since: date | None) -> str:
    return f"Changed since publication: version {number}{f', of {day(since)}' if since else ''}"


def no_title(opening: str) -> str:
    return opening if opening.startswith(("“", '"')) else f"“{opening}”"


def searched_through(searched: Searched) -> str:
    return f". Searched: {count(searched.articles, 'article')} of {count(searched.outlets, 'named outlet')}."


def searched_since(first: date, undated: int) -> str:
    words = f"Searched articles published since {day(first)}."
    if not undated:
        return words
    without = count(undated, "article without a date", "articles without a date")
    return f"{words} This includes {without}, which count by the day they were added, if known."


def outlet(source: str, number: int, days: tuple[date, date] | None, today: date | None = None) -> str:
    dated = f", {day(days[0])} to {day(days[1])}" if days and days[0] < days[1] else f", {day(days[1])}" if days else ""
    silent = f", silent for {count(max((today - days[1]).days, 0), 'day')}" if days and today else ""
    return f"{source or NO_OUTLET}: {count(number, 'article')}{dated}{silent}"


def no_such_article(article_id: str, nearest: tuple[str, ...]) -> str:
    if not article_id:
        return "Give the id of an article. `/sources` lists them."
    meant = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
    return f"There is no article “{article_id[:80]}”.{meant} `/sources` lists them."


def names_line(names: tuple[str, ...], most: int) -> str:
    return f"Names in it: {', '.join(names[:most])}{' …' if len(names) > most else ''}." if names else ""


def no_such_form(form: str, forms: tuple[str, ...]) -> str:
    return f"A quotation can be copied as {', '.join(forms)}; not as “{form[:40]}”."


def newest_sentences(number: int, name: str, *, at_least: bool = False) -> str:
    return f"The newest of {'at least ' if at_least else ''}{count(number, 'sentence')}; `/said {name}` shows them all."


def described_as(roles: Iterable[str]) -> str:
    alike = {role.casefold().replace("’", "'"): role for role in roles}
    return f"Described as {quoted_list(alike.values())}."


def often(number: int, counts: tuple[tuple[str, int], ...], bars: str, *, sure: bool) -> str:
    each = "year" if len(counts[0][0]) == 4 else "month"  # noqa: PLR2004 - digits of a year
    most = max(articles for _, articles in counts)
    articles = count(number, "article") if sure else f"At most {count(number, 'article')}, with all words in a sentence"
    if len(counts) == 1:
        return f"{articles}, in {date.fromisoformat(f'{counts[0][0]}-01'):%B %Y} alone."  # years never stand alone
    return f"{articles}: {counts[0][0]} {bars} {counts[-1][0]} (most in a {each}: {most:,})"


def whom_quoted(articles: int, undated: int) -> str:
    left_out = f" (without {count(undated, 'undated article')})" if undated else ""
    return f"Whom {count(articles, 'article')} quote{'s' if articles == 1 else ''}{left_out}"


def share(number: int, of: int, what: str) -> str:
    return f"{what}: {number:,} of {count(of, 'sentence')} ({100 * number / of:.0f} %)."


def quoted_line(name: str, sentences: int, articles: int, direct: int, paraphrased: int) -> str:
    many = f"{count(sentences, 'sentence')} in {count(articles, 'article')}"
    return f"{name}: {many} (direct {direct:,}, paraphrased {paraphrased:,})"


def corrected_elsewhere(number: int) -> str:
    other = "1 sentence in another article" if number == 1 else f"{number} sentences in other articles"
    return f"An article was corrected. {other} may need the same correction: ask for “corrections”."


def proofed(words: int, quotations: int, findings: int) -> str:
    wrong = count(findings, "thing") if findings else "nothing"
    return f"{count(words, 'word')} and {count(quotations, 'quotation')} checked: {wrong} to check."
