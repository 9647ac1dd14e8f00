"""Adapters for engines that others wrote."""
