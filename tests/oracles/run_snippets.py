"""Run every "check it yourself" snippet of the site and compare what it prints with what its page says.

Run by `make verify`, in an environment with torch and transformers.
"""

import re
import subprocess
import sys

from macros.rendering.snippets import SNIPPETS, snippet


def difference(name: str) -> str | None:
    """How the snippet's output differs from the page's, or None."""
    code, promised = re.findall(r"```\w+\n(.*?)```", snippet(name), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{name}: failed with {done.stderr.splitlines()[-1]}"
    return (
        None if done.stdout == promised else f"{name}: printed {done.stdout.split()}, the page says {promised.split()}"
    )


def main() -> int:
    """Run them all; the exit status is 1 where any differs."""
    found = [each for each in map(difference, SNIPPETS) if each]
    print("\n".join(found) or f"{len(SNIPPETS)} snippets print what their pages say")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
