"""Write the claims anew for the sizes of a changed models.toml, so that a site of other sizes can be built.

Run in the root of a copy of the repository. Each source then prints what its
own way of counting gives there, as if it had been written in that world.
"""

import json
import tomllib
from typing import Any

from macros.counting.blocks import frozen
from macros.counting.errors import CountingError
from macros.counting.published.claims import CLAIMS_FILE, Claim, load_claims
from macros.counting.published.profilers import LENGTHS, PROFILERS_FILE, Profiler, base

NOTED = ("note", "holds")


def printed(claim: Claim) -> str | None:
    """The number that the source prints in this world; None where it makes no such claim."""
    if claim.verdict == "no-effect":
        return claim.printed
    if claim.tensor:
        return str(claim.shape())
    number = claim.right if claim.verdict == "agrees" else claim.explained
    if number < 0 or (claim.verdict == "differs" and number == claim.right and not claim.slip):
        return None
    text = str(number)
    if claim.slip == "swapped":
        text = text[:-2] + text[-1] + text[-2]
    if claim.slip == "digit":
        text = text[:-1] + str((int(text[-1]) + 1) % 10)
    if claim.slip and text == str(number):
        return None
    return f"{text} bytes" if claim.of_memory else text


def toml(value: Any) -> str:
    """A value as TOML on one line, which for all but tables is JSON."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return f"{{ {', '.join(f'{json.dumps(key)} = {toml(each)}' for key, each in value.items())} }}"


def profilers() -> str:
    """The data of profilers with what they would print of these sizes."""
    text = PROFILERS_FILE.read_text(encoding="utf-8")
    for block in tomllib.loads(text).values():
        profiler = Profiler(**frozen(block))
        for key, eager in (("printed", False), ("eager_printed", True)):
            printed = [profiler.number(base(tokens), eager=eager) for tokens in LENGTHS]
            text = text.replace(f"\n{key} = {block.get(key)}\n", f"\n{key} = {printed}\n")
    return text


def main() -> None:
    """Rewrite the files of claims and of profilers in place."""
    PROFILERS_FILE.write_text(profilers(), encoding="utf-8")
    blocks = tomllib.loads(CLAIMS_FILE.read_text(encoding="utf-8"))
    lines, kept, all_claims = [], 0, 0
    for name, block in blocks.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in block.items() if key != "claims"]
        lines.append("claims = [")
        for claim, written in zip(load_claims()[name], block["claims"], strict=True):
            all_claims += 1
            try:
                text = printed(claim)
            except CountingError:  # what is counted is not there, such as a layer
                text = None
            if text is not None:
                kept += 1
                # A note may say in words what is true of the published sizes only.
                said = {key: value for key, value in written.items() if not written.get("holds") or key not in NOTED}
                lines.append(f"  {toml({**said, 'printed': text})},")
        lines.append("]")
    assert kept > 0.9 * all_claims, f"only {kept} of {all_claims} claims hold in this world"
    CLAIMS_FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
