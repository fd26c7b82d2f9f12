"""What Slack and Discord share: requests, the inbox that answers them, and what runs beside it."""
