"""Why a file cannot be converted, in the words of the conversion errors of Quire."""


class Refusal(Exception):
    """`kind` is a name of a conversion error; the message holds no content of the file and may be shown to users."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind
        self.message = message
