"""Studies: what to measure to answer a question, and what to print as the answer.

study       the record of a study: its options, plan and report
frame       runs any study: head is printed before a campaign begins, campaign_end after the last
request     the user's request, as a value; options declares what several studies share
recovery    keeps rows that are no campaign's
devices, sweeps, why, receipts, own_program    the studies
"""
