"""A person or a program in the model's place: requests and answers are files in a folder."""
