"""Discord: its wire, and its two drawings, components and embeds. No other package knows its SDK."""
