# The types of the package; tools/python_stubs puts what the table of methods gives in the place of the @words@.
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Self = TypeVar("_Self", bound="Recommender")
_Path = Union[str, "os.PathLike[str]"]
_Frame = Any  # a pandas, polars or pyarrow table, or a dict of arrays
_Table = Any  # whatever eq.Log takes for a table

class Error(Exception): ...
class UsageError(Error, ValueError): ...
class DataError(Error, ValueError): ...
class CheckError(Error, ValueError): ...
class Interrupted(Error, KeyboardInterrupt): ...
class NotFittedError(UsageError, AttributeError): ...
class Warning(UserWarning): ...

class Epoch:
    number: int
    losses: dict[str, float]
    metric: float
    def __init__(self, number: int, losses: dict[str, float], metric: float) -> None: ...

class IdType:
    kind: str
    dtype: Any
    objects: Union[dict[str, Any], None]
    def __init__(self, kind: str = ..., dtype: Any = ..., objects: Union[dict[str, Any], None] = ...) -> None: ...
    @classmethod
    def of(cls, wanted: Any) -> IdType: ...
    @classmethod
    def both(cls, wanted: Any) -> tuple[IdType, IdType]: ...
    def array(self, texts: Sequence[str]) -> NDArray[Any]: ...
    def merge(self, other: Union[IdType, None]) -> IdType: ...

class Metric(NamedTuple):
    mean: float
    low: float
    high: float

class Evaluation(dict[str, Metric]):
    protocol: str
    k: int
    def __init__(self, found: dict[str, Any], user_type: IdType, frame: str) -> None: ...
    def to_frame(self, output: Union[str, None] = ...) -> _Frame: ...
    def per_user(self, output: Union[str, None] = ...) -> _Frame: ...

class Log:
    user_type: IdType
    item_type: IdType
    request_type: IdType
    frame: str
    def __init__(
        self, data: Union[_Table, _Path], *, user: Any = ..., item: Any = ..., label: Any = ..., weight: Any = ...,
        propensity: Any = ..., timestamp: Any = ..., request: Any = ..., position: Any = ...,
        propensity_at_position: Any = ..., propensity_given_above: Any = ..., eligible: Any = ...,
        test: Union[_Table, _Path, None] = ...,
        valid: Union[_Table, _Path, None] = ..., users: Union[_Table, _Path, None] = ...,
        items: Union[_Table, _Path, None] = ..., categorical: Sequence[str] = ..., tags: Sequence[str] = ...,
        id_type: Any = ..., threads: int = ..., progress: Union[bool, None] = ...,
        cache: bool = ..., cache_folder: str = ..., cache_from_mb: float = ..., cache_gb: float = ...,
        item_name_column: str = ..., header: bool = ..., separator: str = ..., encoding: str = ..., decimal: str =
        ..., missing: str = ..., positive_at_least: Union[float, str] = ..., positive: str = ..., duplicates: str =
        ..., withheld: str = ..., name: str = ..., split_by: str = ..., valid_share: float = ..., split: str = ...,
        log_valid_share: float = ..., log_test_share: float = ..., resample: bool = ..., keep_leaks: bool = ..., seed:
        int = ...
    ) -> None: ...
    @classmethod
    def import_from(cls, source: str, *paths: _Path, id_type: Any = ..., threads: int = ...,
                    progress: Union[bool, None] = ..., **parameters: Any) -> Log: ...
    def with_valid(self, rows: Log) -> Log: ...
    def save(self, folder: _Path) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def users(self) -> NDArray[Any]: ...
    @property
    def items(self) -> NDArray[Any]: ...
    @property
    def requests(self) -> NDArray[Any]: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    def rows(self, part: str) -> dict[str, NDArray[Any]]: ...
    def part(self, name: str) -> _Frame: ...
    @property
    def train(self) -> _Frame: ...
    @property
    def valid(self) -> _Frame: ...
    @property
    def test(self) -> _Frame: ...

