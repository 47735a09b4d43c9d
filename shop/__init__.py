"""Customers, products and orders, below, at and above memory."""
