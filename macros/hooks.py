"""What the build does beside the pages."""
