"""`waltax receipts`: what each mode of the log loses."""
