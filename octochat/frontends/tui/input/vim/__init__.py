"""vim's modes over the input: a table of motions and objects, times a table of operators."""
