"""Answers: `calendar_text` and `atom` for programs, `addresses` for people."""
