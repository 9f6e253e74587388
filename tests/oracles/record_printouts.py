"""Record the output of tools for BERT base, for the page that explains each line.

Run by `make verify` in each environment, with its name as the argument:

    python -m tests.oracles.record_printouts current

The `code` of each print-out in `macros/counting/data/printouts/index.toml` runs with a new BERT base with random
weights. Its output is written to a file in the folder of the index, and the versions of packages to `versions.json`.
Print-outs with `environment = "by hand"` need packages that no environment of `make verify` has.
"""

import contextlib
import io
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from macros.counting.published.printouts import FOLDER, VERSIONS_FILE, PrintOut, load_printouts

from .recording import BASE

TOKENS = 128
"""The number of tokens in the text that is passed to profilers."""


def transformers_model(class_name: str) -> Any:
    """A model of transformers with the sizes of BERT base."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(**BASE)
    model = getattr(transformers, class_name)(config)
    if class_name.startswith("TF"):
        model(model.dummy_inputs)  # Keras only counts layers that have been built
        return model
    return model.eval()


def keras_bert_model(_: str) -> Any:
    """The model of keras-bert, with both pre-training heads."""
    import keras_bert

    sizes = {
        "token_num": BASE["vocab_size"],
        "pos_num": BASE["max_position_embeddings"],
        "seq_len": BASE["max_position_embeddings"],
        "embed_dim": BASE["hidden_size"],
        "transformer_num": BASE["num_hidden_layers"],
        "head_num": BASE["num_attention_heads"],
        "feed_forward_dim": BASE["intermediate_size"],
    }
    return keras_bert.get_model(**sizes)


def bert4keras_model(_: str) -> Any:
    """The model of bert4keras, which by default has neither a pooler nor heads."""
    from bert4keras.models import build_transformer_model

    Path("bert_config.json").write_text(json.dumps({**BASE, "hidden_act": "gelu", "hidden_dropout_prob": 0.1}))
    return build_transformer_model("bert_config.json")


BUILDERS: dict[str, Callable[[str], Any]] = {"keras_bert": keras_bert_model, "bert4keras": bert4keras_model}
"""The functions that build models other than those of transformers, by their class in the index."""


def run(print_out: PrintOut) -> str:
    """The output of a print-out's code or command, or the log of Trainer if the code uses it."""
    if print_out.code.startswith("accelerate"):
        return estimate(print_out)
    scope: dict[str, Any] = {"model": BUILDERS.get(print_out.model_class, transformers_model)(print_out.model_class)}
    if "ids" in print_out.code:
        import torch

        scope["ids"] = torch.ones((1, TOKENS), dtype=torch.long)
    output = io.StringIO()
    log = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()), collect_log(log):
        exec(print_out.code, scope)  # noqa: S102 - our own code
    # Trainer logs its numbers, and prints only times, which differ from run to run.
    return log.getvalue() if "Trainer(" in print_out.code else output.getvalue()


@contextlib.contextmanager
def collect_log(log: io.StringIO) -> Any:
    """Collect the log messages of transformers' Trainer."""
    logger = logging.getLogger("transformers.trainer")
    handler = logging.StreamHandler(log)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def estimate(print_out: PrintOut) -> str:
    """The table that accelerate's command prints, for a model from our config instead of the Hub."""
    from accelerate.commands import estimate as command

    command.create_empty_model = lambda *_, **__: transformers_model(print_out.model_class)
    name = print_out.code.split()[-1]
    arguments = command.estimate_command_parser().parse_args([name])
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        command.estimate_command(arguments)
    return output.getvalue()


def main() -> None:
    """Record the print-outs whose environment or name is an argument; exit with an error if one has changed."""
    logging.disable(logging.NOTSET)
    os.environ["DS_ACCELERATOR"] = "cpu"  # otherwise, DeepSpeed prints the time at which it looked for an accelerator
    os.environ["COLUMNS"] = "100"
    print_outs = {
        name: print_out
        for name, print_out in load_printouts().items()
        if {print_out.environment, name} & set(sys.argv[1:])
    }
    versions = json.loads(VERSIONS_FILE.read_text(encoding="utf-8")) if VERSIONS_FILE.exists() else {}
    changed_files = []
    os.chdir(tempfile.mkdtemp())
    for name, print_out in print_outs.items():
        text = "\n".join(line.rstrip() for line in run(print_out).strip("\n").splitlines()) + "\n"
        path = FOLDER / f"{name}.txt"
        if path.exists() and path.read_text(encoding="utf-8") != text:
            changed_files.append(path.name)
        path.write_text(text, encoding="utf-8")
        versions[name] = {package: version(package).split("+")[0] for package in print_out.packages}
        print(f"{path.name}: {len(text.splitlines())} lines")
    VERSIONS_FILE.write_text(json.dumps(dict(sorted(versions.items())), indent=2) + "\n", encoding="utf-8")
    if changed_files:
        sys.exit(f"rewritten, because the output has changed: {', '.join(changed_files)}")


if __name__ == "__main__":
    main()
