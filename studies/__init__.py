"""Studies: what to measure to answer a question, and what to print as the answer.

study       the record of a study: its options, plan and report; frame runs any study
request     the user's request, as a value; options declares what several studies share
head        what is printed before a campaign begins
names       checks names that were typed on a command line
recovery    keeps rows that are no campaign's
devices, paper, threads, key_sizes, knobs, latency, ...    the studies
"""