class Table:
    title: str
    def __init__(self, title: str, columns: Mapping[str, Any], shown: Union[Sequence[str], None] = ...) -> None: ...
    @property
    def columns(self) -> list[str]: ...
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    def __len__(self) -> int: ...
    def keys(self) -> Iterable[str]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]: ...
    def to_frame(self) -> Any: ...

class Diagnosis:
    name: str
    verdict: list[str]
    figures: dict[str, Any]
    def __init__(self, name: str, verdict: Sequence[str], figures: str) -> None: ...
    @property
    def table(self) -> Table: ...
    def to_frame(self) -> Any: ...
    def report(self, path: _Path) -> _Path: ...

class Runs:
    folder: str
    def __init__(self, folder: str, native: Any = ..., logs: Sequence[Log] = ..., temporary: Any = ...) -> None: ...
    def __len__(self) -> int: ...
    def table(self, metric: str = ...) -> Table: ...
    @property
    def results(self) -> Table: ...
    @property
    def pairs(self) -> Table: ...
    @property
    def trials(self) -> Table: ...
    @property
    def per_user(self) -> Table: ...
    @property
    def metrics(self) -> list[str]: ...
    @property
    def findings(self) -> list[str]: ...
    def to_frame(self, metric: str = ...) -> Any: ...
    def to_dict(self) -> dict[str, Any]: ...
    def report(self, path: _Path) -> _Path: ...
    def figures(self, folder: _Path) -> _Path: ...
    def chosen(self, arm: str = ..., data: str = ...) -> Recommender: ...

_Logs = Union[Log, Sequence[Log], _Table, _Path]
_Values = Union[Mapping[str, Sequence[Any]], None]

def doctor(log: Union[Log, _Table, _Path], *, threads: int = ..., progress: Union[bool, None] = ...,
           **parameters: Any) -> Diagnosis: ...
def simulate(*, name: Union[str, None] = ..., **parameters: Any) -> Log: ...
def lint(log: _Logs, methods: Any = ..., *, values: _Values = ..., **parameters: Any) -> Table: ...
def compare(log: _Logs, methods: Any = ..., *, out: Union[_Path, None] = ..., values: _Values = ..., threads: int = ...,
            progress: Union[bool, None] = ..., **parameters: Any) -> Runs: ...
def study(name: str, log: Union[_Logs, None] = ..., *, out: Union[_Path, None] = ..., values: _Values = ...,
          threads: int = ..., progress: Union[bool, None] = ..., **parameters: Any) -> Runs: ...
def load_runs(path: _Path) -> Runs: ...

class Recommender:
    threads: int
    user_type: IdType
    item_type: IdType
    frame: str
    n_features_in_: int
    def __init__(self, **given: Any) -> None: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self: _Self, **params: Any) -> _Self: ...
    def fit(self: _Self, X: Any, y: Union[ArrayLike, None] = ..., *, valid: Any = ...,
            callback: Union[Callable[[Epoch], object], None] = ..., checkpoint: Union[_Path, None] = ...,
            resume: bool = ..., progress: Union[bool, None] = ...,
            sample_weight: Union[ArrayLike, None] = ...) -> _Self: ...
    @property
    def method(self) -> str: ...
    @property
    def card(self) -> dict[str, Any]: ...
    @property
    def curve(self) -> list[dict[str, Any]]: ...
    @property
    def findings(self) -> dict[str, Any]: ...
    def save(self, path: _Path) -> None: ...
    def to_bytes(self) -> bytes: ...
    @property
    def users(self) -> NDArray[Any]: ...
    @property
    def items(self) -> NDArray[Any]: ...
    def predict(self, X: Any) -> NDArray[np.float32]: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
    def decision_function(self, X: Any) -> NDArray[np.float32]: ...
    def score_pairs(self, users: Any, items: Any, more_rows: Union[_Table, None] = ...) -> NDArray[np.float32]: ...
    def score(self, X: Any, y: ArrayLike) -> float: ...
    def recommend(self, users: Any = ..., k: int = ..., *, include_seen: bool = ...,
                  candidates: Any = ..., exclude: Any = ...,
                  filter: Union[Mapping[str, Any], None] = ..., columns: Union[str, Sequence[str]] = ...,
                  history: Any = ..., features: Union[Mapping[str, Any], None] = ...,
                  more_rows: Union[_Table, None] = ..., output: Union[str, None] = ...,
                  progress: Union[bool, None] = ...) -> _Frame: ...
    def similar(self, item: Any, k: int = ..., *, candidates: Any = ...,
                exclude: Any = ..., filter: Union[Mapping[str, Any], None] = ...,
                output: Union[str, None] = ...) -> _Frame: ...
    def evaluate(self, log: Log, *, progress: Union[bool, None] = ..., **parameters: Any) -> Evaluation: ...
    def knows(self, user: Any = ..., item: Any = ...) -> str: ...
    @property
    def user_factors(self) -> NDArray[np.float32]: ...
    @property
    def item_factors(self) -> NDArray[np.float32]: ...

class Estimate(NamedTuple):
    value: float
    low: float
    high: float

class Valuation:
    name: str
    part: str
    form: str
    assumption: str
    users: int
    lists: int
    rows: int
    logged: Estimate
    estimates: dict[str, dict[str, Estimate]]
    refused: dict[str, str]
    verdicts: list[str]
    check: str
    chances_wrong: bool
    figures: dict[str, Any]
    def __init__(self, name: str, figures: str) -> None: ...
    @property
    def table(self) -> Table: ...
    @property
    def contrasts(self) -> Table: ...
    def to_frame(self) -> Any: ...
    def report(self, path: _Path) -> _Path: ...

def value(log: Union[Log, _Table, _Path], policies: Mapping[str, Recommender], *,
          explore: Union[str, Mapping[str, str]] = ..., threads: int = ..., progress: Union[bool, None] = ...,
          part: str = ..., form: str = ..., include_seen: bool = ..., largest_weight: float = ..., folds: int = ...) -> Valuation: ...

def load(path: _Path, *, id_type: Any = ..., threads: int = ...) -> Recommender: ...
def from_bytes(data: bytes, *, id_type: Any = ..., threads: int = ...) -> Recommender: ...

METHODS: dict[str, type[Recommender]]

class Popularity(Recommender):
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    def __init__(
        self, *,
        epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float =
        ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ...,
        patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., threads: int =
        ...
    ) -> None: ...

class Mean(Recommender):
    shrinkage: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    def __init__(
        self, *,
        shrinkage: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str =
        ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ...,
        metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str
        = ..., threads: int = ...
    ) -> None: ...

class MeanPopularity(Recommender):
    shrinkage: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    def __init__(
        self, *,
        shrinkage: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str =
        ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ...,
        metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str
        = ..., threads: int = ...
    ) -> None: ...

class Base(Recommender):
    base: str
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., loss: str = ..., negative_weight: float = ..., negatives: int = ..., negative_power: float =
        ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float
        = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ...,
        patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., embedding: int
        = ..., history: str = ..., history_power: float = ..., history_most: int = ..., history_order: str = ...,
        history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ...,
        biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float
        = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class CBR(Recommender):
    base: str
    gamma: float
    eta: float
    projection: bool
    confounder: bool
    confounder_width: int
    exposure_negatives: int
    negatives_keep_user: bool
    item_weight_power: float
    item_weight_cap: float
    discriminator_steps: int
    recommender_steps: int
    discriminator_rate: float
    lambda_phi: float
    lambda_discriminator: float
    lambda_confounder: float
    lambda_exposure: float
    balance: str
    adversary: str
    distance: str
    discriminator_width: int
    softmax_items: int
    softmax_samples: int
    clipped_pairs: int
    sampled_pairs: int
    pair_rows: int
    fourier_features: int
    refreshes: int
    item_groups: str
    item_clusters: int
    weights_floor: float
    weights_width: int
    weights_every: int
    beside_weights: str
    split_penalty: float
    balance_control: str
    probe: bool
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    preset: Union[str, None]
    def __init__(
        self, *,
        base: str = ..., gamma: float = ..., eta: float = ..., projection: bool = ..., confounder: bool = ...,
        confounder_width: int = ..., exposure_negatives: int = ..., negatives_keep_user: bool = ...,
        item_weight_power: float = ..., item_weight_cap: float = ..., discriminator_steps: int = ...,
        recommender_steps: int = ..., discriminator_rate: float = ..., lambda_phi: float = ..., lambda_discriminator:
        float = ..., lambda_confounder: float = ..., lambda_exposure: float = ..., balance: str = ..., adversary: str
        = ..., distance: str = ..., discriminator_width: int = ..., softmax_items: int = ..., softmax_samples: int =
        ..., clipped_pairs: int = ..., sampled_pairs: int = ..., pair_rows: int = ..., fourier_features: int = ...,
        refreshes: int = ..., item_groups: str = ..., item_clusters: int = ..., weights_floor: float = ...,
        weights_width: int = ..., weights_every: int = ..., beside_weights: str = ..., split_penalty: float = ...,
        balance_control: str = ..., probe: bool = ..., loss: str = ..., negative_weight: float = ..., negatives: int =
        ..., negative_power: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ...,
        optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ...,
        metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ...,
        memory_limit: str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most:
        int = ..., history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers:
        int = ..., graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ...,
        features: bool = ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ...,
        preset: Union[str, None] = ..., threads: int = ...
    ) -> None: ...

class IPS(Recommender):
    base: str
    propensity: str
    propensity_clip: float
    propensity_bound: float
    popularity_power: float
    naive_bayes_prior: str
    logistic_lambda: float
    logistic_epochs: int
    mf_width: int
    mf_lambda: float
    mf_epochs: int
    weights_floor: float
    weights_width: int
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., propensity: str = ..., propensity_clip: float = ..., propensity_bound: float = ...,
        popularity_power: float = ..., naive_bayes_prior: str = ..., logistic_lambda: float = ..., logistic_epochs:
        int = ..., mf_width: int = ..., mf_lambda: float = ..., mf_epochs: int = ..., weights_floor: float = ...,
        weights_width: int = ..., loss: str = ..., negative_weight: float = ..., negatives: int = ..., negative_power:
        float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ...,
        beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ...,
        metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str
        = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most: int = ...,
        history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ...,
        graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool =
        ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class SNIPS(Recommender):
    base: str
    propensity: str
    propensity_clip: float
    propensity_bound: float
    popularity_power: float
    naive_bayes_prior: str
    logistic_lambda: float
    logistic_epochs: int
    mf_width: int
    mf_lambda: float
    mf_epochs: int
    weights_floor: float
    weights_width: int
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., propensity: str = ..., propensity_clip: float = ..., propensity_bound: float = ...,
        popularity_power: float = ..., naive_bayes_prior: str = ..., logistic_lambda: float = ..., logistic_epochs:
        int = ..., mf_width: int = ..., mf_lambda: float = ..., mf_epochs: int = ..., weights_floor: float = ...,
        weights_width: int = ..., loss: str = ..., negative_weight: float = ..., negatives: int = ..., negative_power:
        float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ...,
        beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ...,
        metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str
        = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most: int = ...,
        history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ...,
        graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool =
        ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class Direct(Recommender):
    base: str
    drawn_per_row: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., drawn_per_row: int = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float =
        ..., optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ...,
        metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ...,
        memory_limit: str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most:
        int = ..., history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers:
        int = ..., graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ...,
        features: bool = ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ...,
        threads: int = ...
    ) -> None: ...

