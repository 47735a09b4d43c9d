"""A user's request: the recipe, how it is kept, and the axes that it gives values of."""
