"""Articles that a page must show and never obey: own prose, with what attackers put into copy."""

from __future__ import annotations

from retrieval.model import Article

SCRIPT = "<script>document.title='taken'</script>"
WORD = "w" * 40_000

MARKUP = Article(
    id="mark/up & <b>.txt",
    title=f"A title with {SCRIPT} in it",
    url="javascript:document.title='taken'",
    source="\" onmouseover=\"document.title='taken'",
    author="<img src=x onerror=document.title='taken'>",
    text=(
        f"The harbour master said the pier {SCRIPT} would stay shut. "
        "“<img src=x onerror=\"document.title='taken'\"> is what I saw,” said Ida </p></li></article> Holm.\n\n"
        "<a href=\"javascript:document.title='taken'\">The crew</a> left at noon {{ 7 * 7 }} {% raw %} &amp; &#60;.\n\n"
        "The accounts </style><script>document.title='taken'</script> could not be independently verified."
    ),
)
TURNED = Article(
    id="turned.txt",
    title="Turned \u202eround",
    text="The council said \u202etfel ot thgir\u202c was the way out. A \x00 bell \x07 rang \x1b[31m in red today.",
)
LONG = Article(id="long.txt", text=f"The clerk read out {WORD} to the room. Nobody in the room objected to that.")
HOSTILE = (MARKUP, TURNED, LONG)
