"""The content of a mix's file as strict models; `judge` finds values that conflict.

The descriptions of fields are those of the JSON schema.
"""

from __future__ import annotations

import re
from statistics import NormalDist
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, WithJsonSchema

from ...base.tomlfile import Strict, matching, shown

MOST_BYTES = 16 << 20
"""Of a text."""
_MOST_ROWS = 1 << 40
_LARGEST = 1 << 62
_PARTS = 64  # of a normal distribution
_BYTES = re.compile(r"([0-9]+(?:[.][0-9]+)?) ?(?:([kMGT]?)(i?)B)?")
_WORDS = "small letters, digits and _"
_TAKEN = ("id", "key", "default")
_SIZE_WANTED = (
    f"bytes from 1 to {MOST_BYTES:,}: a number, [low, high], {{mean, sd}} or "
    "{histogram = [[size, weight], ...]}"
)


class Size(BaseModel):
    """The bytes of a text: each between `low` and `high`, or `steps` are sizes and the share up to
    each."""

    low: int
    high: int
    mean: float
    steps: list[tuple[int, float]] = []


def _free(name: str) -> str:
    if name in _TAKEN:
        raise ValueError(f"found the name {shown(name)}, want none of {', '.join(_TAKEN)}")
    return name


def _size(value: Any) -> Any:
    """Read a size. Errors: ValueError."""
    size = _read_size(value)
    if size is None:
        raise ValueError(f"found {shown(value)}, want {_SIZE_WANTED}")
    return size


def _read_size(value: Any) -> Size | None:
    if _is_bytes(value):
        return Size(low=value, high=value, mean=value)
    if isinstance(value, list) and len(value) == 2 and all(map(_is_bytes, value)):
        low, high = value
        return Size(low=low, high=high, mean=(low + high) / 2) if low <= high else None
    if isinstance(value, dict) and value.keys() == {"mean", "sd"}:
        return _normal(value["mean"], value["sd"])
    if isinstance(value, dict) and value.keys() == {"histogram"}:
        return _histogram(value["histogram"])
    return None


def _is_bytes(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_BYTES


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and 0 < value <= MOST_BYTES


def _normal(mean: Any, sd: Any) -> Size | None:
    """Return the sizes in the middle of so many equally likely parts."""
    if not _is_number(mean) or not _is_number(sd):
        return None
    parts = ((part + 0.5) / _PARTS for part in range(_PARTS))
    sizes = [max(1, round(NormalDist(mean, sd).inv_cdf(part))) for part in parts]
    return _histogram([[size, 1] for size in sizes])


def _histogram(steps: Any) -> Size | None:
    if not isinstance(steps, list) or not steps:
        return None
    if not all(isinstance(step, list) and len(step) == 2 and _is_bytes(step[0]) for step in steps):
        return None
    if not all(_is_number(weight) for _, weight in steps):
        return None
    total, up_to, shares = sum(weight for _, weight in steps), 0.0, []
    for size, weight in steps:
        up_to += weight / total
        shares.append((size, up_to))
    sizes = [size for size, _ in steps]
    mean = sum(size * weight for size, weight in steps) / total
    return Size(low=min(sizes), high=max(sizes), mean=mean, steps=shares)


def _bytes(value: Any) -> Any:
    """Read a number of bytes, which may have a unit. Errors: ValueError."""
    match = _BYTES.fullmatch(str(value)) if not isinstance(value, bool) else None
    if match is None:
        raise ValueError(f'found {shown(value)}, want bytes, as "2 GiB"')
    power = " kMGT".index(match[2] or " ")
    return round(float(match[1]) * (1024 if match[3] else 1000) ** power)


def _pair(value: list[int]) -> list[int]:
    if value[0] > value[1]:
        raise ValueError(f"found {value}, want the lower number first")
    return value


def _of_table(value: Any) -> Any:
    """Read the bare name of a table as a draw of any of its rows."""
    return {"row": value} if isinstance(value, str) else value


Name = Annotated[str, matching("[a-z][a-z0-9_]{0,39}", _WORDS), AfterValidator(_free)]
DashedName = Annotated[str, matching("(?!new$)[a-z][a-z0-9_-]{0,39}", f"{_WORDS} and -")]
OperationName = Annotated[str, matching("[A-Za-z][A-Za-z0-9_-]{0,39}", "letters, digits, _ and -")]
Range = Annotated[
    list[Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]],
    Field(min_length=2, max_length=2),
    AfterValidator(_pair),
]
Number = str | Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
Names = Annotated[list[str], Field(min_length=1)]


