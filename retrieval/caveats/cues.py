"""The words by which outlets say what they could not verify: ``cues.toml``."""

from retrieval.lexicon.word_classes import WordSets

cues = WordSets(__package__)

# An article, or a sentence, without any of these holds no trigger; looked for before anything is parsed.
STEMS = (
    *"verif confirm corroborat authentic substantiat geolocat independently vouch veracity determine".split(),
    *"establish ascertain accuracy truth genuine".split(),
    *("not seen", "not viewed", "not reviewed", "n't seen", "n’t seen"),
)
