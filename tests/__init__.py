"""Everything that guards the site's promise: every number computed, none typed."""
