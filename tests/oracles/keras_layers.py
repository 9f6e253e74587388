"""Reads a Keras 2 model layer by layer, as its summary shows it."""

from math import prod
from typing import Any


def connections(model: Any, layer: Any) -> list[str]:
    """The sources of a layer's inputs, as in the column "Connected to", but not broken into lines."""
    return [
        f"{source.name}[{node_index}][{tensor_index}]"
        for node in nodes(model, layer)
        for source, node_index, tensor_index, _ in node.iterate_inbound()
    ]


def nodes(model: Any, layer: Any) -> list[Any]:
    """The calls of a layer that are part of this model, in order."""
    of_model = [node for level in model._nodes_by_depth.values() for node in level]
    return [node for node in layer._inbound_nodes if any(node is other for other in of_model)]


def output_shape(layer: Any) -> Any:
    """A layer's output shape in the summary: "multiple" if its calls differ."""
    try:
        return layer.output_shape
    except AttributeError:
        return "multiple"


def record_of_layer(model: Any, layer: Any) -> dict[str, Any]:
    """A layer: its row in the summary, the output shape of every call, and its weights."""
    return {
        "name": layer.name,
        "class": type(layer).__name__,
        "output_shape": output_shape(layer),
        "call_shapes": [node.output_shapes for node in nodes(model, layer)],
        "parameters": layer.count_params(),
        "connected_to": connections(model, layer),
        "weights": [[weight.name, list(weight.shape)] for weight in layer.weights],
    }


def size(weights: list[Any]) -> int:
    """The number of elements of some weights."""
    return sum(prod(weight.shape) for weight in weights)


def record_of(model: Any) -> dict[str, Any]:
    """The layers of a model in the summary's order, the three totals, and the lines of the summary."""
    lines: list[str] = []
    model.summary(line_length=98, print_fn=lines.append)
    totals = {
        "total": model.count_params(),
        "trainable": size(model.trainable_weights),
        "non-trainable": size(model.non_trainable_weights),
    }
    in_summary = [int(line.split("params: ")[1].split()[0]) for line in lines if "params: " in line]
    assert in_summary == list(totals.values()), "the summary shows other totals"
    return {"layers": [record_of_layer(model, layer) for layer in model.layers], "totals": totals, "summary": lines}
