"""`waltax bisect`: whether a build is like a good or a bad one, by measurements; a step of git's.

command  what is typed, and what git reads of the answer
judging  one build against good and bad, in campaigns until it is clear
"""
