"""Who counts as a newsroom: agencies, papers, broadcasters and sites by name, and the words their names are made of.

A closed class kept by hand. Names stand without "The"; how one is told in a sentence is the business of ``outlets``.
"""

from __future__ import annotations

from retrieval.tables import listed


def _names(block: str) -> frozenset[str]:
    return frozenset(name.strip() for name in " ".join(block.split()).split(","))


AGENCIES = _names("""
    Reuters, Thomson Reuters, Associated Press, AP, Agence France-Presse, Agence France Presse, AFP, Bloomberg,
    Bloomberg News, Press Association, PA, PA Media, United Press International, UPI, dpa, DPA, EFE, ANSA, Xinhua,
    TASS, Tass, Interfax, RIA, RIA Novosti, Ukrinform, UNIAN, Kyodo, Kyodo News, Jiji Press, Yonhap, Anadolu,
    Anadolu Agency, SANA, WAFA, IRNA, Fars, Tasnim, ISNA, KCNA, Belga, ANP, Ritzau, NTB, TT, APA, PTI, Press Trust of
    India, ANI, IANS, Antara, Bernama, Canadian Press, Australian Associated Press, AAP, Storyful, Tolo,
    Pajhwok
""")

PAPERS = _names("""
    New York Times, NYT, Times of London, Times of India, Times of Israel, Sunday Times, Los Angeles Times, LA
    Times, Financial Times, FT, Irish Times, Moscow Times, Kyiv Independent, Kyiv Post, Washington Post, WaPo,
    Daily Telegraph, Sunday Telegraph, Daily Mail, MailOnline, Mail on Sunday, Daily Mirror, Sunday Mirror, Daily
    Express, Evening Standard, Daily Beast, Wall Street Journal, WSJ, USA TODAY, USA Today, Chicago Tribune,
    Boston Globe, Globe and Mail, Toronto Star, National Post, Philadelphia Inquirer, Miami Herald, Houston
    Chronicle, San Francisco Chronicle, Dallas Morning News, Denver Post, Seattle Times, Star Tribune, Plain
    Dealer, Virginian-Pilot, Times-Picayune, Arizona Republic, Sacramento Bee, Baltimore Sun, Detroit Free Press,
    Christian Science Monitor, Epoch Times, Sydney Morning Herald, Hindustan Times, Indian Express, Deccan Herald,
    South China Morning Post, SCMP, Global Times, People's Daily, Straits Times, Japan Times, Asahi Shimbun,
    Yomiuri Shimbun, Jerusalem Post, Haaretz, Yedioth Ahronoth, Le Monde, Le Figaro, Libération, Der Spiegel,
    Spiegel, Die Zeit, Die Welt, Bild, Süddeutsche Zeitung, Frankfurter Allgemeine Zeitung, El País, El Mundo, La
    Repubblica, Corriere della Sera, La Stampa, Izvestia, Kommersant, Novaya Gazeta, Asharq al-Awsat, Al-Ahram,
    Daily Sabah, Hürriyet, Daily Maverick, Oregonian, Tennessean, Mail & Guardian, Scotsman, Sunday World
""")

BROADCASTERS = _names("""
    BBC, BBC News, BBC Verify, BBC Monitoring, BBC Arabic, ITV, ITV News, Channel 4 News, Sky, Sky News, CNN,
    MSNBC, NBC, NBC News, ABC, ABC News, CBS, CBS News, Fox, Fox News, NPR, PBS, PBS NewsHour, C-SPAN, MPR News,
    CNBC, Newsmax, Al Jazeera, Al-Jazeera, Al Arabiya, Al-Arabiya, Al Mayadeen, Sky News Arabia, DW, Deutsche
    Welle, France 24, RFI, RTÉ, RTE, ARD, ZDF, CBC, CBC News, CTV News, Global News, NHK, NDTV, CGTN, CCTV, TRT,
    TRT World, Euronews, RT, Press TV, VOA, Voice of America, Radio Free Europe, RFE/RL, Radio Liberty, Radio Free
    Europe/Radio Liberty, Radio Free Asia, RFA, Channel 12, Channel 13, TVNZ, SABC, RAI, RTVE, SBS, SBS News
""")

SITES = _names("""
    BuzzFeed, BuzzFeed News, HuffPost, Huffington Post, Politico, POLITICO, Axios, Vox, ProPublica, VICE, VICE
    News, Slate, Business Insider, Daily Caller, Breitbart, Breitbart News, Mother Jones, New Yorker, TIME,
    Newsweek, Forbes, National Review, New Republic, Rolling Stone, Bellingcat, Meduza, Semafor, Rappler, Middle
    East Eye, Foreign Policy, TMZ, WIRED, TechCrunch, Ars Technica, Motherboard, Gizmodo, Snopes, PolitiFact,
    Washington Examiner, Washington Free Beacon, Washington Times, Drop Site News, 404 Media, Mediazona
""")

NAMES = AGENCIES | PAPERS | BROADCASTERS | SITES

# By itself, with "The" before it, each of these is a paper.
SHORT = listed("""
    Times Post Journal Star Tribune Herald Gazette Chronicle Courier Telegraph Dispatch Examiner Inquirer Sentinel
    Mail Globe Sun Express Standard Mirror Record Register Echo Argus Bee Advertiser Mercury News Observer
    Independent Guardian Scotsman Age Australian Hindu Nation Punch Vanguard Hill Atlantic Economist Intercept
    Verge Insider Conversation Onion Oregonian Tennessean
""")

# A capitalised name that ends so is a newsroom's, whoever it is; "Press" and "Mail" by themselves are not.
SHAPES = listed("""
    News Times Post Tribune Gazette Herald Chronicle Courier Telegraph Dispatch Examiner Inquirer Enquirer
    Sentinel Journal Shimbun Zeitung Gazeta Newspaper Newspapers Broadcasting TV Television Newswire
    Journal-Constitution Picayune
""")

SHAPE_PAIRS = frozenset(
    (
        *("news agency", "press agency", "news service", "news network", "news channel", "free press"),
        *("morning news", "evening news", "broadcasting corporation", "broadcasting service", "wire service"),
        *("press association", "daily news", "daily mail"),
    )
)

# What a newsroom is called when it is not named.
COMMON = listed("""
    newspaper newspapers paper broadcaster broadcasters channel network newsroom magazine outlet outlets
    publication publications website tabloid media press programme
""")

# Those who work for one; their inability is the newsroom's.
STAFF = listed("""
    journalist journalists reporter reporters correspondent correspondents newsmen photographer photographers
    media newsrooms fact-checkers
""")
