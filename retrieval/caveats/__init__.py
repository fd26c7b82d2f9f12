"""An article read so far -> the outlet's own caveats, and what each covers."""
