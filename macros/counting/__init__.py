"""The counting engine: it counts the parameters of BERT and its relatives exactly, and knows nothing of the site.

It needs only the standard library. This folder, with `architectures/`, holds
what a count is made of: architectures, models, deviations and questions.
`frameworks/` holds the names that other software gives to tensors, and what it
prints; `changes/` what people do to a model, such as LoRA; `training/` the memory
of a training step; `published/` the numbers in print, with the steps that lead from
them to ours; `search/` the numbers that a reader may have got. Each imports only from
those named before it. `command_line/` answers with all of them.

>>> from macros.counting import count, model_named
>>> count(model_named("bert-base-uncased"))
109482240
"""

from .architecture import DEFAULT_CHOICES, Architecture, Choices, ModelClass, Row
from .architectures import ARCHITECTURE_OF_CLASS, ARCHITECTURES, every_flag
from .architectures.bert import BERT
from .changes.changed_model import ChangedModel
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
    "DEFAULT_CHOICES",
    "Architecture",
    "BadChange",
    "BadChoice",
    "BadClaim",
    "BadCondition",
    "BadConfig",
    "BadNumber",
    "Change",
    "ChangedModel",
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
    "every_flag",
    "load_models",
    "load_relatives",
    "model_named",
    "model_of_config",
    "models_in",
    "read_config",
    "tensors",
]
