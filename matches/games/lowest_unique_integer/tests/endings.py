"""The ways in which a match can end that its scenarios must show."""

ENDINGS = {
    "every seat is won": lambda report: report["public"]["ending"] == "all_won",
    "nobody bids any more": lambda report: report["public"]["ending"] == "silence",
    "everything stops": lambda report: report["public"]["ending"] == "stop",
}
