"""The tables of the site, by what they are about."""
