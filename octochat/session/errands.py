"""Prompts that octochat writes for a person: what `/review` and `/init` ask the model to do."""

UNCOMMITTED = (
    "the uncommitted change of this repository: `git status`, `git diff HEAD`, and the files that "
    "are new to git"
)


def review_request(about: str) -> str:
    """What to review: a branch, a commit, or words that say it; empty: what is not committed."""
    what = UNCOMMITTED
    if about:
        what = (
            f"this: {about}\nIf git knows it as a branch, review what it changes since it left the "
            "main branch; if as a commit or a range, what that changes"
        )
    return (
        f"Review {what}.\n\n"
        "Read the change and as much of the code around it as it takes to judge it, and run the "
        "tests if that is quick. Change nothing. Tell me what is wrong or risky, the worst first: "
        "file and line, what goes wrong and when, and how to fix it. Leave out taste. At the "
        "end say what you did not check. If nothing is wrong, say so."
    )


def init_request(existing: str) -> str:
    """`existing`: the file with instructions that there is; empty: none."""
    if existing:
        task = (
            f"Improve {existing}, which tells coding agents what they must know of this project. "
            "Check what it says against the project; keep what is right, correct what is wrong, "
            "add what is missing. Edit it; do not write it anew."
        )
    else:
        task = "Write AGENTS.md, which tells coding agents what they must know of this project."
    return (
        f"{task}\n\nLook around first: the README, build files, checks that run on each change, "
        "tests, the layout, some of the source. In it belong the commands to set up, run, test "
        "(one test, too) and lint, taken from files or tried; the layout in a few lines; the "
        "conventions that the code really follows; what goes wrong easily. At most 60 lines, "
        "nothing that holds for every project, nothing you only guess."
    )
