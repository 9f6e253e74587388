"""Files that are dropped on the page are read safely.

Texts are read in common encodings, only the header of a weights file is read, and no file can run code.
"""

import base64
import io
import json
import pickle
import re
import struct
import zipfile
from typing import Any

import pytest

from tests.scripts.running import Scripts

TEN_GIGABYTES = 10 * 10**9
"""The size of a file, far larger than its header."""

HEADER = json.dumps(
    {
        "__metadata__": {"format": "pt"},
        "bert.pooler.dense.bias": {"dtype": "F32", "shape": [768], "data_offsets": [0, 3072]},
    }
)
"""The header of a safetensors file with one tensor."""


def read(scripts: Scripts, name: str, content: bytes, size: int | None = None) -> dict[str, Any]:
    """The result of reading a file: its text or the refusal, and the number of bytes that were read.

    If `size` is larger than the content, zeros follow it.
    """
    (result,) = scripts.call("readFiles", [[name, base64.b64encode(content).decode(), size or len(content)]])
    assert isinstance(result, dict)
    return result


def safetensors(header: str, length: int | None = None) -> bytes:
    """The start of a safetensors file: eight bytes with `length`, or the header's real length, and the header."""
    content = header.encode()
    return struct.pack("<Q", len(content) if length is None else length) + content


def gguf(version: int = 3, names: tuple[str, ...] = ("token_embd.weight", "blk.0.attn_q.bias")) -> bytes:
    """The header of a GGUF file with two tensors, whose metadata are a string, a number, and a list of each."""

    def length_and_text(value: str) -> bytes:
        """A string as the format stores it, with its length before it."""
        return struct.pack("<Q", len(value)) + value.encode()

    # Types of metadata: 4 is u32, 6 is f32, 8 is a string, and 9 is a list, which gives the type of its items.
    values = [
        length_and_text("general.architecture") + struct.pack("<I", 8) + length_and_text("bert"),
        length_and_text("bert.block_count") + struct.pack("<II", 4, 12),
        length_and_text("tokenizer.ggml.tokens")
        + struct.pack("<IIQ", 9, 8, 3)
        + length_and_text("a")
        + length_and_text("bc")
        + length_and_text(""),
        length_and_text("tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, 2) + struct.pack("<ff", 1, 2),
    ]
    tensors = [
        length_and_text(name)
        + struct.pack("<I", len(shape))
        + struct.pack(f"<{len(shape)}Q", *shape)
        + struct.pack("<IQ", 0, 0)
        for name, shape in zip(names, [(768, 30522), (768,)], strict=True)
    ]
    return b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values)) + b"".join(values + tensors)


@pytest.mark.parametrize("name", ["model.safetensors", "MODEL.SAFETENSORS", "pytorch_model.bin", "blob"])
def test_only_the_header_of_safetensors_is_read(name: str, scripts: Scripts) -> None:
    result = read(scripts, name, safetensors(HEADER + "   "), TEN_GIGABYTES)
    assert (HEADER, "") == (result["text"], result["refused"])
    assert result["bytes"] < 1000


@pytest.mark.parametrize(
    ("content", "size", "expected"),
    [
        (safetensors("{}", 10**9), TEN_GIGABYTES, "its header would be larger than 100 MB"),
        (safetensors("{}", 2**63), TEN_GIGABYTES, "its header would be larger than 100 MB"),
        (safetensors(HEADER, 10**6), 1000, "it ends before its header does"),
        (safetensors(HEADER, 0), None, "its header is too short"),
        (b"abc", None, "it ends before its header does"),
        (safetensors("[1]"), None, "its header is not JSON"),
        (safetensors("{}").replace(b"{", b"\xff"), None, "its header is not JSON"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 440449768\n", None, "git lfs pull"),
    ],
)
def test_broken_safetensors_files_are_refused(
    content: bytes, size: int | None, expected: str, scripts: Scripts
) -> None:
    result = read(scripts, "model.safetensors", content, size)
    assert expected in result["refused"]


@pytest.mark.parametrize("version", [2, 3])
def test_a_gguf_header_lists_its_tensors(version: int, scripts: Scripts) -> None:
    """GGUF stores dimensions in the reverse of PyTorch's order, which the text has."""
    result = read(scripts, "bert-base-uncased-f16.gguf", gguf(version), TEN_GIGABYTES)
    assert "token_embd.weight: [30522, 768]\nblk.0.attn_q.bias: [768]" == result["text"]
    assert result["bytes"] < 2_000_000


def test_damaged_gguf_files_are_refused(scripts: Scripts) -> None:
    assert "ends before its header does" in read(scripts, "a.gguf", gguf()[:100])["refused"]
    assert "version 1 of GGUF" in read(scripts, "a.gguf", gguf(1))["refused"]
    huge_file = b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0)
    assert "too large" in read(scripts, "a.gguf", huge_file)["refused"]
    file_with_unknown_type = (
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"a" + struct.pack("<I", 77)
    )
    assert "a value that we cannot read" in read(scripts, "a.gguf", file_with_unknown_type)["refused"]


