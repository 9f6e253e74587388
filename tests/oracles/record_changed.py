"""Record the models that result when PEFT, bitsandbytes, adapters and transformers change a model.

Run by `make verify` in environments A and B, which the README.md in this folder describes:

    python -m tests.oracles.record_changed

With transformers 5, the changes are PEFT's methods, bitsandbytes' storage formats, and
training only biases or LayerNorms; with transformers 4, they are adapters and pruned heads.
Every class of every architecture in transformers 5 is built from a small config, with a
random number of labels unless the class fixes it, and changed in ways that are partly
random, with a fixed seed. For most changes, the recording has the name, shape and
`requires_grad` of every parameter, the library's own total and number of trainable
parameters, and the bytes of buffers. A change that a library refuses is recorded as
refused. Some changes to BERT base, built on torch's meta device, serve as anchors.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from importlib.metadata import version
from itertools import chain, product
from random import Random
from typing import Any

from macros.counting import ARCHITECTURES

from .record_configs import BASES
from .record_operations import POSITION_SETTINGS, shape_of
from .record_peft import ALL_LINEAR, BERT_ENDINGS, ENDINGS_BY_TYPE, MODULES, TASKS, body_of, modules_of_type
from .recording import BASE, build_model, record

SEED = 32
CHANGES_PER_CLASS = 12
CHANGES_TO_ANY_MODULES = 600
"""The seed, the number of random changes to each class, and the number of random changes with arbitrary modules."""

TABLES = {
    "modernbert": ("tok_embeddings",),
    "eurobert": ("embed_tokens",),
    "deberta-v2": ("word_embeddings", "rel_embeddings"),
    "deberta": ("word_embeddings", "rel_embeddings"),
}
"""The tables that are adapted in some architectures, the word table first."""

DEFAULT_TABLES = ("word_embeddings", "position_embeddings")
"""The tables that are adapted in all other architectures."""

LEAVES = (
    "dense",
    "query",
    "key",
    "value",
    "_lin",
    "Wo",
    "Wi",
    "embeddings",
    "embed_tokens",
    "decoder",
    "classifier",
    "out_proj",
)
"""Endings of the names of modules with a matrix or a table."""

ANCHORS = (
    "lora:8:query,value",
    "dora:8:query,value",
    "rslora:8:query,value",
    "ia3",
    "norms",
    "adalora:12:query,value",
    "vera:256:query,value",
    "loha:8:query,value",
    "hira:8:query,value",
    "hra:8:query,value",
    "miss:64:query,value",
    "fourierft:1000:query,value",
    "lokr:8:query,value",
    "lokr:4:query,intermediate:d=6:both=yes",
    "oft:32:query,value",
    "oft:r=12:modules=query",
    "boft:4:query,value",
    "boft:c=6:modules=output",
    "vblora:4:query,value:v=256:w=256",
    "prompt:20",
    "prefix:20",
    "p-tuning:20:128",
    "p-tuning-lstm:20:128",
)
"""Changes to BERT base for sequence classification."""

ADAPTERS = {
    "adalora": ("AdaLoraConfig", "init_r"),
    "vera": ("VeraConfig", "r"),
    "loha": ("LoHaConfig", "r"),
    "hira": ("HiraConfig", "r"),
    "hra": ("HRAConfig", "r"),
    "miss": ("MissConfig", "r"),
    "fourierft": ("FourierFTConfig", "n_frequency"),
    "lokr": ("LoKrConfig", "r"),
    "oft": ("OFTConfig", "oft_block_size"),
    "boft": ("BOFTConfig", "boft_block_size"),
    "vblora": ("VBLoRAConfig", "r"),
}
"""Methods that add tensors to matrices, each with the class of its configuration and the name of its size."""

SIZE_FIELDS = {"d": "decompose_factor", "r": "r", "c": "boft_block_num", "v": "vector_length", "w": "num_vectors"}
"""PEFT's names for the further sizes that methods in `ADAPTERS` may take, by our letter."""

ZEROED_FIELDS = {"r": {"oft_block_size": 0}, "c": {"boft_block_size": 0}}
"""The fields that must be zero if PEFT is given the number of blocks, by our letter for that number."""

