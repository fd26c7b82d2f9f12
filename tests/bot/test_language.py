"""A question in another language is told so in that language, and one in English never is."""

from __future__ import annotations

import pytest

from bot.small_talk import other_language_reply

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


@pytest.mark.parametrize("question", TOLD)
def test_another_language_is_told_so(question: str) -> None:
    told = other_language_reply(question)
    assert told
    assert told.startswith(TOLD[question])


@pytest.mark.parametrize("question", ENGLISH)
def test_english_is_not_taken_for_another_language(question: str) -> None:
    assert other_language_reply(question) is None