TEXT = "第 1 层: 7,087,872 个参数，共 12 层 (BERT)\n"
"""A text with Chinese characters, whose bytes differ from encoding to encoding."""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.md", "a.ipynb", "a.log", "a.py", "a.tex", "config.json", "a"])
def test_texts_in_common_encodings_are_read(name: str, encoding: str, scripts: Scripts) -> None:
    result = read(scripts, name, TEXT.encode(encoding))
    assert TEXT == result["text"]


def test_western_texts_and_colour_codes_are_read(scripts: Scripts) -> None:
    assert "größe: 768 naïve" == read(scripts, "a.txt", "größe: 768 naïve".encode("cp1252"))["text"]
    assert "\x1b[31mred\x1b[0m" == read(scripts, "a.log", b"\x1b[31mred\x1b[0m")["text"]


def zip_archive(name: str) -> bytes:
    """A zip archive with one file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(name, "content")
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("pytorch_model.bin", zip_archive("archive/data.pkl"), "opening one can run arbitrary code"),
        ("model.pt", pickle.dumps({"a": 1}, protocol=2), "opening one can run arbitrary code"),
        ("model.ckpt", pickle.dumps({"a": 1}), "opening one can run arbitrary code"),
        ("tf_model.h5", b"\x89HDF\r\n\x1a\n" + bytes(100), "This is an HDF5 file of weights"),
        ("model.keras", zip_archive("config.json"), "model.summary()"),
        ("table.xlsx", zip_archive("xl/workbook.xml"), "CSV"),
        ("text.docx", zip_archive("word/document.xml"), "Copy the text"),
        ("some.zip", zip_archive("a.txt"), "archive"),
        ("weights.npz", zip_archive("a.npy"), "NumPy"),
        ("paper.pdf", b"%PDF-1.7\n" + bytes(100), "PDF"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "picture"),
        ("picture.jpg", b"\xff\xd8\xff\xe0" + bytes(100), "picture"),
        ("a.txt.gz", b"\x1f\x8b\x08" + bytes(100), "compressed"),
        ("a.onnx", b"\x08\x07\x12\x07pytorch" + bytes(range(256)) * 8, "no text"),
        ("a.txt", bytes(100), "no text"),
        ("a.txt", bytes(range(128)) * 10, "no text"),
        ("a.txt", b"", "is empty"),
    ],
)
def test_files_of_other_kinds_are_refused_with_a_sentence(
    name: str, content: bytes, expected: str, scripts: Scripts
) -> None:
    result = read(scripts, name, content)
    assert "" == result["text"]
    assert expected in result["refused"]
    assert result["refused"].endswith(".")
    assert not re.search(r"[A-Z]_[A-Z]", result["refused"]), "the name of a constant is in the sentence"


def test_a_text_of_more_than_50_mb_is_refused_after_its_first_bytes(scripts: Scripts) -> None:
    result = read(scripts, "train.log", b"step 1\n" * 200, 60_000_000)
    assert "This file takes up 60 MB, but we read only texts of up to 50 MB." in result["refused"]
    assert result["bytes"] < 1000
    assert "takes up 10.0 GB" in read(scripts, "train.log", b"step 1\n" * 200, TEN_GIGABYTES)["refused"]