METHODS_TO_RUN = ("lora", "rslora", "adalora", "ia3", "norms")
"""Methods whose models also run, so that their operations are recorded."""

TOKENS = 7
"""The number of tokens in each text that a model reads when it runs."""

EAGER_SETTINGS = {**POSITION_SETTINGS, "attn_implementation": "eager"}
"""Settings of a config, with the attention that transformers implements itself, so that torch counts every product."""

PROMPT_METHODS = ("prompt", "p-tuning", "p-tuning-lstm")
"""Methods that put virtual tokens before a text. All but the first have a network with a width."""

CHANGES_WITHOUT_MODULES = ("lora:3", "ia3", "adalora:3", "vera:3")
"""Changes that name no modules, so that PEFT chooses the modules or refuses."""

REFUSAL_LENGTH = 120
"""The maximum length of PEFT's reason in the recording, because some reasons quote a whole module."""

Case = dict[str, Any]


def parameters_of(model: Any) -> list[Any]:
    """The name and shape of every parameter, and whether it is trained."""
    return [[name, list(tensor.shape), tensor.requires_grad] for name, tensor in model.named_parameters()]


def targets(names: list[str], model_type: str) -> str | list[str]:
    """Modules as PEFT takes them: "all-linear", names, or a pattern for full names if any name is our own word."""
    if names == [ALL_LINEAR]:
        return "all-linear"
    endings = dict(
        zip(modules_of_type(model_type, MODULES), ENDINGS_BY_TYPE.get(model_type, BERT_ENDINGS), strict=True)
    )
    if not endings.keys() & set(names):
        return names
    patterns = (rf".*\.{endings[name]}" if name in endings else rf"(.*\.)?{re.escape(name)}" for name in names)
    return "|".join(patterns)


def lora_fields(name: str, positional: list[str], options: dict[str, str], model_type: str) -> dict[str, Any]:
    """The fields of PEFT's configuration of LoRA or one of its variants, without the task and saved modules."""
    return {
        "r": int(positional[0]),
        "target_modules": targets(positional[1].split(","), model_type) if positional[1:] else None,
        "bias": options.get("bias", "none"),
        "trainable_token_indices": list(range(int(options["u"]))) if "u" in options else None,
        **{"dora": {"use_dora": True}, "rslora": {"use_rslora": True}}.get(name, {}),
    }


def adapter_fields(name: str, positional: list[str], options: dict[str, str], model_type: str) -> dict[str, Any]:
    """The fields of PEFT's configuration of a method in `ADAPTERS`, without the task and saved modules."""
    _, size = ADAPTERS[name]
    module_text = options.get("modules", positional[1] if positional[1:] else "")
    fields: dict[str, Any] = {size: int(positional[0])} if positional else {}
    fields["target_modules"] = targets(module_text.split(","), model_type) if module_text else None
    for letter in SIZE_FIELDS.keys() & options.keys():
        fields |= {SIZE_FIELDS[letter]: int(options[letter]), **ZEROED_FIELDS.get(letter, {})}
    if "both" in options:
        fields["decompose_both"] = True
    if name == "adalora":
        fields |= {"total_step": 10, "target_r": 1}
    return fields