class Column(Strict):
    """A column of a table."""

    type: Literal["int", "text", "bytes"] = Field(default="text", description="what it holds")
    size: Annotated[
        Size | None,
        BeforeValidator(_size),
        WithJsonSchema({"type": ["integer", "array", "object"]}),
    ] = Field(default=None, description=f"{_SIZE_WANTED}; of an int 1, 2, 4 or 8")
    compressibility: float = Field(
        default=0.0, ge=0, le=0.99, description="share of a text that repeats the rest of it"
    )
    range: Range | None = Field(default=None, description="what an int is that no step set")
    references: str | None = Field(default=None, description="a table whose keys an int holds")
    count: int = Field(
        default=0, ge=0, le=1000, description="so many like it, whose names end with 0, 1, ..."
    )


class Key(Strict):
    """One number for each row, behind the columns that a key begins with."""

    bytes: int = Field(default=8, ge=4, le=1024, description="bytes of a row's number")
    order: Literal["sequential", "hashed", "fnv"] = Field(
        default="sequential",
        description="whether neighbours in number are so in order; fnv: by YCSB's hash",
    )
    text: Annotated[str, matching("[!-~]{0,40}", "printable ASCII without blanks")] = Field(
        default="", description="a key that is a text: what stands before the number's digits"
    )
    digits: int = Field(default=1, ge=1, le=100, description="of a text, at least")
    columns: list[str] = Field(default=[], description="numbers that the key begins with")


class Table(Strict):
    """A table: as many rows as it says, or as fill so many bytes."""

    rows: int | None = Field(
        default=None, ge=0, le=_MOST_ROWS, description="rows that a load writes"
    )
    bytes: Annotated[
        int | None, BeforeValidator(_bytes), WithJsonSchema({"type": ["integer", "string"]})
    ] = Field(default=None, description='instead of rows: what they take, as "2 GiB"')
    loaded: bool = Field(
        default=True, description="false: it begins empty, and rows is how many can be put"
    )
    named: bool = Field(
        default=False, description="RocksDB stores each text with its column's name"
    )
    ordered: bool = Field(
        default=False, description="a server of Redis's protocol scans it, too: keys are texts"
    )
    shared: bool = Field(
        default=False, description="other mixes change it, too: what they may have is no violation"
    )
    key: Key = Key()
    columns: dict[Name, Column] = Field(min_length=1)
    indexes: dict[Name, Names] = Field(default={}, description="columns of each")


class Draw(Strict):
    """What an operation is about: rows of a table, or numbers."""

    row: str | None = Field(default=None, description="a table of which it is a row")
    uniform: Range | None = Field(default=None, description="else a number of these")
    choice: Literal[
        "uniform", "zipfian", "latest", "hotspot", "exponential", "sequential", "shuffled"
    ] = Field(default="uniform", description="which rows more often")
    constant: float = Field(
        default=0.99, ge=0.01, le=10, description="how skewed zipfian and latest are"
    )
    share: float = Field(
        default=0.0, ge=0, lt=1, description="share of the rows, of hotspot and exponential"
    )
    accesses: float = Field(default=0.0, ge=0, lt=1, description="the accesses that these have")
    known: float = Field(
        default=1.0, gt=0, le=1, description="share of the loaded rows that are drawn at all"
    )
    first: int = Field(default=0, ge=0, le=_MOST_ROWS, description="the same as a number of rows")
    misses: float = Field(default=0.0, ge=0, le=1, description="share that names no row")
    count: int = Field(default=1, ge=1, le=10_000, description="so many, each another one")
    ycsb: bool = Field(
        default=False, description="as YCSB draws: loaded rows, or back from the newest"
    )
    room: float = Field(
        default=0.0, ge=0, le=100, description="of YCSB's zipfian, for new rows: a share of all"
    )


