"""The line under the input: model, context, cost."""
