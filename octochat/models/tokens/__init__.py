"""How many tokens things weigh."""