def config_of(change: str, model_type: str, task: str | None, sizes: dict[str, int]) -> Any:
    """PEFT's configuration for a change."""
    import peft

    name, *arguments = change.split(":")
    options = dict(argument.split("=") for argument in arguments if "=" in argument)
    positional = [argument for argument in arguments if "=" not in argument]
    task = None if options.get("task") == "none" else task
    save = options["save"].split(",") if "save" in options else None
    if name in ("lora", "dora", "rslora"):
        return peft.LoraConfig(
            **lora_fields(name, positional, options, model_type), modules_to_save=save, task_type=task
        )
    if name in ADAPTERS:
        fields = adapter_fields(name, positional, options, model_type)
        return getattr(peft, ADAPTERS[name][0])(**fields, modules_to_save=save, task_type=task)
    if name == "ia3":
        feedforward = options.get("feedforward")
        default: list[str] | None = [] if positional else None
        return peft.IA3Config(
            target_modules=targets(positional[0].split(","), model_type) if positional else None,
            feedforward_modules=targets(feedforward.split(","), model_type) if feedforward else default,
            modules_to_save=save,
            task_type=task,
        )
    if name == "norms":
        # ModernBERT's first layer has a module without weights in place of a LayerNorm, which PEFT cannot copy.
        return peft.LNTuningConfig(target_modules=r"(?!.*\.0\.attn_norm).*([nN]orm(_after)?|\.ln)", task_type=task)
    tokens = int(positional[0])
    width = int(positional[1]) if positional[1:] else None
    common = {"num_virtual_tokens": tokens, "task_type": task or "FEATURE_EXTRACTION", **sizes}
    if name == "prompt":
        return peft.PromptTuningConfig(**common)
    if name == "prefix":
        return peft.PrefixTuningConfig(**common, prefix_projection=bool(width), encoder_hidden_size=width)
    kind = "LSTM" if name == "p-tuning-lstm" else "MLP"
    return peft.PromptEncoderConfig(**common, encoder_hidden_size=width, encoder_reparameterization_type=kind)


def adapted_model(model: Any, method: Any) -> Any:
    """The model as PEFT changes it on a CPU in float32, where it is usually adapted.

    There, AdaLoRA's `ranknum` is not trained. PEFT makes `ranknum` trainable by mistake when moving it, for example
    from a CPU to a graphics card or to the meta device. `ranknum` is therefore created on the device of the model.
    """
    from peft import AdaLoraConfig, get_peft_model

    with model.device if isinstance(method, AdaLoraConfig) else nullcontext():
        return get_peft_model(model, method)


