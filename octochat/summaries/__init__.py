"""Has notes written: requests, answers, who may write."""
