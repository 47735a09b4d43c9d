"""A workload file of the original's as the file of a mix."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..original.properties import parse
from .settings import SHARES, Settings, settled

_ROWS = 100_000  # as in our own files of the six letters; a profile scales them
_TABLE = """\
title = {title}
unit = "ops/s"
sized_by = "ycsb"

[tables.usertable]
rows = {rows}
named = true
ordered = true
shared = true
key = {{ text = "user", order = "{order}", digits = {digits} }}
columns.modified = {{ type = "int" }}
columns.{prefix} = {{ size = {size}, count = {count} }}
"""
_STEPS = {
    "READ": '{{ get = "usertable", row = "record"{read} }}',
    "UPDATE": '{{ update = "usertable", row = "record", {write} }}',
    "INSERT": '{{ insert = "usertable" }}',
    "SCAN": '{{ scan = "usertable", from = "record", limit = "length"{read} }}',
    "READ-MODIFY-WRITE": '{{ get = "usertable", row = "record", lock = true{read} }},\n'
    '  {{ update = "usertable", row = "record", {write}, add = {{ modified = 1 }} }}',
}


def of_campaigns(name: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the mix of a workload file in a campaign, whose profile says how many records there
    are, and notes on what has no effect.

    Errors: UsageError with file, line and property for what is wrong in it.
    """
    settings = settled(parse(text, name))
    sized = {**settings.values, "recordcount": _ROWS, "operationcount": _ROWS}
    rate, threads = settings.number("target"), settings.written.get("threadcount")
    clients = f"clients = {settings.whole('threadcount')}\n" if threads else ""
    load = f"\n[load]\nrate = {rate!r}\n{clients}"
    title = f"YCSB {name.rpartition('/')[2]}"
    unused = ("recordcount: no effect: the profile of a campaign sizes its data",)
    notes = settings.notes + unused * ("recordcount" in settings.written)
    return mix(Settings(sized, settings.written, ()), title) + load, notes


def mix(settings: Settings, title: str = "YCSB") -> str:
    """Return the TOML of the mix that properties describe."""
    values = settings.values
    table = _TABLE.format(
        title=json.dumps(title),
        rows=values["recordcount"],
        order="fnv" if values["insertorder"] == "hashed" else "sequential",
        digits=values["zeropadding"],
        prefix=values["fieldnameprefix"],
        size=_size(settings),
        count=values["fieldcount"],
    )
    return table + "".join(_operations(settings))


def _operations(settings: Settings) -> Iterator[str]:
    values, prefix = settings.values, settings.values["fieldnameprefix"]
    one, lengths = ", one_column = true", [values["minscanlength"], values["maxscanlength"]]
    write = f'set = {{ {prefix} = "new" }}'
    for name, share in zip(_STEPS, SHARES, strict=True):
        if not values[share]:
            continue
        step = _STEPS[name].format(
            read="" if values["readallfields"] else f', columns = ["{prefix}"]{one}',
            write=write if values["writeallfields"] else write + one,
        )
        yield f"\n[operations.{name}]\nweight = {100 * settings.number(share):g}\n"
        if name == "READ-MODIFY-WRITE":
            yield "transaction = true\n"
        if name != "INSERT":
            yield f"draw.record = {_draw(settings)}\n"
        if name == "SCAN":
            zipfian = ', choice = "zipfian", ycsb = true'
            how = zipfian if values["scanlengthdistribution"] == "zipfian" else ""
            yield f"draw.length = {{ uniform = {lengths}{how} }}\n"
        yield f"steps = [\n  {step},\n]\n"


def _draw(settings: Settings) -> str:
    values = settings.values
    choice = str(values["requestdistribution"])
    more = {
        "hotspot": ("hotspotdatafraction", "hotspotopnfraction", 1),
        "exponential": ("exponential.frac", "exponential.percentile", 100),
    }
    said = f'row = "usertable", choice = "{choice}"'
    if choice in more:
        share, accesses, whole = more[choice]
        part = settings.number(accesses) / whole
        said += f", share = {settings.number(share)!r}, accesses = {part!r}"
    room = f", room = {settings.room!r}" if choice == "zipfian" and settings.room else ""
    return f"{{ {said}, ycsb = true{room} }}"


def _size(settings: Settings) -> str:
    least, most = settings.whole("minfieldlength"), settings.whole("fieldlength")
    how = settings.values["fieldlengthdistribution"]
    if how == "constant" or least == most:
        return str(most)
    if how == "uniform":
        return f"[{least}, {most}]"
    steps = [[least + i, round((i + 1) ** -0.99, 9)] for i in range(most - least + 1)]
    return f"{{ histogram = {steps} }}"
