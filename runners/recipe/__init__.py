"""What a user asked for: the recipe, how it is kept, and the axes that it gives values of."""
