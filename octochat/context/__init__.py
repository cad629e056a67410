"""The pure heart: what a session is, what the model gets to see of it, and what may be left out.

No I/O, no clock, no asyncio, nothing but the standard library: whatever is here can be tried out
with values alone. docs/architecture.md tells how it goes round:

    log -> entries -> replay -> State -> strategy.decide -> Plan -> commit -> Condensed -> log

- `session/`: what can happen (`events`), the state it leads to (`state`, `ledger`), and what the
  model is shown (`view`; `validity` says what the API would refuse). `edits` has the words for
  changing a view.
- `strategies/`: who decides what to leave out, one file each, found by their place; `pressure` is
  the one that this program is for.
- `plans/`: what a strategy looks at and answers (`situation`, `strategy`, `folding`); what a fold
  covers (`ranges`), and where a plan is measured and becomes an event or is
  refused (`commit`); what gives way when a request must fit (`ladder`).
- `economics/`: prices, and whether an edit pays.
- `notes/`: what takes the place of a folded part. The originals stay in the log.
- `codec/`: values to and from plain data.

To begin reading: `session/events`, `session/state`, `session/view`, `plans/strategy`,
`strategies/pressure`, `plans/commit`. An hour goes a long way.
"""
