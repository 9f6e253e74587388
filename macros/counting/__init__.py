"""The counting engine: pure, standard library only, knows nothing of the site.

Rooms: this folder holds what a count is made of (architectures, models,
deviations, questions); `frameworks/` what other software calls and prints;
`changes/` what people do to a model; `published/` the numbers that others
print, with the bridges to ours; `search/` the numbers that somebody may have
got. Imports point that way round.

>>> from macros.counting import count, model_named
>>> count(model_named("bert-base-uncased"))
109482240
"""

from .architecture import USUAL, Architecture, Choices, ModelClass, Row
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES
from .architectures.bert import BERT
from .changes.changed import Changed
from .changes.methods import Change
from .config import model_of_config, read_config
from .errors import (
    BadChange,
    BadChoice,
    BadClaim,
    BadCondition,
    BadConfig,
    BadNumber,
    CountingError,
    FalseWords,
    UnknownDeviation,
    UnknownDtype,
    UnknownModel,
    UnknownModelClass,
    UnknownPart,
)
from .frameworks.listing import Tensor, tensors
from .models import Model, load_models, load_relatives, model_named, models_in
from .polynomials import Polynomial
from .question import Question, count, every_class

__all__ = [
    "ARCHITECTURES",
    "ARCHITECTURE_OF_CLASS",
    "BERT",
    "USUAL",
    "Architecture",
    "BadChange",
    "BadChoice",
    "BadClaim",
    "BadCondition",
    "BadConfig",
    "BadNumber",
    "Change",
    "Changed",
    "Choices",
    "CountingError",
    "FalseWords",
    "Model",
    "ModelClass",
    "Polynomial",
    "Question",
    "Row",
    "Tensor",
    "UnknownDeviation",
    "UnknownDtype",
    "UnknownModel",
    "UnknownModelClass",
    "UnknownPart",
    "count",
    "every_class",
    "load_models",
    "load_relatives",
    "model_named",
    "model_of_config",
    "models_in",
    "read_config",
    "tensors",
]
