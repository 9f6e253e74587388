"""What can be wrong with a folder that is to be published."""


class PublishError(Exception):
    """A site that cannot be published; says which page or folder, and what would do."""
