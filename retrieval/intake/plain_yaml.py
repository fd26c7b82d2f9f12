"""The front matter's YAML: plain values, and nothing that stands for something else."""

from __future__ import annotations

import yaml


class PlainLoader(yaml.SafeLoader):
    """A safe loader that takes no alias: a few of them, each of ten of the one before, make millions of values."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse an alias where a value is expected; ``ComposerError`` says so."""
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs leave it out
            raise yaml.composer.ComposerError(None, None, "an alias, which is not read here", event.start_mark)
        return super().compose_node(parent, index)
