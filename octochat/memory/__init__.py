"""What was said and done, found again: a full-text index made from the logs, and recall by it.

The logs stay the truth. The index may be deleted at any time; it is made anew from them.
"""
