"""What can be wrong with a folder that is to be published."""


class PublishError(Exception):
    """A site that cannot be published; names the page or folder, and what would help."""
