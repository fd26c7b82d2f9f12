"""The desk's shorthand."""

from __future__ import annotations

import pytest

from bot.ask.understand import written_out


def meant(words: str, text: str = "", more: tuple[tuple[str, str], ...] = ()) -> list[str]:
    return [" ".join(full) for _, full in written_out(tuple(words.split()), text or words, more)]


def test_shorthand_is_written_out() -> None:
    assert meant("un chief and the fm") == ["un secretary general", "and", "the", "foreign minister"]


def test_the_askers_words_are_kept_beside_it() -> None:
    assert [short for short, _ in written_out(("un", "chief"), "un chief")] == ["un chief"]


def test_the_newsrooms_own_shorthand_goes_first() -> None:
    assert meant("fm", more=(("fm", "frequency modulation"),)) == ["frequency modulation"]


def test_a_shorthand_of_the_newsrooms_own_may_have_any_number_of_words() -> None:
    more = (("big four bank bosses", "bank chiefs"), ("big four", "banks"))
    assert meant("what did the big four bank bosses say", more=more) == ["what", "did", "the", "bank chiefs", "say"]
    assert meant("big four bank", more=more) == ["banks", "bank"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fires in NY", ["fires", "in", "ny new york"]),
        ("fires in ny", ["fires", "in", "ny"]),
        ("fires IN town", ["fires", "in indiana", "town"]),
        ("FIRES IN TOWN", ["fires", "in", "town"]),
        ("OK to run fires", ["ok", "to", "run", "fires"]),
        ("fires near Tulsa, OK", ["fires", "near", "tulsa", "ok oklahoma"]),
    ],
)
def test_a_states_code_is_its_name_in_capitals_only(text: str, expected: list[str]) -> None:
    assert meant(text.lower().replace(",", ""), text) == expected


WRITTEN = """
    ag: attorney general; amb: ambassador; bn: billion; brit: british; brits: british; capt: captain; civs:
    civilians; civvies: civilians; col: colonel; cops: police; da: district attorney; def min: defence ministry; def
    sec: defence secretary; defmin: defence minister; dem: democrat; dep: deputy; dept: department; dod: department
    of defense; doj: justice department; dr: doctor; ec: european commission; eu: eu european union; fb: facebook;
    fbi: fbi federal bureau of investigation; fin min: finance minister; finmin: finance minister; fm: foreign
    minister; foreign min: foreign minister; foreign sec: foreign secretary; fri: friday; gen: general; gop:
    republican; gov: governor; govt: government; home sec: home secretary; hq: headquarters; hrw: human rights
    watch; icc: icc international criminal court; icj: icj international court of justice; icrc: icrc red cross;
    indy: independent; info: information; insta: instagram; intel: intelligence; iom: iom international organization
    for migration; km: km kilometres; lt: lieutenant; mep: european parliament; mfa: foreign ministry; min:
    minister; mod: defence ministry; mon: monday; msf: msf doctors without borders; nkorea: north korea; nyt: new
    york times; pic: picture; pics: pictures; pix: pictures; pm: prime minister; potus: us president; ppl: people;
    pres: president; presser: press conference; prof: professor; pros gen: prosecutor general; rep: representative;
    scotus: supreme court; sec gen: secretary general; secgen: secretary general; sen: senator; sgt: sergeant;
    skorea: south korea; spokes: spokesman; spox: spokesman; thurs: thursday; tues: tuesday; tv: television; uk: uk
    britain; un: un united nations; un boss: un secretary general; un chief: un secretary general; un sec gen: un
    secretary general; unhcr: unhcr un refugee agency; uni: university; unsc: un security council; us: usa united
    states; usa: usa united states; vid: video; vids: videos; vp: vice president; wapo: washington post; wed:
    wednesday; weds: wednesday; wsj: wall street journal; yr: year; yrs: years
"""


@pytest.mark.parametrize("pair", WRITTEN.split(";"))
def test_every_shorthand_is_what_articles_write(pair: str) -> None:
    short, full = (" ".join(each.split()) for each in pair.split(":"))
    assert meant(f"did {short} resign") == ["did", full, "resign"]


@pytest.mark.parametrize(
    "word",
    """tell told give gave show showed let help remind ask find get for of to with by from among between against behind
    on""".split(),
)
def test_us_is_a_pronoun_behind_a_verb_or_a_preposition(word: str) -> None:
    assert meant(f"{word} us more") == [word, "us", "more"]
    assert meant("did us troops") == ["did", "usa united states", "troops"]


def test_us_is_a_country_unless_it_is_told_something() -> None:
    assert meant("us troops") == ["usa united states", "troops"]
    assert meant("tell us more") == ["tell", "us", "more"]
    assert meant("remind us who") == ["remind", "us", "who"]
    assert meant("can you help us") == ["can", "you", "help", "us"]
