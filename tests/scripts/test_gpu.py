"""Texts about a GPU's memory are read, and their amounts are not mistaken for parameter counts."""

from typing import Any

import pytest

from tests.scripts.running import Scripts

FULL_GPU_ERRORS = {
    # torch 1.13
    "CUDA out of memory. Tried to allocate 192.00 MiB (GPU 0; 15.90 GiB total capacity; 14.51 GiB already allocated; "
    "3.81 MiB free; 14.61 GiB reserved in total by PyTorch)": ("14.51 GiB", "15.90 GiB", "192.00 MiB"),
    # torch 2.1, which misspells a word
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 24.00 MiB. GPU 0 has a total capacty of 15.77 "
    "GiB of which 12.12 MiB is free. Process 12345 has 15.76 GiB memory in use. Of the allocated memory 14.31 GiB is "
    "allocated by PyTorch, and 489.56 MiB is reserved by PyTorch but unallocated.": (
        "14.31 GiB",
        "15.77 GiB",
        "24.00 MiB",
    ),
    # torch 2.13
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.68 GiB "
    "of which 12.31 MiB is free. Including non-PyTorch memory, this process has 23.66 GiB memory in use. Of the "
    "allocated memory 23.10 GiB is allocated by PyTorch, and 302.21 MiB is reserved by PyTorch but unallocated.": (
        "23.10 GiB",
        "23.68 GiB",
        "20.00 MiB",
    ),
}
"""Errors about a full GPU, with the memory that tensors took, the memory of the GPU, and the request."""


def account(scripts: Scripts, text: str) -> dict[str, Any]:
    """The account of a text, with sentences as plain text."""
    (result,) = scripts.call("accountsAsTexts", [text])
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("text", FULL_GPU_ERRORS)
def test_errors_about_a_full_gpu_are_read(scripts: Scripts, text: str) -> None:
    allocation, capacity, request = FULL_GPU_ERRORS[text]
    result = account(scripts, text)
    expected = (
        f"The step did not fit: tensors took {allocation} of the GPU's {capacity}, "
        f"and PyTorch asked for another {request}."
    )
    assert expected == result["headline"]
    assert any(
        finding.startswith(f"{request} is the size of the block that PyTorch asked for")
        for finding in result["findings"]
    )
    assert not any("any number of bytes" in finding for finding in result["findings"])


WORDS_BY_BLOCK_SIZE = {
    "2.00 MiB": "Any tensor of at most 1 MiB",
    "20.00 MiB": "Every tensor above 1 MiB and below 10 MiB gets a block of 20 MiB, as does one of more than 18",
    # 4 x 30,522 x 768 = 93,763,584, which is 89.4 MiB
    "90.00 MiB": "the word embeddings of BERT base, uncased, in float32 (93,763,584 bytes)",
    "120.00 MiB": "the word embeddings of BERT large, uncased, in float32 (125,018,112 bytes)",
    "46.00 MiB": "the word embeddings of BERT base, uncased, in float16 (46,881,792 bytes)",
    # 4 x 32 x 12 x 512 x 512 = 384 MiB
    "384.00 MiB": "the attention scores of one layer of BERT base, uncased, for 32 texts of 512 tokens",
    "2.00 GiB": "a multiple of 2 MiB, and then printed to a hundredth of a GiB",
}
"""Sizes of blocks, each with words about the tensors that may have requested one.

The CUDA allocator rounds requests between 1 and 10 MiB up to 20 MiB, and larger ones up to a multiple of 2 MiB.
"""


