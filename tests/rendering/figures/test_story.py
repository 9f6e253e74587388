"""The story states the numbers of rows in the position and segment tables."""

import pytest

from macros.counting import Question, model_named
from macros.rendering.figures.story import scenes_of


# Source: the sizes of BERT base, and invented ones that differ from each other.
@pytest.mark.parametrize(("sizes", "positions", "segments"), [({}, "512", "2"), ({"P": 1000, "S": 3}, "1,000", "3")])
def test_the_story_counts_rows_of_positions_segments_and_layer_norm(
    sizes: dict[str, int], positions: str, segments: str
) -> None:
    scenes = {scene.title: scene for scene in scenes_of(Question(model_named("bert-base-uncased").resized(**sizes)))}
    words = scenes["The rest of the embeddings"].words
    assert words.startswith(f"One of {positions} position rows and one of {segments} segment rows are added.")
    assert words.endswith("its scale and shift count as 2 more rows.")
