"""The English names and descriptions of commands -> those that Discord shows in another language.

A file ``locales/CODE.toml`` for each language, ``CODE`` as Discord has it; what it lacks stays English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import discord
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, Translator, locale_str

from retrieval import read_toml

_DESCRIBING = (TranslationContextLocation.command_description, TranslationContextLocation.parameter_description)


@cache
def translations(locale: str) -> Mapping[str, Mapping[str, str]]:
    """Return ``names`` and ``descriptions`` by the English; nothing where there is no file for ``locale``."""
    file = files("adapters.discord").joinpath("locales", f"{locale}.toml")
    told = read_toml(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {part: words for part, words in told.items() if isinstance(words, dict)}


class Localization(Translator):
    """Gives discord.py the words of a language."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a name or a description in a language; ``None`` where it stays English."""
        part = "descriptions" if context.location in _DESCRIBING else "names"
        return translations(locale.value).get(part, {}).get(string.message)