@pytest.mark.parametrize("size", WORDS_BY_BLOCK_SIZE)
def test_a_block_is_traced_to_tensors(scripts: Scripts, size: str) -> None:
    result = account(scripts, f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {size}.")
    assert any(WORDS_BY_BLOCK_SIZE[size] in finding for finding in result["findings"]), result["findings"]


OTHER_ERRORS = {
    "RuntimeError: MPS backend out of memory (MPS allocated: 17.36 GB, other allocations: 613.56 MB, max allowed: "
    "18.13 GB). Tried to allocate 192.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper "
    "limit for memory allocations (may cause system failure).": (
        "tensors took 17.36 GB of the 18.13 GB that PyTorch may take, and one more tensor needed 192.00 MB.",
        # Half of 0.01 MiB, because PyTorch divides by 1024.
        "within 5,243 of it",
        "powers of two: its MB and GB are MiB and GiB.",
    ),
    "MPS backend out of memory (MPS allocated: 15.72 GiB, other allocations: 2.41 MiB, max allowed: 18.13 GiB). Tried "
    "to allocate 5.81 GiB on private pool.": (
        "tensors took 15.72 GiB of the 18.13 GiB that PyTorch may take, and one more tensor needed 5.81 GiB.",
        "5.81 GiB is rounded",
    ),
    "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.98 GiB of "
    "which 0 bytes is free. Of the allocated memory 21.50 GiB is allocated by PyTorch, and 302.21 MiB is reserved by "
    "PyTorch but unallocated.": (
        "tensors took 21.50 GiB of the GPU's 23.98 GiB, and PyTorch asked for another 2.00 GiB.",
    ),
    "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried "
    "to allocate 4831838208 bytes. Error code 12 (Cannot allocate memory)": (
        "the computer's memory was full, and one more tensor needed 4,831,838,208 bytes (4.50 GiB).",
    ),
    "RuntimeError: [enforce fail at ..\\c10\\core\\impl\\alloc_cpu.cpp:72] data. DefaultCPUAllocator: not enough "
    "memory: you tried to allocate 49152 bytes.": ("memory was full, and one more tensor needed 49,152 bytes.",),
    "ResourceExhaustedError: OOM when allocating tensor with shape[16,12,512,512] and type float on "
    "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:BatchMatMulV2]": (
        "The step did not fit: the GPU's memory was full.",
        # 16 x 12 x 512 x 512 x 4
        "The tensor of shape 16 × 12 × 512 × 512 takes 4 bytes per element, 201,326,592 in all.",
        "attention scores of a layer have this shape for 16 texts of 512 tokens and 12 heads",
    ),
    "OOM when allocating tensor with shape[209715200,30] and type double on /job:localhost/device:CPU:0": (
        "The step did not fit: the computer's memory was full.",
        "takes 8 bytes per element, 50,331,648,000 in all.",
    ),
    "Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.50GiB (rounded to 1610612736)requested by op add": (
        "the GPU's memory was full, and one more tensor needed 1.50 GiB.",
        "TensorFlow rounds a request up to a multiple of 256 bytes: here, to 1,610,612,736.",
    ),
    "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4831838208 bytes.": (
        "the GPU's memory was full, and one more tensor needed 4,831,838,208 bytes (4.50 GiB).",
    ),
    "RuntimeError: Resource exhausted: Out of memory allocating 17179869184 bytes.": (
        "the GPU's memory was full, and one more tensor needed 17,179,869,184 bytes (16.00 GiB).",
    ),
    "RESOURCE_EXHAUSTED: Failed to allocate request for 384.00MiB (402653184B) on device ordinal 0": (
        "the GPU's memory was full, and one more tensor needed 402,653,184 bytes.",
    ),
    "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 18.27G of 15.48G "
    "hbm. Exceeded hbm capacity by 2.79G.": ("The step did not fit: the TPU's memory was full.",),
    "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 192.00 MiB. GPU 0 has a total capacity of 15.91 GiB. "
    "Of the allocated memory 15.20 GiB is allocated by PyTorch, and 210.50 MiB is reserved by PyTorch.": (
        "tensors took 15.20 GiB of the GPU's 15.91 GiB, and PyTorch asked for another 192.00 MiB.",
        "the tensor takes more than 190 MiB and at most 192 MiB",
    ),
    "RuntimeError: NPU out of memory. Tried to allocate 192.00 MiB (NPU 0; 29.50 GiB total capacity; 27.11 GiB already "
    "allocated; 27.11 GiB current active; 84.32 MiB free; 28.01 GiB reserved in total by PyTorch)": (
        "tensors took 27.11 GiB of the NPU's 29.50 GiB, and PyTorch asked for another 192.00 MiB.",
    ),
    "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 89.4 MiB for an array with shape (30522, 768) and "
    "data type float32": (
        "the computer's memory was full, and one more tensor needed 89.4 MiB.",
        "The tensor of shape 30,522 × 768 takes 4 bytes per element, 93,763,584 in all.",
    ),
}
"""Errors from other back ends, quoted from bug reports and source code, with words that their answers contain."""


@pytest.mark.parametrize("text", OTHER_ERRORS)
def test_errors_from_other_back_ends_are_read(scripts: Scripts, text: str) -> None:
    result = account(scripts, text)
    sentences = [result["headline"], *result["findings"]]
    assert [] == [words for words in OTHER_ERRORS[text] if not any(words in sentence for sentence in sentences)], (
        sentences
    )


# --- Counters -------------------------------------------------------------------------

MEMORY_SUMMARY = """
|===========================================================================|
|                  PyTorch CUDA memory summary, device ID 0                 |
|---------------------------------------------------------------------------|
|            CUDA OOMs: 0            |        cudaMalloc retries: 0         |
|===========================================================================|
|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
|---------------------------------------------------------------------------|
| Allocated memory      |   1678 MiB |   4476 MiB |  28172 MiB |  26494 MiB |
|       from large pool |   1677 MiB |   4475 MiB |  28160 MiB |  26483 MiB |
|---------------------------------------------------------------------------|
| GPU reserved memory   |   4826 MiB |   4826 MiB |   4826 MiB |      0 B   |
"""
"""The beginning of the output of `torch.cuda.memory_summary`."""

TWO_GPUS = """
| N/A   61C    P0    70W /  70W |  10203MiB / 15360MiB |    100%      Default |
| N/A   48C    P8    10W /  70W |      3MiB / 15360MiB |      0%      Default |
"""
"""Two lines of nvidia-smi's table."""

SMI_QUERY = """
    FB Memory Usage
        Total                             : 15360 MiB
        Reserved                          : 253 MiB
        Used                              : 10203 MiB
        Free                              : 4903 MiB
"""
"""A part of the output of `nvidia-smi -q`."""

STATISTICS = "{'allocated_bytes.all.current': 437935112, 'allocated_bytes.all.peak': 4693722528}"
"""Two of the entries that `torch.cuda.memory_stats` returns."""

SMI_LINES = """
| N/A   61C    P0    70W /  70W |  10203MiB / 15360MiB |    100%      Default |
| Processes:                                                                  |
|  GPU   GI   CI        PID   Type   Process name                  GPU Memory |
|    0   N/A  N/A     12345      C   /usr/bin/python3                10101MiB |
"""
"""Lines of nvidia-smi about a GPU and the process that uses it."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch.cuda.max_memory_allocated(): 4693722528", "PyTorch has had at most 4,693,722,528 bytes (4.37 GiB) in"),
        ("max_memory_allocated 4,476.3 MiB", "PyTorch has had at most 4,476.3 MiB in tensors on the GPU."),
        ("print(torch.cuda.memory_allocated() / 1024**2)\n418.6", "PyTorch now has 418.6 MiB in tensors on the GPU."),
        ("torch.cuda.max_memory_allocated() / 2**30: 4.47", "PyTorch has had at most 4.47 GiB in tensors"),
        (">>> torch.cuda.max_memory_allocated()\n2293430592", "at most 2,293,430,592 bytes (2.14 GiB) in tensors"),
        ("|  1037MiB /  15360MiB |", "1037 MiB of the GPU's 15360 MiB is in use"),
        ("memory_reserved: 12.5 GiB", "PyTorch now has 12.5 GiB reserved on the GPU"),
        (
            "|  N/A   61C    P0    70W /  70W |  10203MiB / 15360MiB |    100%      Default |",
            "10203 MiB of the GPU's 15360",
        ),
        ("memory.used [MiB], memory.total [MiB]\n10203 MiB, 15360 MiB", "10203 MiB of the GPU's 15360 MiB is in use"),
        (
            "|    0   N/A  N/A     12345      C   python      15203MiB |",
            "The process python takes 15203 MiB of the GPU's memory",
        ),
        (
            "|    0     12345      C   python3.11      903MiB |",
            "The process python3.11 takes 903 MiB of the GPU's memory.",
        ),
        (
            MEMORY_SUMMARY,
            "now has 1678 MiB in tensors on the GPU, has had at most 4476 MiB, and has reserved at most 4826 MiB.",
        ),
        # Code, pasted together with its output.
        ("print(f'{torch.cuda.max_memory_allocated()/1e9:.2f} GB')\n4.69 GB", "has had at most 4.69 GB in tensors"),
        ("max_memory_allocated() / (1024 * 1024): 4476.3", "has had at most 4476.3 MiB in tensors"),
        (
            "max_memory_allocated: 4476.3",
            "at most 4476.3 in tensors on the GPU, in a unit that the text does not give.",
        ),
        ("max_memory_reserved 13.9 GiB, max_memory_allocated 12.2 GiB", "PyTorch has had at most 12.2 GiB in tensors"),
        (STATISTICS, "PyTorch has had at most 4,693,722,528 bytes (4.37 GiB) in tensors on the GPU."),
        ("Max memory allocated: 4476.32 MB", "4476.32 MB is the most memory that was in use."),
        ("peak memory: 4.37 GB", "4.37 GB is the most memory that was in use."),
        ("nvidia-smi shows 11GB used", "11 GB of the GPU's memory is in use, by all programs together."),
        ("why 1432 MiB in nvidia-smi?\n", "1432 MiB of the GPU's memory is in use, by all programs together."),
        ("GPU memory occupied: 10203 MB.", "10203 MB of memory is in use."),
        ("Memory Usage:\nAllocated: 0.4 GB\nCached:    0.5 GB", "0.4 GB of memory is in use."),
        (TWO_GPUS, "10203 MiB of one GPU's 15360 MiB is in use"),
        (SMI_QUERY, "10203 MiB of the GPU's 15360 MiB is in use"),
        ("[0] Tesla T4 | 61°C, 100 % | 10203 / 15360 MB | user(10198M)", "10203 MiB of the GPU's 15360 MiB is in use"),
        ("memory.used [MiB]\n10203 MiB", "10203 MiB of the GPU's memory is in use"),
        (
            "name, memory.total [MiB], memory.used [MiB]\nTesla T4, 15360 MiB, 10203 MiB",
            "10203 MiB of the GPU's 15360 MiB",
        ),
        (SMI_LINES, "10203 MiB of the GPU's 15360 MiB is in use, by all programs together."),
    ],
)
def test_memory_counters_are_read(scripts: Scripts, text: str, expected: str) -> None:
    result = account(scripts, text)
    assert expected in result["headline"]
    assert result["model"] is None
    assert any("weights, the optimiser's states, and activations" in finding for finding in result["findings"])


def test_the_processes_of_a_gpu_are_named(scripts: Scripts) -> None:
    assert any("/usr/bin/python3 takes 10101 MiB" in finding for finding in account(scripts, SMI_LINES)["findings"])


def test_a_full_gpu_leads_to_the_form_with_its_memory(scripts: Scripts) -> None:
    # 8 x 12 x 512 x 512 x 4 bytes are 96 MiB.
    error = (
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 96.00 MiB (GPU 0; 15.77 GiB total "
        "capacity; 14.20 GiB already allocated; 71.00 MiB free; 14.40 GiB reserved in total by PyTorch)"
    )
    (answer,) = scripts.call("accountsAsTexts", [error])
    assert "run/memory-of-training.html?memory=15.77#batch" in answer["pages"]
    assert any("8 texts of 512 tokens" in finding and "eager" in finding for finding in answer["findings"])


def test_a_question_about_training_leads_to_the_form_with_its_model(scripts: Scripts) -> None:
    # Not only BERT base and BERT large: the form offers DistilBERT, too.
    (answer,) = scripts.call(
        "accountsAsTexts", ["How much GPU memory do I need to fine-tune distilbert, batch size 32?"]
    )
    assert "run/memory-of-training.html?model=distilbert-base-uncased&texts=32#batch" in answer["pages"]


def test_a_round_amount_alone_is_the_memory_of_a_gpu(scripts: Scripts) -> None:
    gpu, gpu_in_words, weights = scripts.call("accountsAsTexts", ["16 GB", "24GB VRAM", "1.2 GB"])
    assert "16 GB is most likely the memory of a GPU" in gpu["headline"]
    assert "run/memory-of-training.html?memory=16#batch" in gpu["pages"]
    assert "run/memory-of-training.html?memory=24#batch" in gpu_in_words["pages"]
    assert "memory of a GPU" not in weights["headline"]


WORDS_ABOUT_ROUNDING = {
    # PyTorch rounds the amounts of its summary down.
    MEMORY_SUMMARY: "4476 MiB is rounded: it stands for any number of bytes within 1,048,576 of it",
    "torch.cuda.max_memory_allocated() / 2**30: 4.47": "4.47 GiB is rounded: it stands for any number of bytes",
    "peak memory: 4.37 GB": "4.37 GB is rounded, and many scripts write GB for GiB",
}
"""Texts with rounded amounts, and the beginning of the finding about the rounding."""


@pytest.mark.parametrize("text", WORDS_ABOUT_ROUNDING)
def test_a_rounded_amount_names_no_model(scripts: Scripts, text: str) -> None:
    findings = account(scripts, text)["findings"]
    assert any(
        finding.startswith(WORDS_ABOUT_ROUNDING[text]) and finding.endswith("name a model or a batch.")
        for finding in findings
    )


def test_every_gpu_of_a_table_is_named(scripts: Scripts) -> None:
    assert "3 MiB of another GPU's 15360 MiB is in use." in account(scripts, TWO_GPUS)["findings"]


@pytest.mark.parametrize(
    "text",
    [
        "417.6 MiB",
        "109,482,240",
        "Memory usage: 417.6 MiB",
        "BERT base 417.64 MiB, BERT large 1278 MiB",
        "model.safetensors: 440/440 MB",
        "a GPU with max memory 16 GB",
    ],
)
def test_other_amounts_are_not_read_as_memory_in_use(scripts: Scripts, text: str) -> None:
    assert not any("on a GPU" in finding for finding in account(scripts, text)["findings"])


DEVICES = [
    *("a GPU", "two GPUs", "16 GB VRAM", "OOM", "a graphics card", "CUDA", "Colab", "Kaggle", "显存"),
    *("a P4", "a T4", "a TPU v4", "a P100", "a V100", "an A100", "an H100", "an H200", "an L4", "an L40", "an L40S"),
    *("a K80", "an RTX 3090", "an RTX4090", "a GTX 1080"),
]
"""Words for devices, and names of cards as NVIDIA sells them and of Google's TPU."""


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_with_its_memory_is_a_question_about_training(scripts: Scripts, device: str) -> None:
    """Source: 109,482,240 parameters, with 4 bytes for each weight and 16 with gradients and Adam's moments."""
    expected = (
        "In float32, the weights of BERT base, uncased, take 0.44 GB, and training with Adam takes at least 1.75 GB."
    )
    assert expected == account(scripts, f"training on {device}, 24 GB")["headline"]


ZERO_ESTIMATE = """\
Estimated memory needed for params, optim states and gradients for a:
HW: Setup with 1 node, 8 GPUs per node.
SW: Model with 109M total params, 23M largest layer params.
  per CPU  |  per GPU |   Options
    2.75GB |   0.09GB | offload_param=OffloadDeviceEnum.cpu, offload_optimizer=OffloadDeviceEnum.cpu, zero_init=1
"""
"""The first lines of `estimate_zero3_model_states_mem_needs_all_cold` in DeepSpeed 0.19.8 for BERT base and 8 GPUs: for
109,482,240 parameters, 23,440,896 of them in the largest module."""

ZERO_ESTIMATE_ON_META = """\
Estimated memory needed for params, optim states and gradients for a:
HW: Setup with 1 node, 1 GPU per node.
SW: Model with 0M total params, 23M largest layer params.
  per CPU  |  per GPU |   Options
    0.00GB |   0.09GB | offload_param=OffloadDeviceEnum.cpu, offload_optimizer=OffloadDeviceEnum.cpu, zero_init=1
"""
"""The first lines of `estimate_zero3_model_states_mem_needs_all_live` for BERT base on the meta device."""


@pytest.mark.parametrize("text", [ZERO_ESTIMATE, ZERO_ESTIMATE.splitlines()[2]], ids=["table", "line"])
def test_the_estimate_for_zero_gives_ranges_of_parameters(scripts: Scripts, text: str) -> None:
    result = account(scripts, text)
    assert ("GiB" in " ".join(result["findings"])) == ("GB" in text)
    assert "at least 109,000,000 and fewer than 110,000,000 parameters" in result["headline"]
    assert any("at least 23,000,000 and fewer than 24,000,000" in finding for finding in result["findings"])
    assert not any("MiniLM" in finding for finding in result["findings"])


def test_the_estimate_for_a_model_without_storage_gives_no_total(scripts: Scripts) -> None:
    result = account(scripts, ZERO_ESTIMATE_ON_META)
    assert "Its total is less than that of one module" in result["headline"]
    assert "1,000,000" not in result["headline"]
