"""Why people have other numbers: parts, bridges, numbers in print and what is claimed there."""
