"""How good the answers are: golden questions, grades, scores."""
