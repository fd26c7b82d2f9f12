"""What governs a part of a sentence: the part is between brackets, and what is to be shown of what governs it."""

from __future__ import annotations

import pytest

from bot.commands.governing import governor
from bot.model import ContextKind

GOVERNED = (
    (ContextKind.DENIED, "“It is a lie that [we knew of the crack in March],” said Osei.", "It is a lie that"),
    (ContextKind.DENIED, "“I would be lying if I said [the fund is healthy],” she said.", "I would be lying if I said"),
    (ContextKind.DENIED, "The clerk denied that [he had opened the sealed boxes].", "The clerk denied that"),
    (ContextKind.DENIED, "“The owner isn't [allowed to close the quarry],” Lang said.", "The owner isn't"),
    (ContextKind.DENIED, "They found no evidence that [the rope had been cut].", "They found no evidence that"),
    (ContextKind.DENIED, "Anyone who says [we took the harvest money] is a fool.", "Anyone who says"),
    (ContextKind.DENIED, "The board refused to [publish the names of its members].", "The board refused to"),
    (ContextKind.DENIED, "A guard stopped them from [entering the flooded hall].", "A guard stopped them from"),
    (ContextKind.DENIED, "No witness came forward to say [the car was stolen].", "No witness came forward to say"),
    (ContextKind.DENIED, "“I'd love to tell you [we found her alive],” he said.", "I'd love to tell you"),
    (ContextKind.DENIED, "The council voted down a motion that [the statue be moved].", "voted down a motion that"),
    (ContextKind.DENIED, "It is hard to see how [the plan can survive a vote].", "It is hard to see how"),
    (ContextKind.CONDITIONAL, "“If he wins,” she said, “[half of us will leave the party].”", "If he wins"),
    (ContextKind.QUESTIONED, "Nobody has asked whether [the engine was ever tested].", "Nobody has asked whether"),
    (ContextKind.CONDITIONAL, "“Unless it rains,” Vey said, “[the wells will be dry by May].”", "Unless it rains"),
    (ContextKind.WISHED, "The islanders hope that [the ferry will run again in June].", "The islanders hope that"),
    (ContextKind.FEARED, "Residents fear [the new owners will double the rents].", "Residents fear"),
    (ContextKind.PLANNED, "The council plans to [sell the old bathhouse next year].", "The council plans to"),
    (ContextKind.DOUBTED, "The painting may [have been cut from a larger one].", "The painting may"),
    (ContextKind.REPORTED, "They accused the firm of [dumping ash in the lake].", "They accused the firm of"),
    (ContextKind.REPORTED, "Critics say [the mayor treats the museum as his own].", "Critics say"),
    (ContextKind.LIMITED, "[The strike will end on Sunday night], but only if the members agree.", "but only"),
    (ContextKind.DENIED, "The clerk denied that the old mayor [had opened the boxes].", "The clerk denied that"),
    (ContextKind.DENIED, "No evidence has emerged of [a link between firm and fire].", "No evidence has emerged of"),
    (ContextKind.DENIED, "The union never accepted the claim that [the crane was safe].", "never accepted the claim"),
    (ContextKind.DENIED, "It is not the case that [we hid the bill from you].", "It is not the case that"),
    (ContextKind.DENIED, "Nobody who knows him would say [he stole the fund].", "Nobody who knows him would say"),
    (ContextKind.DENIED, "A clip that was altered shows Renn saying: “[We burn it all].”", "altered shows Renn saying"),
    (ContextKind.DENIED, "They want you to believe that [the well was always clean].", "want you to believe that"),
    (ContextKind.DENIED, "The ferry was supposed to [run every hour until midnight].", "was supposed to"),
    (ContextKind.REPORTED, "The clerk, it is alleged, [took nine crowns from the chest].", "it is alleged"),
    (ContextKind.LIMITED, "[The council knew of the crack in March], critics say.", "critics say"),
    (ContextKind.FEARED, "Growers are worried about [losing the harvest to the frost].", "Growers are worried about"),
    (ContextKind.DENIED, "Vey denied, in a long letter, that [he had sold the lamps twice].", "Vey denied"),
    (ContextKind.DENIED, "A post falsely claims that the mayor said: “[Voters are all sheep].”", "falsely claims"),
    (ContextKind.DENIED, "The letter did not mention [any plan to close the northern pier].", "did not mention"),
    (ContextKind.DENIED, "Vey dismissed, however, [any idea of a second ferry].", "Vey dismissed"),
    (ContextKind.DENIED, "He refused to open the gate and [the wicket beside it].", "He refused to open the gate and"),
    (ContextKind.CONDITIONAL, "“Pay us by Friday or [we will tear up the lease],” she wrote.", "us by Friday or"),
    (ContextKind.CONDITIONAL, "Either the clerk lied or [the seal had been broken twice].", "Either the clerk lied or"),
    (
        ContextKind.CONDITIONAL,
        'If the U.S. buyer pays, Mr. Osei said, "then [the yard will live]."',
        "If the U.S. buyer pays",
    ),
    (ContextKind.CONDITIONAL, "If it rains, we lose, but [we could still break even].", "If it rains"),
    (ContextKind.DOUBTED, "Perhaps [the pilot had never seen the second light].", "Perhaps"),
    (ContextKind.REPORTED, "To his critics, [the mayor treats the museum as his own].", "To his critics"),
    (ContextKind.CONDITIONAL, "In a fairer world, [the crew would own the boat].", "In a fairer world"),
    (ContextKind.LIMITED, "[The wells stay open], provided that the rain comes.", "provided that"),
    (ContextKind.LIMITED, "[The ferry sails every day], but not on Sundays.", "but not on"),
    (ContextKind.LIMITED, "“[The ferry sails every day], I hope,” she said.", "I hope"),
    (ContextKind.LIMITED, "[The wells belong to everybody], at least on paper.", "at least on paper"),
    (ContextKind.LIMITED, "[The board can't sell the pier] without a vote of the islanders.", "without"),
    (ContextKind.DENIED, "The last thing the crew wants is to [go back to the old yard].", "The last thing"),
    (ContextKind.REPORTED, "The paper printed the so-called [secret list of nine lodgers].", "so-called"),
    (
        ContextKind.LIMITED,
        "“People say that [the firm pays no tax], but that is not the case,” he said.",
        "but that is not",
    ),
)


