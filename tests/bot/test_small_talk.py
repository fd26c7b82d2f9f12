"""What a line is that somebody wrote: a greeting, thanks, an end, or something that is asked of the articles."""

from __future__ import annotations

import pytest

from bot.small_talk import SmallTalk, may_ask, other_language_reply, says_nothing, small_talk


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((f"Howdy {word}!", SmallTalk.GREETING) for word in ("hi", "good", "team")),
        *((f"{word}.", SmallTalk.THANKS) for word in ("thanks", "perfect", "lol", "yes", "cheers you", "cheers so")),
        *((text, SmallTalk.END) for text in ("Stop.", "stop it", "Be quiet!", "Shut up")),
        *((text, None) for text in ("howdy hi ferry", "thanks ferry", "stop it at Lisbon", "you", "so", "", "!!")),
        *((text, None) for text in ("thanks?", "well", "oh", "none", "please", "night", "ferry")),
    ],
)
def test_a_line_is_small_talk_only_as_a_whole(text: str, kind: SmallTalk | None) -> None:
    assert small_talk(text) is kind


@pytest.mark.parametrize("word", ["who", "how", "may", "and", "name"])
def test_what_opens_a_question_opens_one_without_its_mark(word: str) -> None:
    assert may_ask(f"{word} ferries sank off Lisbon")
    assert not may_ask(f"ferries {word} off Lisbon")
    assert may_ask("ferries sank off Lisbon?")


@pytest.mark.parametrize("word", ["i", "yours", "somebody"])
def test_who_speaks_of_those_around_asks_them(word: str) -> None:
    assert not may_ask(f"what of the ferry did {word} see?")
    assert may_ask("what of the ferry did they see?")
    assert not may_ask("any ferries off Lisbon?")


@pytest.mark.parametrize(
    ("text", "nothing"), [("", True), ("…!", True), ("_ 🎉", True), ("🎉 7", False), ("É!", False)]
)
def test_a_line_without_a_letter_or_a_figure_says_nothing(text: str, *, nothing: bool) -> None:
    assert says_nothing(text) is nothing
    assert not may_ask(text)


TOLD = {
    "Wer hat den Vertrag unterschrieben?": "Ich lese nur Englisch",
    "wie viele Menschen wurden verletzt": "Ich lese nur Englisch",
    "Was sagte der Bürgermeister über die Schule?": "Ich lese nur Englisch",
    "Combien de personnes ont été blessées ?": "Je ne lis que l’anglais",
    "qui a gagné le match": "Je ne lis que l’anglais",
    "¿Quién ganó las elecciones?": "Solo leo inglés",
    "cuantos heridos hubo en el puerto": "Solo leo inglés",
    "Хто підписав угоду у Львові?": "Я читаю лише англійською",
    "скільки людей було поранено": "Я читаю лише англійською",
    "Кто подписал соглашение в Одессе?": "Я читаю только по-английски",
    "сколько человек было ранено": "Я читаю только по-английски",
}
ENGLISH = (
    "who signed the treaty",
    "what does De la Rue print",
    "De la Rue profits",
    "tour de france winner",
    "did the man die in the war",
    "what was the hat made of",
    "casa del sol en el paso",
    "Que Sera Sera",
    "when did Michelle Wie die",
    "who sang La Vie en Rose",
    "Що",
    "",
)


@pytest.mark.parametrize("question", [*TOLD, *ENGLISH])
def test_another_language_is_told_so_and_english_is_none(question: str) -> None:
    assert (other_language_reply(question) or "").startswith(TOLD.get(question, ""))
    assert (other_language_reply(question) is None) is (question in ENGLISH)
