"""Rewrites the claims and the profilers' totals to fit a changed models.toml, so that the site can still be built.

Run it in the root of a copy of the repository. Afterwards, each claim has the number that its way of counting, right
or wrong, gives for the new sizes. Claims that would be impossible are left out.
"""

import json
import tomllib
from typing import Any

from macros.counting.blocks import with_immutable_values
from macros.counting.errors import CountingError
from macros.counting.published.claims import CLAIMS_FILE, Claim, load_claims
from macros.counting.published.profilers import LENGTHS, PROFILERS_FILE, Profiler, operations_of_base

WORDING = ("note", "holds")
"""The keys of a note and of the conditions for its words."""


def printed_number(claim: Claim) -> str | None:
    """The number that the source would print for the new sizes; None if it would make no such claim."""
    if claim.verdict == "no-effect":
        return claim.printed
    if claim.tensor:
        return str(claim.shape())
    number = claim.correct_number if claim.verdict == "agrees" else claim.explained_number
    # With some sizes, a mistake has no effect, or subtracts more than there is.
    if number < 0 or (claim.verdict == "differs" and number == claim.correct_number and not claim.slip):
        return None
    digits = str(number)
    if claim.slip == "swapped":
        digits = digits[:-2] + digits[-1] + digits[-2]
    if claim.slip == "digit":
        digits = digits[:-1] + str((int(digits[-1]) + 1) % 10)
    if claim.slip and digits == str(number):  # the swapped digits are equal
        return None
    return f"{digits} bytes" if claim.is_of_memory else digits


def toml(value: Any) -> str:
    """A value as TOML on a single line, which differs from JSON only for tables."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return f"{{ {', '.join(f'{json.dumps(key)} = {toml(item)}' for key, item in value.items())} }}"


def profilers_text() -> str:
    """The text of the profilers' file, with the totals that they would print for the new sizes."""
    text = PROFILERS_FILE.read_text(encoding="utf-8")
    for block in tomllib.loads(text).values():
        profiler = Profiler(**with_immutable_values(block))
        for key, is_eager in (("printed", False), ("eager_printed", True)):
            totals = [profiler.number(operations_of_base(tokens), is_eager=is_eager) for tokens in LENGTHS]
            text = text.replace(f"\n{key} = {block.get(key)}\n", f"\n{key} = {totals}\n")
    return text


def main() -> None:
    """Rewrite the files of claims and of profilers in place."""
    PROFILERS_FILE.write_text(profilers_text(), encoding="utf-8")
    blocks = tomllib.loads(CLAIMS_FILE.read_text(encoding="utf-8"))
    lines = []
    kept_count = claim_count = 0
    for name, block in blocks.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in block.items() if key != "claims"]
        lines.append("claims = [")
        for claim, entry in zip(load_claims()[name], block["claims"], strict=True):
            claim_count += 1
            try:
                text = printed_number(claim)
            except CountingError:  # the changed models lack the part that the claim counts, such as a layer
                text = None
            if text is not None:
                kept_count += 1
                # A note may contain words that are true only for the published sizes.
                fields = {key: value for key, value in entry.items() if not entry.get("holds") or key not in WORDING}
                lines.append(f"  {toml({**fields, 'printed': text})},")
        lines.append("]")
    # If many claims were left out, a build of the changed site would test little.
    assert kept_count > 0.9 * claim_count, f"only {kept_count} of {claim_count} claims can be made for these sizes"
    CLAIMS_FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
