"""``python -m adapters`` is ``stet``."""

from adapters.terminal.cli import main

if __name__ == "__main__":
    main()
