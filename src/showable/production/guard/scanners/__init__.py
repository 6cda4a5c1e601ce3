"""Scanners of the guard: what a text carries whatever it says. Pure, linear in the text, off unless a route names them."""
