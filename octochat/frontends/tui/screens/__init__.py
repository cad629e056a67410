"""The screens that open over the chat."""
