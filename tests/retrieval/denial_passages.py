"""Passages of our own that hold a denial: its line begins with "=", the others with "-"."""

from __future__ import annotations

PASSAGES = {
    "shells and guns": """
        - The market opens at dawn.
        - At least 14 people were killed when shells hit the market, doctors said.
        = The army denied that its guns had fired.
        - The wounded were taken to the coast.
    """,
    "shells and guns, a sentence between": """
        - Rescuers said mortar rounds fell on the bus station and killed six people.
        - The station serves four towns.
        = The brigade denied shelling the town.
    """,
    "a strike on a school": """
        - The health office said an air strike on a school killed nine pupils.
        = Norland's air force denied hitting any school.
        - Classes resume in May.
    """,
    "the accusation, past a reaction": """
        - The widow accused the foundry of hiding the results of the tests.
        - The mayor called for an inquiry.
        = The foundry denied hiding anything.
    """,
    "it": """
        - The trawler sails for Port Wick on Sundays.
        - The crew alleged that the skipper had cut the nets.
        = The skipper denied it.
    """,
    "the allegations": """
        - Three former clerks said the director had struck them.
        - The opera has two hundred employees.
        = The director has denied the allegations.
        - He has led the opera since 2011.
    """,
    "two charges, by their words": """
        - Auditors said the lender had sold the same loan twice.
        - Customers said its managers had bullied them.
        = The lender denied selling any loan twice.
    """,
    "two charges, the other one": """
        - Auditors said the lender had sold the same loan twice.
        - Customers said its managers had bullied them.
        = The lender denied that its managers had bullied anybody.
    """,
    "two parties": """
        - The rebels said the army had burned the mill.
        - The army said the rebels had mined the road.
        = The army denied burning the mill.
    """,
    "two parties, the other one": """
        - The rebels said the army had burned the mill.
        - The army said the rebels had mined the road.
        = The rebels denied laying any mines.
    """,
    "the denial first": """
        = The ferry line denied that the lifeboats had been locked.
        - Passengers had told an inquiry that the lifeboats were locked.
        - The ferry was built in 1998.
    """,
    "something that is told nowhere": """
        - The brewery employs ninety people.
        - Its beer has won prizes.
        = The brewery denied that it was for sale.
        - The town has two breweries.
    """,
    "something else about the same body": """
        - The council was accused of wasting water.
        - The dry spell has lasted nine weeks.
        - Rivers are low.
        - Farmers have sold cattle.
        = The council denied that it had shut the library for good.
    """,
    "a massacre and its staging": """
        - Villagers said soldiers from Sudland had executed eleven men at the quarry.
        - The quarry lies on the border.
        = Sudland called the pictures from the quarry a fake.
    """,
    "responsibility": """
        - A bomb at the railway bridge killed two guards.
        - Trains were turned back.
        = The separatists denied responsibility for the bombing.
    """,
    "a leak": """
        - Residents said the plant had let acid into the river for years.
        - The river feeds three reservoirs.
        = The plant's owner denied that acid had ever reached the river.
    """,
    "a hack": """
        - A group of hackers said it had copied the cards of two million customers.
        = The shop chain denied that any card had been copied.
        - Its shares fell.
    """,
    "votes": """
        - The opposition said ballot boxes had been stuffed in four districts.
        - Turnout was high.
        = The electoral office denied any fraud.
    """,
    "prisoners": """
        - Former inmates said guards had beaten them with cables.
        - The prison was built for six hundred.
        - It holds a thousand.
        = The prisons department denied that inmates were beaten.
    """,
    "a far charge of the same thing": """
        - The miners' union said the company had switched off the gas alarm.
        - The mine opened in 1954.
        - It is nine hundred metres deep.
        - Rescuers have reached the third level.
        - Two men were carried out on Monday.
        = The company denied that the gas alarm had been switched off.
    """,
    "the nearer of two like ones": """
        - In March the port was accused of dumping oil.
        - A court fined it.
        - On Friday fishermen said the port had dumped oil again.
        = The port denied dumping oil on Friday.
    """,
    "hit and struck": """
        - A drone struck the grain store and wounded five workers, the governor said.
        - The store burned until noon.
        = Norland's ministry of defence denied that its drones had been in the air.
    """,
    "a transfer": """
        - The paper reported that the club had bribed a referee.
        = The club denied bribing anybody.
        - It plays on Saturday.
    """,
    "a boss and his workers": """
        - Pickers told the union that they had been paid in vouchers.
        - The season lasts until October.
        = The farm denied paying in vouchers.
    """,
    "no claim of harm near": """
        - The queen opened the bridge.
        - The band played for an hour.
        = The palace denied that the queen was ill.
    """,
    "fire on a crowd": """
        - Marchers said police fired on them at the gate.
        - Nine were taken to hospital.
        = Police denied using live rounds.
    """,
    "a far charge of something else": """
        - Sailors accused the pilot of drinking on the bridge.
        - The ship was built in Port Wick.
        - It carries timber.
        - The harbour is shallow.
        - Ice came late this year.
        = The pilot denied that he had been paid twice.
    """,
    "a far charge of something else, in two sentences": """
        - Nurses said the hospital had hidden eleven deaths.
        - They said charts had been rewritten.
        - The hospital has nine wards.
        - A new wing opens in June.
        - It cost four million.
        - The minister cut a ribbon.
        = The hospital denied that it would close its kitchen.
    """,
    "a far blast": """
        - A blast killed three men at the depot, police said.
        - The depot is fenced.
        - Buses were diverted.
        - Schools stayed open.
        - Rain is forecast.
        = The railway denied that fares would rise.
    """,
    "gunfire at a checkpoint": """
        - The road was opened in spring.
        - Four drivers died when soldiers opened fire at the checkpoint, a witness said.
        = The army denied that its men had fired first.
    """,
    "a rocket on a flat": """
        - A rocket hit a block of flats and killed a family of five, the mayor said.
        - Snow covered the yard.
        = Sudland's general staff denied launching any missile.
    """,
}
