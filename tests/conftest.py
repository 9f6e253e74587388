"""What several test folders share: the models that most tests look at."""

import pytest

from macros.counting import Model, model_named


@pytest.fixture
def base() -> Model:
    """BERT base, uncased."""
    return model_named("bert-base-uncased")


@pytest.fixture
def large() -> Model:
    """BERT large, uncased."""
    return model_named("bert-large-uncased")
