"""From text to styled rows: Markdown, code, tables, changes."""
