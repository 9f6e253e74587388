"""The training steps that pages show."""

from macros.counting.training import MAX_EXCESS
from macros.rendering.components.training_steps import RESERVE, room_in


def test_the_reserve_has_room_for_what_the_count_leaves_out() -> None:
    """A step that fills all but the reserve still fits if PyTorch needs as much more as was ever recorded."""
    for gib in (8, 16, 80):
        assert room_in(gib, 0) == gib * 2**30
        assert (1 + MAX_EXCESS) * room_in(gib) < room_in(gib, 0)
    assert room_in(16) == 16 * 2**30 * (100 - RESERVE) // 100
