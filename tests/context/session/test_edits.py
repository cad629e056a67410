"""What a plan asks for, and what it has shortened."""

from octochat.context.session.edits import NoteRequest, PromptTrim, ResultTrim
from octochat.context.session.events import Condensed


def test_a_model_writes_half_of_a_note_and_all_of_a_paragraph() -> None:
    assert NoteRequest(2, 9, 3_001).answer == 1_500
    assert NoteRequest(2, 9, 3_001, style="paragraph").answer == 3_001


def test_results_in_the_text_of_prompts_count_among_those_that_were_shortened() -> None:
    trims = (ResultTrim("a", "x"), PromptTrim(4, "y", results=3), PromptTrim(5, "z"))
    assert Condensed("x", "so", 9, 8, trims=trims).results_shortened == 4
