// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore
