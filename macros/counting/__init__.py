"""The counting engine: pure, standard library only, knows nothing of the site.

>>> from macros.counting import count, model_named
>>> count(model_named("bert-base-uncased"))
109482240
"""

from .config import model_of_config, read_config
from .errors import (
    BadChoice,
    BadClaim,
    BadConfig,
    BadNumber,
    CountingError,
    UnknownDtype,
    UnknownMistake,
    UnknownModel,
    UnknownModelClass,
    UnknownPart,
)
from .listing import Tensor, tensors
from .models import Model, load_models, model_named, models_in
from .polynomials import Polynomial
from .symbols import SYMBOLS
from .tensors import BLOCKS, MODEL_CLASSES, ROWS
from .totals import count, polynomial

__all__ = [
    "BLOCKS",
    "MODEL_CLASSES",
    "ROWS",
    "SYMBOLS",
    "BadChoice",
    "BadClaim",
    "BadConfig",
    "BadNumber",
    "CountingError",
    "Model",
    "Polynomial",
    "Tensor",
    "UnknownDtype",
    "UnknownMistake",
    "UnknownModel",
    "UnknownModelClass",
    "UnknownPart",
    "count",
    "load_models",
    "model_named",
    "model_of_config",
    "models_in",
    "polynomial",
    "read_config",
    "tensors",
]
