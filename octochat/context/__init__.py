"""The pure heart: what a session is, what the model gets to see of it, and what may be left out.

No I/O, no clock, no asyncio, nothing but the standard library: whatever is here can be tried out
with values alone. Seven words carry it.

An *event* (`events.py`) is something that happened: the person spoke, the model replied, a tool
returned, a run of the conversation was condensed. An *entry* is one line of the session's log: an
event with its number, its time and its size in tokens. The log only grows, and it holds edits,
never edited messages; everything else follows from it.

`replay` (`state.py`) folds the entries into the *state*: the view, the active skills, the pins, the
knowledge, what is needed for the cooldown, and the ledger of what was spent (`ledger.py`). The
*view* (`view.py`) is what the model is shown: system prompt, tools, and a row of units
(`units.py`). A unit is a `Prompt`, a `Step` (one reply with the results of the tools it called) or
a `Note`. It never comes apart, so that no call loses its result; `validity.py` says what the API
would refuse.

A *strategy* (`strategies/`) looks at a `Situation` (the state, and what clock, model and price list
say) and answers with a *plan*: fold this run of units into a note, shorten those results. Or it
holds, and says why. `edits.py` has the words for it. `pressure.py` is the one that this program is
for; read its `decide` first, then `ranges.py` (what is folded), `economics.py` (whether it pays)
and `commit.py`, where a plan is measured and becomes a `Condensed` event, or is refused because it
would not shrink anything. So once around:

    log -> entries -> replay -> State -> strategy.decide -> Plan -> commit -> Condensed -> log

The seventh word, the *engine*, stands outside (`octochat/engine.py`, with `condensing.py`): it has
the clock, the model, the tools and the file, asks every strategy once before each request, has
notes written, and appends what came of it. Because an edit is an entry like any other, the same
bytes go out again with every later request (which is what prompt caching wants), and undo, restore,
resume and fork are only other ways to replay the log. When a request must fit, `ladder.py` says
what gives way, step by step.

A note is put together by code: what was asked, sections that a model wrote (or `extractive.py`,
which needs none), knowledge, and an index of files, commands, errors and names (`notes.py`,
`artifacts.py`, `index.py`). The originals stay in the log, and the `recall` tool fetches them.

To begin reading: `events.py`, `state.py`, `view.py`, `strategies/base.py`,
`strategies/pressure.py`, `commit.py`. An hour goes a long way.
"""
