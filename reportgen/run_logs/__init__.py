"""Logs and result files of runs that were measured outside the profile."""