class Step(Strict):
    """One thing that an operation does, to one table."""

    get: str | None = Field(default=None, description="the table")
    scan: str | None = None
    insert: str | None = None
    put: str | None = None
    update: str | None = None
    delete: str | None = None
    row: str | None = Field(default=None, description="the draw that says which rows")
    columns: list[str] = Field(default=[], description="what is read of a row")
    one_by_one: bool = Field(default=False, description="several rows by as many calls")
    one_column: bool = Field(
        default=False, description="only one of the columns that are read or set, each time another"
    )
    lock: bool = Field(default=False, description="nobody else changes a row until the commit")
    by: str | None = Field(default=None, description='"key", an index, or a column without one')
    from_: str | None = Field(
        default=None, alias="from", description="the row that a scan begins with, or its value"
    )
    order: Literal["asc", "desc"] = Field(default="asc", description="of a scan")
    limit: Annotated[int, Field(ge=0, le=_MOST_ROWS)] | str = Field(
        default=0, description="rows of a scan, or a draw of their number"
    )
    set: dict[str, Number] = Field(default={}, description='a draw, a number or "new" for each')
    add: dict[str, Number] = Field(default={}, description='a draw, "-draw" or a number for each')
    batch: int = Field(default=1, ge=1, le=10_000, description="rows of one insert")

    @property
    def verb(self) -> str:
        """What it does. REQUIRES: it was judged."""
        return next(verb for verb in VERBS if getattr(self, verb) is not None)

    @property
    def table(self) -> str:
        """The name of its table."""
        return str(getattr(self, self.verb))

    @property
    def writes(self) -> bool:
        """Whether it changes rows."""
        return self.verb not in ("get", "scan")


VERBS = ("get", "scan", "insert", "put", "update", "delete")


class Operation(Strict):
    """One kind of request: what it draws, and its steps."""

    weight: float = Field(default=1.0, ge=0, le=1e9, description="its share, beside the others'")
    transaction: bool | Literal["optimistic", "two-phase"] = Field(
        default=False, description="true: one commit of all steps; false: each write by itself"
    )
    draw: dict[
        DashedName, Annotated[Draw, BeforeValidator(_of_table, json_schema_input_type=Draw | str)]
    ] = Field(default={}, description="rows of a table, or numbers, by a name of its own")
    steps: list[Step] = Field(min_length=1)

    def rows(self, step: Step) -> int:
        """Return how many rows a step gets or writes. REQUIRES: it was judged."""
        if step.verb == "insert":
            return step.batch
        return self.draw[step.row].count if step.row else 0


class Load(Strict):
    """How clients come, unless a command line says otherwise."""

    clients: int = Field(default=0, ge=0, le=1024, description="at a time; 0: the profile's")
    rate: float = Field(default=0.0, ge=0, le=1e9, description="operations/s; 0: a closed loop")
    arrivals: Literal["poisson", "fixed"] = Field(
        default="poisson", description="of a rate: by chance, or at even distances"
    )
    think_time_ms: float = Field(
        default=0.0, ge=0, le=3.6e6, description="pause of a client between two operations"
    )
    ramp_s: float = Field(
        default=0.0, ge=0, le=3600, description="over which clients begin, one after the other"
    )
    pool: int = Field(
        default=0, ge=0, le=1024, description="connections that clients share; 0: one for each"
    )


class Mix(Strict):
    """A file."""

    title: str = Field(default="", description="what reports call it; else its file's name")
    unit: str = Field(default="operations/s", description="what throughput counts")
    sized_by: Literal["mix", "ycsb"] = Field(
        default="mix", description="the section of a profile that goes before [mix], if it has one"
    )
    tables: dict[Name, Table] = Field(min_length=1)
    operations: dict[OperationName, Operation] = Field(min_length=1)
    load: Load = Load()


def spelled_out(mix: Mix) -> Mix:
    """Return the mix with as many columns as each `count` says, where steps name them, too."""

    def names(table: str, column: str) -> list[str]:
        known = mix.tables[table].columns if table in mix.tables else {}
        count = known[column].count if column in known else 0
        return [f"{column}{i}" for i in range(count)] or [column]

    def columns(table: str, said: dict[str, Any]) -> dict[str, Any]:
        return {name: value for column, value in said.items() for name in names(table, column)}

    def step(said: Step) -> Step:
        table = str(next((of for verb in VERBS if (of := getattr(said, verb)) is not None), ""))
        changes: dict[str, Any] = {"columns": list(columns(table, dict.fromkeys(said.columns)))}
        changes |= {name: columns(table, getattr(said, name)) for name in ("set", "add")}
        return said.model_copy(update={k: v for k, v in changes.items() if getattr(said, k)})

    tables = {
        name: of.model_copy(update={"columns": columns(name, of.columns)})
        for name, of in mix.tables.items()
    }
    operations = {
        name: of.model_copy(update={"steps": [step(each) for each in of.steps]})
        for name, of in mix.operations.items()
    }
    return mix.model_copy(update={"tables": tables, "operations": operations})
