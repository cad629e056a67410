"""Commands about what works on the session: `/model` and `/strategies`."""

import inspect
from collections.abc import Iterator
from dataclasses import asdict

from octochat.commands.base import Command, Report, Saying, Shown, simple
from octochat.context.economics.prices import FREE
from octochat.context.plans.forecast import Switch, forecast, switch
from octochat.context.session.events import ModelChanged
from octochat.models.catalogue import MODELS, ModelInfo, near, uncapped
from octochat.models.port import Notice
from octochat.session.session import Session
from octochat.text.figures import MILLION, dollars, seconds, tokens


async def _model(session: Session, rest: str) -> Saying:
    engine = session.engine
    if not rest:
        yield Report("\n".join(_listing(session)), {"models": _data(session)})
        return
    if rest.split() != [rest]:
        yield Notice("The name of a model is one word; /model shows those that there are.", "error")
        return
    known = session.known(rest)
    if known.name == engine.state.model:
        yield Report(f"You are already using {known.name}.")
        return
    step, before, old = model_switch(session, known), engine.state.context, engine.state.model
    yield engine.append(ModelChanged(known.name, _scale(session, known)))
    if not known.known:
        meant = near(known.name)
        better = f" Did you mean {' or '.join(meant)}?" if meant else ""
        yield Notice(
            f"octochat does not know {known.name} or its prices.{better} /model {old} goes "
            f'back; [models."{known.name}"] in your configuration makes it known.',
            "warning",
        )
    if unpriced := uncapped(known, engine.max_cost):
        yield Notice(unpriced, "warning")
    if session.engine.state.view.units:
        yield Notice(_meaning(known.name, step, before), "information" if step.fits else "warning")


def model_switch(session: Session, to: ModelInfo) -> Switch:
    """What going on with another model means now."""
    return switch(
        session.situation, to.name, to.prices, window=to.window, factor=_scale(session, to)
    )


def _scale(session: Session, to: ModelInfo) -> float:
    """What its tokenizer makes of a token of the session's model."""
    return session.ruler.scale(session.engine.state.model, to.name)


def _meaning(name: str, step: Switch, before: int) -> str:
    """`before`: the context by the other model's tokenizer."""
    size, cost = tokens(step.tokens), dollars(step.cost)
    parts = [f"{name} has nothing in its cache: the next request writes {size} tokens ({cost})."]
    if tokens(before) != size:
        parts.append(f"(Its tokenizer counts {size} tokens, the other one {tokens(before)}.)")
    if step.thoughts:
        parts.append(f"The thinking of {_replies(step.thoughts)} is left out.")
    if not step.fits:
        parts.append("They don't fit its context window, so they are compressed first.")
    return " ".join(parts)


def _replies(number: int) -> str:
    return "1 reply" if number == 1 else f"{number:,} replies"


def offered_models(session: Session) -> tuple[ModelInfo, ...]:
    """The models that are known, those of the configuration and the session's own included."""
    names = [model.name for model in MODELS]
    names += [*session.config.models, session.engine.state.model]
    return tuple(session.known(name) for name in dict.fromkeys(names))


def _listing(session: Session) -> Iterator[str]:
    own = session.engine.state.model
    yield f"The model is {own}. /model NAME changes it."
    seen = forecast(session.situation)
    if seen.cold and seen.left:
        yield (
            f"The next request reads {tokens(seen.tokens)} tokens for {dollars(seen.warm)}; "
            f"once the cache is cold, in {seconds(seen.left)}, {dollars(seen.cold)}."
        )
    elif seen.cold:
        size, cost = tokens(seen.tokens), dollars(seen.cold)
        yield f"The cache is cold: the next request writes {size} tokens anew, for {cost}."
    models = offered_models(session)
    width = max(len(model.name) for model in models)
    yield ""
    yield f"  {'':<{width}} {'in':>5} {'out':>5} {'cached':>6} {'window':>6}  over"
    for model in models:
        mark = "*" if model.name == own else " "
        yield f"{mark} {model.name:<{width}} {_prices(model)}  {_over(session, model)}"
    yield ""
    yield "Dollars per million tokens; over: to switch now, the whole context is written anew."
    lost = max((model_switch(session, m).thoughts for m in models if m.name != own), default=0)
    if lost:
        yield f"Another model will not see the thinking of {_replies(lost)}."


def _window(model: ModelInfo) -> str:
    size = model.window
    return f"{size / 1e6:g}M" if size >= MILLION else f"{size // 1000}k"


def _prices(model: ModelInfo) -> str:
    rates, window = model.prices.at(0), _window(model)
    if rates is None:
        return f"{'unpriced':>18} {window:>6}"
    return f"{rates.input:>5.2f} {rates.output:>5.2f} {rates.cache_read:>6.3f} {window:>6}"


def price_line(session: Session, model: ModelInfo) -> str:
    """What a model costs and holds, and what going over to it costs now, on one line."""
    rates = model.prices.at(0)
    paid = f"${rates.input:.2f} in, ${rates.output:.2f} out" if rates else "no known price"
    over = _over(session, model)
    if rates == FREE:
        paid, over = "free", ""
    parts = (paid, f"{_window(model)} window", over and f"{over} to switch now")
    return " · ".join(filter(None, parts))


def _over(session: Session, model: ModelInfo) -> str:
    state = session.engine.state
    if model.name == state.model or not (state.view.units and state.ledger.calls):
        return ""  # the first call writes the cache in any case
    step = model_switch(session, model)
    return dollars(step.cost) + ("" if step.fits else ", compressed first")


def _data(session: Session) -> list[dict[str, object]]:
    return [
        {
            "name": model.name,
            "current": model.name == session.engine.state.model,
            "window": model.window,
            "prices": asdict(rates) if (rates := model.prices.at(0)) else None,
            "switch_tokens": (step := model_switch(session, model)).tokens,
            "switch_cost_usd": step.cost,
            "fits": step.fits,
        }
        for model in offered_models(session)
    ]


def _strategies(session: Session, _rest: str) -> Shown:
    return Report("\n".join(_pipeline(session)))


def _pipeline(session: Session) -> Iterator[str]:
    pipeline = session.config.pipeline
    outlook = {look.strategy: look for look in session.info.outlook}
    yield "In use, each asked in this order before every request:"
    for strategy in pipeline:
        yield f"  {strategy.name}: {_purpose(type(strategy))}"
        if look := outlook.get(strategy.name):
            yield f"    now it {'would act' if look.acts else 'holds'}: {look.why}"
    others = [s for s in session.config.strategy.values() if s not in pipeline]
    if others:
        yield "Not in use:"
        yield from (f"  {each.name}: {_purpose(type(each))}" for each in others)
    yield (
        "`strategies` under [context] in the configuration chooses them; "
        "`octochat strategies` lists their settings."
    )


def _purpose(strategy: type) -> str:
    return (inspect.getdoc(strategy) or "").partition("\n")[0]


MODEL_COMMANDS: tuple[Command, ...] = (
    Command("model", "[NAME]", "show the models and their prices, or change the model", _model),
    Command("strategies", "", "the context strategies and what each would do", simple(_strategies)),
)
"""Those that both front ends have."""
