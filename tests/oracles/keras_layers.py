"""Records of Keras 2 models: their layers, totals and summaries."""

from math import prod
from typing import Any


def connections(model: Any, layer: Any) -> list[str]:
    """The sources of a layer's inputs, as in the column "Connected to", but without line breaks."""
    return [
        f"{source.name}[{node_index}][{tensor_index}]"
        for node in nodes(model, layer)
        for source, node_index, tensor_index, _ in node.iterate_inbound()
    ]


def nodes(model: Any, layer: Any) -> list[Any]:
    """The calls to a layer that are part of this model, in order."""
    model_nodes = [node for level in model._nodes_by_depth.values() for node in level]
    return [node for node in layer._inbound_nodes if any(node is other for other in model_nodes)]


def output_shape(layer: Any) -> Any:
    """A layer's output shape in the summary, which is "multiple" if the calls to it have different shapes."""
    try:
        return layer.output_shape
    except AttributeError:
        return "multiple"


def record_of_layer(model: Any, layer: Any) -> dict[str, Any]:
    """The record of a layer: its row in the summary, the output shape of every call to it, and its weights."""
    return {
        "name": layer.name,
        "class": type(layer).__name__,
        "output_shape": output_shape(layer),
        "call_shapes": [node.output_shapes for node in nodes(model, layer)],
        "parameters": layer.count_params(),
        "connected_to": connections(model, layer),
        "weights": [[weight.name, list(weight.shape)] for weight in layer.weights],
    }


def element_count(weights: list[Any]) -> int:
    """The number of elements in `weights`."""
    return sum(prod(weight.shape) for weight in weights)


def record_of(model: Any) -> dict[str, Any]:
    """The record of a model: its layers in the order of the summary, its three totals, and the summary's lines."""
    lines: list[str] = []
    model.summary(line_length=98, print_fn=lines.append)
    totals = {
        "total": model.count_params(),
        "trainable": element_count(model.trainable_weights),
        "non-trainable": element_count(model.non_trainable_weights),
    }
    totals_in_summary = [int(line.split("params: ")[1].split()[0]) for line in lines if "params: " in line]
    assert totals_in_summary == list(totals.values()), "the summary shows different totals"
    return {"layers": [record_of_layer(model, layer) for layer in model.layers], "totals": totals, "summary": lines}
