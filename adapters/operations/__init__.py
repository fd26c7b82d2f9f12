"""What whoever keeps the machine needs to see: figures, health, logs."""
