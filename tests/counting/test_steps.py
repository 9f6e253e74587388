"""Steps from one number to another, compared with manual arithmetic."""

import pytest

from macros.counting import CountingError
from macros.counting.steps import Step, chain

POOLER = Step(name="pooler", value=-590_592, formula="−(H² + H)", working="−(768² + 768)")
EMPTY_STEP = Step(name="nothing", value=0)
SEGMENT = Step(name="segment", value=768, formula="H", working="768")


def test_a_step_gives_its_working_and_its_sum() -> None:
    pooler, segment = chain(109_482_240, [POOLER, SEGMENT])
    assert "−(768² + 768) = −590,592" == pooler.equation
    assert "109,482,240 − 590,592 = 108,891,648" == pooler.sum
    assert "768 = 768" == segment.equation
    assert "108,891,648 + 768 = 108,892,416" == segment.sum


def test_each_step_starts_where_the_previous_one_ends_and_empty_steps_are_left_out() -> None:
    steps = chain(109_482_240, [EMPTY_STEP, POOLER, EMPTY_STEP, SEGMENT], 108_892_416)
    assert [("pooler", 109_482_240, 108_891_648), ("segment", 108_891_648, 108_892_416)] == [
        (step.name, step.before, step.after) for step in steps
    ]
    assert () == chain(1, [EMPTY_STEP], 1) == chain(1, [])


@pytest.mark.parametrize(("steps", "end"), [([POOLER, SEGMENT], "108,892,416"), ([], "109,482,240")])
def test_steps_that_lead_elsewhere_are_refused(steps: list[Step], end: str) -> None:
    message = f"^the steps from 109,482,240 lead to {end}, not to 108,891,648; name what else differs$"
    with pytest.raises(CountingError, match=message):
        chain(109_482_240, steps, 108_891_648)
    with pytest.raises(CountingError, match="not to 0; add a step"):
        chain(109_482_240, steps, 0, "add a step")
