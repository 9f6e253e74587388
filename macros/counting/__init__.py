"""The counting engine: it counts the parameters of BERT and its relatives exactly, and does not depend on the site.

It needs only the standard library. This folder and `architectures/` are its core: architectures, models,
deviations and questions. `frameworks/` has the names that other software gives to tensors, and the summaries that
it prints. `changes/` applies changes such as LoRA to a model, and `training/` counts the memory of a training step.
`published/` compares numbers in print with ours, and `search/` lists the numbers that a reader may have got. Each
package imports only from those named before it. `command_line/` uses all of them.

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
from .question import Question, class_questions, count

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
    "class_questions",
    "count",
    "every_flag",
    "load_models",
    "load_relatives",
    "model_named",
    "model_of_config",
    "models_in",
    "read_config",
    "tensors",
]
