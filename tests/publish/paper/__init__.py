"""What only a browser can make."""