class DR(Recommender):
    base: str
    propensity: str
    propensity_clip: float
    propensity_bound: float
    popularity_power: float
    naive_bayes_prior: str
    logistic_lambda: float
    logistic_epochs: int
    mf_width: int
    mf_lambda: float
    mf_epochs: int
    weights_floor: float
    weights_width: int
    drawn_per_row: int
    variant: str
    mse_bias: float
    tie: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., propensity: str = ..., propensity_clip: float = ..., propensity_bound: float = ...,
        popularity_power: float = ..., naive_bayes_prior: str = ..., logistic_lambda: float = ..., logistic_epochs:
        int = ..., mf_width: int = ..., mf_lambda: float = ..., mf_epochs: int = ..., weights_floor: float = ...,
        weights_width: int = ..., drawn_per_row: int = ..., variant: str = ..., mse_bias: float = ..., tie: float =
        ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float
        = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ...,
        patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., embedding: int
        = ..., history: str = ..., history_power: float = ..., history_most: int = ..., history_order: str = ...,
        history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ...,
        biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float
        = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class ESCM2(Recommender):
    base: str
    risk: str
    risk_weight: float
    ctcvr_weight: float
    balance_weight: float
    own_width: int
    orthogonality: float
    propensity_clip: float
    drawn_per_row: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., risk: str = ..., risk_weight: float = ..., ctcvr_weight: float = ..., balance_weight: float =
        ..., own_width: int = ..., orthogonality: float = ..., propensity_clip: float = ..., drawn_per_row: int = ...,
        epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float =
        ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ...,
        patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., embedding: int
        = ..., history: str = ..., history_power: float = ..., history_most: int = ..., history_order: str = ...,
        history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ...,
        biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float
        = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class ATT(Recommender):
    base: str
    labeller_epochs: int
    rounds: int
    agreement: float
    propensity: str
    propensity_clip: float
    propensity_bound: float
    popularity_power: float
    naive_bayes_prior: str
    logistic_lambda: float
    logistic_epochs: int
    mf_width: int
    mf_lambda: float
    mf_epochs: int
    weights_floor: float
    weights_width: int
    drawn_per_row: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., labeller_epochs: int = ..., rounds: int = ..., agreement: float = ..., propensity: str = ...,
        propensity_clip: float = ..., propensity_bound: float = ..., popularity_power: float = ..., naive_bayes_prior:
        str = ..., logistic_lambda: float = ..., logistic_epochs: int = ..., mf_width: int = ..., mf_lambda: float =
        ..., mf_epochs: int = ..., weights_floor: float = ..., weights_width: int = ..., drawn_per_row: int = ...,
        epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float =
        ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ...,
        patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., embedding: int
        = ..., history: str = ..., history_power: float = ..., history_most: int = ..., history_order: str = ...,
        history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ...,
        biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float
        = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class CVIB(Recommender):
    base: str
    alpha: float
    gamma: float
    variant: str
    drawn_per_row: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., alpha: float = ..., gamma: float = ..., variant: str = ..., drawn_per_row: int = ..., epochs:
        int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float = ..., beta2:
        float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ..., patience: int
        = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., embedding: int = ...,
        history: str = ..., history_power: float = ..., history_most: int = ..., history_order: str = ...,
        history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ...,
        biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float
        = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class DCF(Recommender):
    base: str
    exposure_width: int
    exposure_passes: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., exposure_width: int = ..., exposure_passes: int = ..., epochs: int = ..., batch_size: int =
        ..., learning_rate: float = ..., optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float
        = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds:
        float = ..., seed: int = ..., memory_limit: str = ..., embedding: int = ..., history: str = ...,
        history_power: float = ..., history_most: int = ..., history_order: str = ..., history_permuted: bool = ...,
        lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ..., biases: bool = ...,
        lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float = ..., layers:
        Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class KDLABEL(Recommender):
    base: str
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    distil: float
    drawn_per_row: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., loss: str = ..., negative_weight: float = ..., negatives: int = ..., negative_power: float =
        ..., distil: float = ..., drawn_per_row: int = ..., epochs: int = ..., batch_size: int = ..., learning_rate:
        float = ..., optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_:
        float = ..., metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ...,
        seed: int = ..., memory_limit: str = ..., embedding: int = ..., history: str = ..., history_power: float =
        ..., history_most: int = ..., history_order: str = ..., history_permuted: bool = ..., lambda_history: float =
        ..., graph_layers: int = ..., graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids:
        bool = ..., features: bool = ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str =
        ..., threads: int = ...
    ) -> None: ...

class CAUSE(Recommender):
    base: str
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    item_tie: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., loss: str = ..., negative_weight: float = ..., negatives: int = ..., negative_power: float =
        ..., item_tie: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer:
        str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str =
        ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit:
        str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most: int = ...,
        history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ...,
        graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool =
        ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class Autodebias(Recommender):
    base: str
    weight_rate: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., weight_rate: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float =
        ..., optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ...,
        metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ...,
        memory_limit: str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most:
        int = ..., history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers:
        int = ..., graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ...,
        features: bool = ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ...,
        threads: int = ...
    ) -> None: ...

