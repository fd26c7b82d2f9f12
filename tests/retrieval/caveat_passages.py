"""Passages of our own: what an editor would say that a caveat covers.

A line begins with "+" where the sentence is covered, "-" where it must not be, "=" where it holds the caveat.
An empty line parts two paragraphs.
"""

from __future__ import annotations

PASSAGES = {
    "accounts: the residents' block back to its opener": """
        - Governor Ilda Marrow said the harbour would reopen within a week.
        - The dredging company's chairman, Per Olsson, called the plan "long overdue".
        + Residents of the upper town told the Courier that the siren had never sounded.
        + Jonas Feld, 61, said the water reached his windows before anyone knocked.
        + "We climbed onto the roof with the dog," he said.
        + His neighbour Ada Brook said she saw two boats carried away.
        = The accounts could not be independently verified.
        - A reporter for the Courier saw the broken gate on Sunday.
        - The dam was built in 1931.
    """,
    "claims: every claim by that party since the start, not reactions, not background": """
        + Harbour union leaders say the company falsified safety logs.
        - The transport minister condemned the dispute and urged both sides to talk.
        - The port handles a third of the country's grain.
        + The union said in a leaflet that two cranes had never been inspected.
        + It also said managers had ordered staff to sign blank forms.
        = The Gazette has not verified the claims.
        - The company's director, Lena Voss, said talks would resume on Monday.
    """,
    "claims: a country's officials and its ministry are one party, whoever speaks between": """
        + Varnian officials say they have found a cache of stolen icons in a barn near the border.

        + The Varnian culture ministry published photographs of the barn and alleged that a smuggling ring had used it.

        - Neighbouring states have condemned the thefts and promised to search lorries.

        - Churches in the valley were looted throughout the winter.

        + "The ring moved forty icons a week through this building," the culture ministry said in a post.

        + It also shared a list of buyers who it says paid in gold.

        = The Lantern Times has not verified the claims.

        - President Osk Varga visited the valley on Tuesday and said the thefts had hurt the talks.
    """,
    "allegations: a council and its members, with the firm's answer between": """
        + Councillors in Dunmere say the waterworks hid test results for a year.

        + The council's health committee wrote that lead had been found in nine schools.

        - The waterworks called the letter unfair and said it would answer in court.

        - The town has drawn its water from the reservoir since 1902.

        + Dunmere council said two engineers had been told to change the figures.

        = The Dunmere Post could not verify the allegations.
    """,
    "claims: the party's spokesman again after two paragraphs of others": """
        - The strait reopened to shipping on Thursday.

        + Rebel commanders said they had captured a supply depot outside Halme.

        - Oil prices rose by two per cent.

        - A shipping insurer said premiums would not fall before spring.

        + A rebel spokesman said the depot held fuel for three months.

        + He added that its garrison had fled.

        = The claims could not be independently verified.

        - The army did not reply to a request for comment.
    """,
    "this: the nearest claim only": """
        - The ferry sails twice a day.
        - Captain Rolf Anders said the weather had been calm.
        - The mayor, Tove Lind, said the inquiry would be short.
        + A crew member, Mats Ek, said the alarm had been switched off.
        = This could not be immediately confirmed.
        - The inquiry opens on Tuesday.
    """,
    "the claim, with an own-voice sentence between": """
        + The rebel group said it had taken the radio station.
        - The station lies on a hill above the town.
        = The claim could not be independently verified.
        - The army's spokesman, Colonel Ansa Diop, said the road was open.
    """,
    "figures: only numbers, not the rest": """
        + The opposition said 340 people had been detained.
        - It said the police had behaved shamefully.
        = The figure could not be independently verified.
        - Parliament meets again in May.
    """,
    "figures of both sides": """
        + The army said it had killed 60 fighters.
        + The front said 25 soldiers had died.
        = The BBC could not verify the figures from either side.
        - The war began in 2009.
    """,
    "video: what tells of it before and after": """
        - The bridge has been closed since March.
        + A video posted online on Friday shows a crane toppling onto the quay.
        + It shows two men running.
        = Reuters could not verify the video.
        - The quay belongs to the city.
    """,
    "video: quoted after": """
        + A letter attributed to the bishop was published on Monday.
        = The authenticity of the letter could not be verified.
        + "I leave with a heavy heart," the letter reads.
        - The diocese has forty parishes.
    """,
    "inline: only its own sentence": """
        - The company said it would appeal.
        + Former staff said the books were burned, a claim the Herald could not verify.
        - The company's lawyer, Ines Roth, said the books were intact.
    """,
    "inline in the middle of a quotation": """
        + “We were told to wait.
        + Nobody came for us,” a woman says in the recording, which could not be authenticated.
        - The recording ran on state radio.
    """,
    "unverified footage": """
        - The mill burned on Thursday night.
        + Unverified footage shows sparks rising from the roof.
        - The mill's owner, Karl Brandt, said nobody was hurt.
    """,
    "observed sentences never": """
        - Reporters for AFP saw nine burned houses in the village.
        = It was not possible to verify the toll.
        - The village has a school.
    """,
    "denial between": """
        + The union said the foreman had struck a worker.
        - The foreman denied striking anyone.
        = The allegation could not be independently verified.
        - A hearing is set for June.
    """,
    "a named report, wherever it is named": """
        + The Lantern Post reported that the bank hid its losses for years.
        - The bank's chief executive, Paul Renner, said the bank was sound.
        = The Courier has not confirmed the Lantern Post report.
        - Shares fell by four percent.
    """,
    "standing: a notice": """
        - Fighting went on near the salt works, the army said.
        = Foreign reporters are barred from the region and casualty figures cannot be independently verified.
        - The salt works employed 300 people.
    """,
    "no antecedent: a notice": """
        - The museum opened in 1904.
        - Its hall holds two thousand coins.
        = CNN could not independently confirm the details of the sisters' departure.
    """,
    "heading is a barrier": """
        - The militia said it held the north bank.

        - A quiet winter

        + The council said the south bank was flooded.

        = The report could not be confirmed.
    """,
    "an earlier caveat is a barrier": """
        + The militia said it held the north bank.
        = The claim could not be verified.
        + The council said the south bank was flooded.
        = That claim could not be verified either.
    """,
    "owned: only that speaker's": """
        - Mayor Dana Holt said the fire began in the kitchen.
        + Tenant Luis Prado said the exits were chained shut.
        - Ms Holt said the inquiry would be public.
        = Mr Prado's account could not be independently confirmed.
    """,
    "owned by an institution": """
        + The health ministry said 41 patients had been moved.
        - The nurses' union said the wards were full.
        = The ministry's figures could not be independently verified.
    """,
    "either woman: two speakers, and no further than the denial": """
        - Mr Kessler has denied the allegations and called them a plot.
        + Rosa Blum told the Lantern Post that Mr Kessler followed her home.
        + Blum said she had told nobody.
        + Another former clerk, Vera Stein, said he had threatened to dismiss her.
        + "He said I would never work again," Stein said.
        = Reuters was unable to verify the allegations from either woman.
        - Four other women have sued the firm.
    """,
    "same sentence, then but": """
        - The strait is nine miles wide.
        + The admiral said three boats had been sunk, but this could not be independently verified.
        - The navy has eleven boats.
    """,
    "two media sources": """
        + The Morning Ledger said the minister had met the banker twice.
        + The Evening Star also reported that money changed hands.
        = The BBC has been unable to verify these claims.
        - But party officials told the BBC that the two men were old friends.
        - The minister took office in 2019.
    """,
    "witness narrates on": """
        + A shepherd, Omar Said, said soldiers came at dawn.
        + They took his brother and two mules.
        = His story could not be independently verified.
    """,
    "an office on another matter ends the claims": """
        - The finance minister, Bo Lindt, said the budget would pass in March.
        + Prisoners' families said guards had burned letters.
        + They said visits had been refused for weeks.
        = The claims could not be independently verified.
        - The prison was built for 200 inmates.
    """,
    "some of the accounts": """
        + Villagers said soldiers had taken their cattle.
        = Some of the accounts could not be verified.
        - The village has one well.
    """,
    "either toll: the two that were given": """
        - The lifeboat crew said the barge carried nine people.
        + The harbour master said four people had drowned.
        + A surgeon said six bodies had been brought in.
        = Reuters could not independently confirm either toll.
        - The barge carried gravel.
    """,
    "neither figure": """
        + The union said 900 drivers had stayed at home.
        + The bus company said it was 210.
        = Neither figure could be verified.
        - Buses ran on Sunday.
    """,
    "genuine: the letter that the sentence names": """
        - The abbot said the roof would be mended.
        + A letter, said to be from the abbot, calls the collection “a fig leaf”.
        + The letter, dated 9 June, thanks a builder.
        = The Herald has seen the letter but could not verify that it is genuine.
        - The abbey has nine bells.
    """,
    "when it was filmed": """
        - The pier was built in 1911.
        + A video sent in by a walker shows the pier leaning.
        = The Herald has established where the video was filmed but could not verify when.
        - The mayor said the pier was safe.
    """,
    "where the data came from": """
        - The bank said its vaults were sound.
        + A sample of 300 rows, published on Sunday, holds names and balances.
        = The Herald reviewed the sample and found that some in it exist, but could not verify where the data came from.
        - The bank has 40 branches.
    """,
    "footage described over several sentences": """
        - The market hall burned in 1990.
        + A clip shared by a shopper shows smoke above the hall.
        + In the footage two guards pull a cart away.
        + They wave and run.
        + The clip ends as a bell rings.
        = The footage could not be independently verified.
        - The hall has a glass roof.
    """,
    "their account: not the other party's between": """
        + Two former porters said the lift had been stuck for weeks.
        - The hotel, in a statement, said its lifts were new.
        + The porters said guests had been carried down.
        = Their account could not be corroborated.
        - The hotel has nine floors.
    """,
    "his account: one man, called something else": """
        - The quarry's owner said the blast had been announced.
        - The fire chief said two men were missing.
        + A driver who was there said no siren had sounded.
        + "I had the window down," said the man, who would not give his name.
        = His account could not be independently verified.
        - The quarry yields slate.
    """,
    "her claims: all of hers, and not his": """
        + The clerk, Ines Roth, said the safe had been emptied twice.
        - The mayor, Bo Lindt, said the safe was full.
        + Roth said the mayor held both keys.
        = Her claims could not be verified.
        - The safe was made in 1920.
    """,
    "another paper's own words, that it could not verify": """
        - The Herald reported that the club had offered three million.
        + Another paper, the Evening Echo, put it at five million, though it said it had not been able to verify this.
        - The club has a new coach.
    """,
    "several figures by several speakers": """
        + The rebels said they had killed 60 soldiers.
        + The army said nine soldiers had been killed.
        = The figures could not be independently verified.
        - Rain fell all day.
    """,
}
