"""Texts about the memory of a card are not mistaken for counts, and their amounts are read."""

from typing import Any

import pytest

from tests.scripts.running import Scripts

FULL = {
    # torch 1.13
    "CUDA out of memory. Tried to allocate 192.00 MiB (GPU 0; 15.90 GiB total capacity; 14.51 GiB already allocated; "
    "3.81 MiB free; 14.61 GiB reserved in total by PyTorch)": ("14.51 GiB", "15.90 GiB", "192.00 MiB"),
    # torch 2.13
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.68 GiB "
    "of which 12.31 MiB is free. Including non-PyTorch memory, this process has 23.66 GiB memory in use. Of the "
    "allocated memory 23.10 GiB is allocated by PyTorch, and 302.21 MiB is reserved by PyTorch but unallocated.": (
        "23.10 GiB",
        "23.68 GiB",
        "20.00 MiB",
    ),
}


def account(scripts: Scripts, text: str) -> dict[str, Any]:
    """The account of a text, with its sentences as text."""
    (result,) = scripts.call("accountsAsTexts", [text])
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize("text", FULL)
def test_an_error_of_a_full_card_is_read(scripts: Scripts, text: str) -> None:
    """The answer has what was in use, of how much, and what was asked for, and says how coarse that is."""
    in_use, capacity, request = FULL[text]
    result = account(scripts, text)
    expected = (
        f"The step did not fit: {in_use} of the card's {capacity} was in use, and one more tensor needed {request}."
    )
    assert expected == result["headline"]
    assert any(
        f"{request} is rounded: it stands for any number of bytes within 5,243" in finding
        for finding in result["findings"]
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("torch.cuda.max_memory_allocated(): 4693722528", "PyTorch has had at most 4,693,722,528 bytes (4.37 GiB) in"),
        ("max_memory_allocated 4,476.3 MiB", "PyTorch has had at most 4,476.3 MiB in tensors on the card."),
        ("print(torch.cuda.memory_allocated() / 1024**2)\n418.6", "PyTorch now has 418.6 MiB in tensors on the card."),
        ("torch.cuda.max_memory_allocated() / 2**30: 4.47", "PyTorch has had at most 4.47 GiB in tensors"),
        (">>> torch.cuda.max_memory_allocated()\n2293430592", "at most 2,293,430,592 bytes (2.14 GiB) in tensors"),
        ("|  1037MiB /  15360MiB |", "1037 MiB of the card's 15360 MiB is in use"),
        ("memory_reserved: 12.5 GiB", "PyTorch now has 12.5 GiB reserved on the card"),
        (
            "|  N/A   61C    P0    70W /  70W |  10203MiB / 15360MiB |    100%      Default |",
            "10203 MiB of the card's 15360",
        ),
    ],
)
def test_a_counter_of_memory_is_read(scripts: Scripts, text: str, says: str) -> None:
    """PyTorch's counters and a line of nvidia-smi are amounts of memory, which name no model."""
    result = account(scripts, text)
    assert says in result["headline"]
    assert result["model"] is None
    assert any("weights, the optimiser's states, and activations" in finding for finding in result["findings"])


@pytest.mark.parametrize(
    "text", ["417.6 MiB", "109,482,240", "Memory usage: 417.6 MiB", "BERT base 417.64 MiB, BERT large 1278 MiB"]
)
def test_the_memory_of_weights_is_no_memory_of_a_card(scripts: Scripts, text: str) -> None:
    """An amount without words about a card is read as before."""
    assert not any("on a card" in finding for finding in account(scripts, text)["findings"])
