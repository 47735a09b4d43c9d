"""`waltax receipts recovery`: how long an engine takes to serve again, by the log to replay."""