@pytest.mark.parametrize(("kind", "marked", "words"), GOVERNED)
def test_what_turns_or_limits_a_part_is_found_and_shown(kind: ContextKind, marked: str, words: str) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    sentence = marked.replace("[", "").replace("]", "")
    found = governor(sentence, start, end)
    assert found
    assert found.kind is kind
    assert words in sentence[found.start : found.end]


@pytest.mark.parametrize(
    "marked",
    [
        "“We knew that [the crack was there in March],” said Osei.",
        "The clerk, who had denied it for years, admitted that [he had opened the boxes].",
        "There is no doubt that [the rope had been cut with a knife].",
        "The board was not surprised that [the contractor missed its deadline].",
        "“I don't mind telling you that [I cried when the yard closed],” said Vey.",
        "It is not only the roof, she said; [the walls have been damp for years].",
        "Not until Monday did the board learn that [the rent had been paid twice].",
        "Although nobody was charged, [the police have searched four houses].",
        "“I think [the harbour needs a second light],” the pilot said.",
        "She did not know that [the lamp was still switched on].",
        "The company denies wrongdoing, but [a sample taken in May held arsenic].",
        "“If the bank is right, we are ruined,” said Marta Quill, who [employs sixty people].",
        "“Even if the threat is empty, we suffer,” says Loyce Pell, [the head of the island's health council].",
        "[Bachelors ran the whole of the town], once a rare sight.",
        "“[We do not want another winter in these tents],” said the speaker.",
        "[The minister will not stand again in the autumn], he said.",
        "He told the inquiry that [the gate had been open since noon].",
        "Pell denied the story: “[I was at home with my sons that night].”",
        "Renn did say in May: “[The winter was hard on all of us].”",
        "[Why the post is late this year | The Courier]",
        "They were hurt by accusations of theft that [followed them for nine years].",
        "The pump is being used to [drain the cellar of the bank].",
        "He refused to answer and [left the hall by the side door].",
        "Once I set the wheel turning, [the whole mill began to shake].",
        "She has never been afraid to [tell the board what it got wrong].",
        "There were so many complaints that [the council closed the road].",
        "The Courier reports that [the mill will shut in June].",
        "The three men, who were held in a hut, had been [brought there by the first boat].",
        "Traders are worried about [the price of salt in the north].",
        "[The lamp was on all night], they said. “Who,” she asked, “pays for it?”",
        "It was not clear why [the alarm had been switched off].",
        "They had [had their boats taken from them in the war].",
        "The council decided not to appeal and [its lawyers have closed the file].",
        "They only want to go home and [they do not want to be asked about it].",
        "Growers feared that the frost could return and [said the vines had been covered].",
        "Even if the bank is wrong, [it has the law on its side].",
        "If it rains, we lose, but [we have a good roof].",
        "“If it is late, the shop has shut, [so we buy our bread the day before],” she said.",
        "If one thing is clear, it is that [the pump was never tested].",
        "The gate, if I recall, [was painted green that spring].",
        "Perhaps most tellingly, [the log had no page for Sunday].",
        "Perhaps to calm the crew, [the captain served supper early].",
        "To their credit, [the guards stayed at the door all night].",
        "To some extent, [the quarrel is about the price of ice].",
        "In a town of nine streets, [everybody knew the baker].",
        "“If he wins,” said Marta Quill, who [runs the lamp shop].",
        "He had no boat, had not been at sea, and [had always lived above the bakery].",
        "It is outrageous that [we pay twice for one road].",
        "It is no accident that [the two firms share a door].",
        "There is every reason to believe [the rope had been cut].",
        "There is no doubt in anybody's mind that [the ledger was burned].",
        "It never fails to [amuse me how late the post comes].",
        "We hope they understand that [the ice has broken up].",
        "They were not sure [how many boats had come in].",
        "Wardens fear a thief made the traps that [have killed nine seals].",
        "It is certain beyond any reasonable doubt that the brig sank and that [nobody swam ashore].",
        "People on the quay said [the bell rang at noon].",
        "[The council has mended the roof and the stairs], providing new lamps for both halls.",
        "[The guards carried sticks] but not guns.",
        "[He left the hall by the side door] without a word.",
        "[At least nine ships have been searched], but only two were held.",
        "[He came home for his sister's wedding], only for the church to flood.",
        "[The harbour is too small for the new ferries], a view shared by the pilots.",
    ],
)
def test_near_words_that_govern_something_else_are_left_alone(marked: str) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    assert governor(marked.replace("[", "").replace("]", ""), start, end) is None