def forward_of(model: Any, class_name: str) -> Case:
    """The operations that torch counts for a batch, and the size of the batch; empty for question answering."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    if class_name.endswith("QuestionAnswering"):
        return {}  # it only runs with two labels, but here their number is random
    ids = torch.zeros(shape_of(class_name, 2, TOKENS), dtype=torch.long)
    with FlopCounterMode(display=False) as counter:
        model(input_ids=ids)
    return {"forward": counter.get_total_flops(), "batch": ids.numel() // TOKENS, "tokens": TOKENS}


def with_peft(model_type: str, config: Case, class_name: str, change: str, *, is_run: bool = False) -> Case:
    """The case of a model that PEFT changes, or refuses to change. If `is_run`, the model may also read a batch."""
    task = next((task for ending, task in TASKS.items() if class_name.endswith(ending)), None)
    model = build_model(model_type, config, class_name)
    built_config = model.config
    sizes = {"token_dim": built_config.hidden_size, "num_layers": built_config.num_hidden_layers}
    sizes["num_attention_heads"] = built_config.num_attention_heads
    common = {"model_type": model_type, "config": config, "class": class_name, "change": change}
    try:
        changed_model = adapted_model(model, config_of(change, model_type, task, sizes))
    except (AttributeError, TypeError, ValueError) as error:
        return {**common, "refused": f"{type(error).__name__}: {error}"[:REFUSAL_LENGTH]}
    trainable, total = changed_model.get_nb_trainable_parameters()
    numbers = {"trainable": trainable, "total": total, "buffers": bytes_of_buffers(changed_model)}
    # Sparse attention needs longer texts; `record_operations` records its operations.
    is_counted = change.partition(":")[0] in METHODS_TO_RUN and not ARCHITECTURES[model_type].sparse_attention
    if is_run and is_counted and not re.search("(embeddings|embed_tokens):", f"{change}:"):
        model = build_model(model_type, {**EAGER_SETTINGS, **config}, class_name, device="cpu")
        # Some models with individually trained tokens do not run in PEFT.
        with suppress(AttributeError):
            numbers |= forward_of(adapted_model(model, config_of(change, model_type, task, sizes)), class_name)
    return {**common, **numbers, "parameters": parameters_of(changed_model)}


def adapter_change(chance: Random, method: str, size: int, modules: list[str]) -> str:
    """A random change to `modules` by a method in `ADAPTERS`, with the given size or, for BOFT, perhaps another."""
    names = ",".join(modules)
    if method == "lokr":
        factor = chance.choice(("", f":d={chance.randint(1, 12)}"))
        return f"lokr:{size}:{names}{factor}{chance.choice(('', ':both=yes'))}"
    if method in ("oft", "boft") and chance.random() < 0.4:
        return f"{method}:{'r' if method == 'oft' else 'c'}={size}:modules={names}"
    if method == "boft":
        # Other sizes would hardly ever divide the widths of all matrices.
        return f"boft:{chance.choice((1, 2, 4, 5, size))}:{names}"
    if method == "vblora":
        return f"vblora:{size}:{names}:v={chance.choice((1, 2, 4, size))}:w={chance.randint(1, 9)}"
    return f"{method}:{size}:{names}"


def random_change(chance: Random, model_type: str, class_name: str) -> str:
    """A random change by one of PEFT's methods to a class of the model type."""
    method = chance.choice(
        ("lora", "lora", "dora", "rslora", "ia3", "norms", "prefix", "prefix", *PROMPT_METHODS, *ADAPTERS)
    )
    task = chance.choice(("", "", ":task=none"))
    size = chance.randint(1, 40)
    width = chance.randint(1, 30)
    if method in ("prefix", *PROMPT_METHODS):
        has_width = method in PROMPT_METHODS[1:] or (method == "prefix" and chance.random() < 0.5)
        return f"{method}:{size}{f':{width}' if has_width else ''}{task}"
    if method == "norms":
        return f"norms{task}"
    modules = modules_of_type(model_type, MODULES)
    tables = TABLES.get(model_type, DEFAULT_TABLES)
    adapted_modules = chance.sample(modules, chance.randint(1, len(modules)))
    save = "" if "Model" in class_name[-5:] or chance.random() < 0.7 else f":save={tables[0]}"
    if method == "ia3":
        feedforward = [module for module in adapted_modules if chance.random() < 0.5]
        option = f":feedforward={','.join(feedforward)}" if feedforward else ""
        return f"ia3:{','.join(adapted_modules)}{option}{task}"
    if method in ADAPTERS:
        return f"{adapter_change(chance, method, size, adapted_modules)}{save}{task}"
    if chance.random() < 0.25 and not save:
        adapted_modules = [chance.choice(tables)]
    if task and not save and chance.random() < 0.3:
        adapted_modules = [ALL_LINEAR]  # with a task, PEFT either skips a head that it copies or refuses
    tokens = f":u={width}" if not save and adapted_modules[0] not in tables and chance.random() < 0.25 else ""
    bias = chance.choice(("", "", ":bias=all", ":bias=lora_only"))
    return f"{method}:{size}:{','.join(adapted_modules)}{bias}{save}{task}{tokens}"


def change_to_any_modules(chance: Random, model: Any, model_type: str) -> str:
    """A random change to arbitrary modules with parameters, whether or not PEFT can make it."""
    # The first layer of ModernBERT has an `attn_norm` without weights, and PEFT calls the whole model `model`, too.
    names = [name for name, module in model.named_modules() if any(True for _ in module.parameters())]
    names = [name for name in names if name and not name.endswith(("attn_norm", "model"))]

    def ending() -> str:
        """The last components of the name of a random module."""
        steps = chance.choice(names).split(".")
        name = ".".join(steps[-chance.choice((1, 1, 1, 2, 2, 3, 5)) :])
        # A number alone might also match the end of one of PEFT's own names, such as `hada_t1`.
        return ending() if name.isdigit() else name

    def endings(at_most: int) -> list[str]:
        """Up to `at_most` different endings."""
        return list(dict.fromkeys(ending() for _ in range(chance.randint(1, at_most))))

    words = chance.sample(modules_of_type(model_type, MODULES), chance.randint(1, 3))
    matrices = [name.rpartition(".")[2] for name in names if name.endswith(LEAVES)]
    modules = chance.choice((words, words, [ALL_LINEAR], endings(3), [chance.choice(matrices), *words[:1]]))
    save = f":save={','.join(endings(2))}" if chance.random() < 0.7 else ""
    task = chance.choice(("", "", ":task=none"))
    method = chance.choice(("lora", "lora", "dora", "ia3", *chance.sample([*ADAPTERS], 2)))
    if method == "ia3":
        feedforward = f":feedforward={chance.choice(modules)}" if chance.random() < 0.4 else ""
        return f"ia3:{','.join(dict.fromkeys(modules))}{feedforward}{save}{task}"
    if method in ADAPTERS:
        return f"{adapter_change(chance, method, chance.randint(1, 9), [*dict.fromkeys(modules)])}{save}{task}"
    bias = chance.choice(("", "", ":bias=all", ":bias=lora_only"))
    tokens = f":u={chance.randint(1, 30)}" if chance.random() < 0.2 else ""
    return f"{method}:{chance.randint(1, 9)}:{','.join(dict.fromkeys(modules))}{bias}{save}{task}{tokens}"