class Recalibration(Recommender):
    base: str
    loss: str
    negative_weight: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., loss: str = ..., negative_weight: float = ..., negatives: int = ..., negative_power: float =
        ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer: str = ..., beta1: float
        = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str = ..., metric_k: int = ...,
        patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit: str = ..., embedding: int
        = ..., history: str = ..., history_power: float = ..., history_most: int = ..., history_order: str = ...,
        history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ..., graph_refresh: int = ...,
        biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool = ..., start_deviation: float
        = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class RelMF(Recommender):
    base: str
    theta: str
    theta_power: float
    theta_clip: float
    non_negative: bool
    drawn_per_row: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., theta: str = ..., theta_power: float = ..., theta_clip: float = ..., non_negative: bool =
        ..., drawn_per_row: int = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ...,
        optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ...,
        metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ...,
        memory_limit: str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most:
        int = ..., history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers:
        int = ..., graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ...,
        features: bool = ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ...,
        threads: int = ...
    ) -> None: ...

class UBPR(Recommender):
    base: str
    theta: str
    theta_power: float
    theta_clip: float
    non_negative: bool
    negatives: int
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., theta: str = ..., theta_power: float = ..., theta_clip: float = ..., non_negative: bool =
        ..., negatives: int = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer:
        str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str =
        ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit:
        str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most: int = ...,
        history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ...,
        graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool =
        ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...

class MACR(Recommender):
    base: str
    alpha: float
    beta: float
    reference: float
    negative_weight: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., alpha: float = ..., beta: float = ..., reference: float = ..., negative_weight: float = ...,
        negatives: int = ..., negative_power: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate:
        float = ..., optimizer: str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_:
        float = ..., metric: str = ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ...,
        seed: int = ..., memory_limit: str = ..., embedding: int = ..., history: str = ..., history_power: float =
        ..., history_most: int = ..., history_order: str = ..., history_permuted: bool = ..., lambda_history: float =
        ..., graph_layers: int = ..., graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids:
        bool = ..., features: bool = ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str =
        ..., threads: int = ...
    ) -> None: ...

class PDA(Recommender):
    base: str
    popularity_effect: float
    popularity_wanted: float
    negatives: int
    negative_power: float
    epochs: int
    batch_size: int
    learning_rate: float
    optimizer: str
    beta1: float
    beta2: float
    epsilon: float
    lambda_: float
    metric: str
    metric_k: int
    patience: int
    checkpoint_seconds: float
    seed: int
    memory_limit: str
    embedding: int
    history: str
    history_power: float
    history_most: int
    history_order: str
    history_permuted: bool
    lambda_history: float
    graph_layers: int
    graph_refresh: int
    biases: bool
    lambda_biases: float
    ids: bool
    features: bool
    start_deviation: float
    layers: Sequence[int]
    activation: str
    def __init__(
        self, *,
        base: str = ..., popularity_effect: float = ..., popularity_wanted: float = ..., negatives: int = ...,
        negative_power: float = ..., epochs: int = ..., batch_size: int = ..., learning_rate: float = ..., optimizer:
        str = ..., beta1: float = ..., beta2: float = ..., epsilon: float = ..., lambda_: float = ..., metric: str =
        ..., metric_k: int = ..., patience: int = ..., checkpoint_seconds: float = ..., seed: int = ..., memory_limit:
        str = ..., embedding: int = ..., history: str = ..., history_power: float = ..., history_most: int = ...,
        history_order: str = ..., history_permuted: bool = ..., lambda_history: float = ..., graph_layers: int = ...,
        graph_refresh: int = ..., biases: bool = ..., lambda_biases: float = ..., ids: bool = ..., features: bool =
        ..., start_deviation: float = ..., layers: Sequence[int] = ..., activation: str = ..., threads: int = ...
    ) -> None: ...
