"""An export of WordPress, as it writes one: our own posts, one or many."""

from __future__ import annotations

from xml.sax.saxutils import escape

GOOD = "The ferry sank off Zoltberg on Friday."
HEAD = """<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.4" created="2021-05-09 08:00" -->
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"
 xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:seo="https://plugin.example/seo">
<channel><title>The Pellmarsh Herald</title><link>https://herald.example</link>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_login><![CDATA[aroe]]></wp:author_login>
<wp:author_display_name><![CDATA[Anna Roe]]></wp:author_display_name></wp:author>
"""
FOOT = "</channel></rss>\n"


def post(body: str = f"<p>{GOOD}</p>", **changed: str) -> str:
    """Return a post of an export, as WordPress writes it."""
    told = {
        "title": "Ferry &#038; quay",
        "link": "https://herald.example/ferry",
        "pubDate": "Sun, 09 May 2021 23:30:00 +0000",
        "dc:creator": "aroe",
        "wp:post_id": "7",
        "wp:post_date": "2021-05-10 00:30:00",
        "wp:post_type": "post",
        "wp:status": "publish",
        "wp:post_password": "",
        "seo:title": "Something else",
        **changed,
    }
    fields = "".join(f"<{name}>{escape(words)}</{name}>" for name, words in told.items())
    return f"<item>{fields}<content:encoded><![CDATA[{body}]]></content:encoded></item>\n"