def with_random_switches(chance: Random, model_type: str, config: Case) -> Case:
    """A config in which some of the switches of its architecture have random values."""
    architecture = ARCHITECTURES[model_type]
    switches = [*architecture.flags, *filter(None, (symbol.only_if for symbol in architecture.symbols))]
    sample = chance.sample(switches, chance.randint(0, len(switches)))
    return {**config, **{key: chance.choice((True, False)) for key in sample}}


def cases_of_any_modules(seed: int, number: int) -> Iterator[Case]:
    """Random classes with random changes to arbitrary modules."""
    chance = Random(seed)  # noqa: S311
    every_class = [*classes()]
    for _ in range(number):
        model_type, config, class_name = chance.choice(every_class)
        is_tied = chance.random() < 0.8
        variant = {**with_random_switches(chance, model_type, config), "tie_word_embeddings": is_tied}
        change = change_to_any_modules(chance, build_model(model_type, variant, class_name), model_type)
        yield with_peft(model_type, variant, class_name, change)


def classes() -> Iterator[tuple[str, Case, str]]:
    """The model type, a small config and the name of every class. The number of labels is random unless it is fixed."""
    chance = Random(SEED)  # noqa: S311
    for model_type, config in BASES.items():
        for model_class in ARCHITECTURES[model_type].classes:
            labels = model_class.required_labels or chance.randint(2, 9)
            yield model_type, {**config, "num_labels": labels}, model_class.name


