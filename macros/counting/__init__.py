"""The counting engine: pure, standard library only, knows nothing of the site.

Rooms: this folder holds what a count is made of (architectures, models,
deviations, questions); `frameworks/` what other software calls and prints;
`disagreements/` why people have other numbers. Imports point that way round.
`interface` lists what is offered; it is imported when the first of it is asked for.

>>> from macros.counting import count, model_named
>>> count(model_named("bert-base-uncased"))
109482240
"""

TYPE_CHECKING = False
"""As in `typing`, which would take longer to import than to say."""

if TYPE_CHECKING:
    from .interface import *  # noqa: F403
else:

    def __getattr__(name):
        """What `interface` has under that name.

        Importing this package imports nothing else, so that the command line, a
        module of it, can answer for whatever goes wrong in importing the engine.
        """
        from importlib import import_module

        interface = import_module(".interface", __name__)
        if name not in (*interface.__all__, "__all__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # Kept, so that it is looked for once.
        found = globals()[name] = getattr(interface, name)
        return found
