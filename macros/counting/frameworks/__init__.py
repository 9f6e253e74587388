"""What each framework calls the tensors, lists and prints; and what real implementations built."""
