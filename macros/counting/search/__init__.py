"""The numbers that somebody may have got, and the ways that lead there, for the page that explains one."""
