"""`waltax bisect`: which of many revisions changed what a build does, by measurements.

command  what is typed, and in which order it is done
judging  one build against good and bad, in campaigns until it is clear
search   which revision is measured next; it knows of no campaign
"""