def cases_of_training() -> Iterator[Case]:
    """Yield the cases of models that are trained with PEFT or, without it, in part."""
    chance = Random(SEED)  # noqa: S311
    for model_type, config, class_name in classes():
        module = modules_of_type(model_type, MODULES)[0]
        fixed_changes = (*CHANGES_WITHOUT_MODULES, "prefix:4", f"dora:2:{module}", f"lora:2:{module}")
        for change in (
            *fixed_changes,
            *(random_change(chance, model_type, class_name) for _ in range(CHANGES_PER_CLASS)),
        ):
            yield with_peft(model_type, config, class_name, change, is_run=True)
    for model_type, config, class_name in flagged_classes(chance):
        module = modules_of_type(model_type, MODULES)[0]
        changes_with_biases = (f"lora:3:{module}:bias={word}" for word in ("all", "lora_only"))
        for change in (
            *changes_with_biases,
            *(random_change(chance, model_type, class_name) for _ in range(CHANGES_PER_CLASS // 2)),
        ):
            yield with_peft(model_type, config, class_name, change)
    for model_type, config, class_name in classes():
        for change, pattern in TRAINABLE_NAMES.items():
            yield trained_in_part(model_type, config, class_name, change, pattern)
    yield from cases_of_any_modules(SEED, CHANGES_TO_ANY_MODULES)
    for change in ANCHORS:
        yield with_peft("bert", BASE, "BertForSequenceClassification", change)


TRAINABLE_NAMES = {"bitfit": "bias$", "layernorm": r"([nN]orm(_after)?|\bln)\."}
"""Patterns for the parameters of the body that a change trains. The head is always trained."""


def trained_in_part(model_type: str, config: Case, class_name: str, change: str, pattern: str) -> Case:
    """The case of a model that trains only the head and the parameters of the body that match `pattern`."""
    model = build_model(model_type, config, class_name)
    body = {id(tensor) for tensor in body_of(model).parameters()}
    for name, tensor in model.named_parameters():
        tensor.requires_grad_(id(tensor) not in body or bool(re.search(pattern, name)))
    numbers = {"trainable": model.num_parameters(only_trainable=True), "total": model.num_parameters()}
    common = {"model_type": model_type, "config": config, "class": class_name, "change": change}
    return {**common, **numbers, "parameters": parameters_of(model)}


QUANTISATION: dict[str, Case] = {
    "int8": {"load_in_8bit": True},
    "int4": {"load_in_4bit": True},
    "nf4-double": {"load_in_4bit": True, "bnb_4bit_use_double_quant": True, "bnb_4bit_quant_type": "nf4"},
}
"""The settings of bitsandbytes for each storage format."""


def bytes_of_scales(weight: Any) -> int:
    """The bytes of the scales that bitsandbytes stores with a packed weight."""
    state = getattr(weight, "quant_state", None)
    if state is None:
        rows = getattr(weight, "SCB", None)
        return 0 if rows is None else int(rows.numel() * rows.element_size())
    scales = [state.absmax] + ([state.state2.absmax, state.offset] if state.nested else [])
    return sum(scale.numel() * scale.element_size() for scale in scales)


TYPES_JOINED_IN_FILES = ("nomic_bert", "gte", "jina_embeddings_v3")
"""The model types whose files join projections into one matrix.

transformers cannot pack only some of the joined projections.
"""

JOINED_ENDINGS = ("q_proj", "k_proj", "v_proj", "gate_proj", "up_proj")
"""Endings of the names of the joined projections."""


def random_skip(chance: Random, model: Any) -> str:
    """A random part of a dense layer's name. Layers whose names begin or end with it are not packed."""
    from torch.nn import Linear

    linear = [name for name, module in model.named_modules() if isinstance(module, Linear)]
    is_joined = model.config.model_type in TYPES_JOINED_IN_FILES
    # The decoder of these models is never packed, so it cannot be an exception either.
    names = [name for name in linear if not (is_joined and name.endswith((*JOINED_ENDINGS, "decoder")))]
    pieces = chance.choice(names).split(".")
    start = chance.choice((0, chance.randrange(len(pieces))))
    return ".".join(pieces[start : chance.choice((len(pieces), chance.randint(start + 1, len(pieces))))])


def cases_of_bitsandbytes() -> Iterator[Case]:
    """Every class in every storage format, packed entirely and with a random exception."""
    import transformers

    chance = Random(SEED)  # noqa: S311
    for model_type, config, class_name in classes():
        transformers_class = getattr(transformers, class_name)
        with tempfile.TemporaryDirectory() as folder:
            unpacked_model = transformers_class(transformers.CONFIG_MAPPING[model_type](**config))
            unpacked_model.save_pretrained(folder)
            for (change, settings), packs_all in product(QUANTISATION.items(), (True, False)):
                skip = "" if packs_all else random_skip(chance, unpacked_model)
                quantisation = transformers.BitsAndBytesConfig(
                    **settings, llm_int8_skip_modules=[skip] if skip else None
                )
                model = transformers_class.from_pretrained(folder, quantization_config=quantisation, device_map="cpu")
                parameters = list(model.parameters())
                yield {
                    "model_type": model_type,
                    "config": config,
                    "class": class_name,
                    "change": f"{change}:{skip}" if skip else change,
                    "trainable": sum(tensor.numel() for tensor in parameters if tensor.requires_grad),
                    "total": model.num_parameters(),
                    "elements": sum(tensor.numel() for tensor in parameters),
                    "weights": sum(tensor.numel() * tensor.element_size() for tensor in parameters),
                    "scales": sum(map(bytes_of_scales, parameters)),
                    "footprint": model.get_memory_footprint(),
                }


def untied_classes() -> Iterator[tuple[str, Case, str]]:
    """The classes with a tied tensor, each with a config that unties the decoder."""
    for model_type, config, class_name in classes():
        if any(row.tied_to for row in ARCHITECTURES[model_type].rows_of(class_name)):
            yield model_type, {**config, "tie_word_embeddings": False}, class_name


def flagged_classes(chance: Random) -> Iterator[tuple[str, Case, str]]:
    """The classes of architectures with flags, such as those for biases: with all flags, and with random switches."""
    for model_type, config, class_name in classes():
        if flags := ARCHITECTURES[model_type].flags:
            yield model_type, {**config, **dict.fromkeys(flags, True)}, class_name
            yield model_type, with_random_switches(chance, model_type, config), class_name


def bytes_of_buffers(model: Any) -> int:
    """The bytes of a model's buffers."""
    return sum(buffer.nbytes for buffer in model.buffers())


def with_adapters(common: Case, chance: Random) -> Iterator[Case]:
    """A class with each kind of adapter, recorded as refused if the library does not support the model."""
    import adapters
    import transformers
    from adapters import DoubleSeqBnConfig, SeqBnConfig

    model_type = common["model_type"]
    config = common["config"]
    class_name = common["class"]
    for name, config_class in {"houlsby": DoubleSeqBnConfig, "pfeiffer": SeqBnConfig}.items():
        model = getattr(transformers, class_name)(
            transformers.CONFIG_MAPPING[model_type](**{**EAGER_SETTINGS, **config})
        )
        width = chance.choice([number for number in range(1, 21) if 20 % number == 0])
        try:
            adapters.init(model)
        except ValueError as error:
            if "not pre-supported" not in str(error):
                raise
            yield {**common, "change": f"{name}:{width}", "refused": True}
            continue
        model.add_adapter("default", config=config_class(reduction_factor=20 / width))
        model.train_adapter("default")
        total = model.num_parameters()
        trainable = model.num_parameters(only_trainable=True)
        numbers = {"change": f"{name}:{width}", "trainable": trainable, "total": total}
        # Only in transformers 4 are ModernBERT's rotations a matrix product, so its operations differ there.
        if model_type != "modernbert" and not ARCHITECTURES[model_type].sparse_attention:
            numbers |= forward_of(model, class_name)
        yield {**common, **numbers, "buffers": bytes_of_buffers(model), "parameters": parameters_of(model)}


def cases_of_transformers_4() -> Iterator[Case]:
    """Every class with adapters, and with randomly pruned heads unless its layers share them.

    Variants with an untied decoder or other flags are included. Classes that transformers 4 lacks count as refused.
    """
    import transformers

    chance = Random(SEED)  # noqa: S311
    for model_type, config, class_name in (*classes(), *untied_classes(), *flagged_classes(chance)):
        common = {"model_type": model_type, "config": config, "class": class_name}
        if not hasattr(transformers, class_name):
            for name in ("houlsby", "pfeiffer", "pruned"):
                yield {**common, "change": f"{name}:2", "refused": True}
            continue
        yield from with_adapters(common, chance)
        if model_type == "albert":
            continue  # not counted, because its layers share their heads
        model = getattr(transformers, class_name)(transformers.CONFIG_MAPPING[model_type](**config))
        layers = model.config.num_hidden_layers
        heads = model.config.num_attention_heads
        pruned_heads = {layer: chance.sample(range(heads), chance.randint(0, heads - 1)) for layer in range(layers)}
        if number := sum(map(len, pruned_heads.values())):
            common["change"] = f"pruned:{number}"
            try:
                model.prune_heads({layer: indices for layer, indices in pruned_heads.items() if indices})
            except (AttributeError, NotImplementedError):
                yield {**common, "refused": True}
                continue
            total = model.num_parameters()
            yield {**common, "trainable": total, "total": total, "buffers": bytes_of_buffers(model)}


def main() -> None:
    """Build everything and write the recording; fail if it differs from the previous one."""
    if version("transformers").startswith("4"):
        record("recorded_adapters.json.gz", ("adapters", "transformers", "torch"), cases_of_transformers_4())
        return
    packages = ("peft", "bitsandbytes", "transformers", "torch")
    record("recorded_methods.json.gz", packages, chain(cases_of_training(), cases_of_bitsandbytes()))


if __name__ == "__main__":
    main()
