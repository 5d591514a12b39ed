// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// The reason that a part of the keyshare server cannot be made, a record cannot be read, or a store refused.
///
/// Tests and callers compare `code`; `path` names the place, `message` is for people and may change. Nothing in an
/// error tells anything about a PIN, a secret or a token. The refusal that a wallet receives is a `RemoteError` of
/// IRMAMessages.
public struct KeyshareServerError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }

    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// Settings that cannot work.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// A setting of the reference's servers that this server has no part for: MySQL.
        public static let unsupportedSetting = Code("unsupportedSetting")
        /// A storage key of another form, or two keys with one identifier.
        public static let invalidStorageKey = Code("invalidStorageKey")
        /// A record or session that was sealed with a key that the server does not have.
        public static let unknownStorageKey = Code("unknownStorageKey")
        /// A record that is malformed, or was not sealed with the key that it names.
        public static let damagedRecord = Code("damagedRecord")
        /// A PIN that is empty, longer than 64 bytes or holds U+0000.
        public static let invalidPIN = Code("invalidPIN")
        /// A text that is no e-mail address, or one beyond the limits of a store.
        public static let invalidMailAddress = Code("invalidMailAddress")
        /// A template with actions other than known variables.
        public static let invalidMailTemplate = Code("invalidMailTemplate")
        /// A message without recipients, or with control characters in its subject.
        public static let invalidMail = Code("invalidMail")
        /// The mail server cannot be reached, or did not take a message.
        public static let mailNotSent = Code("mailNotSent")
        /// As many tokens were mailed to an address as may be.
        public static let tooManyTokens = Code("tooManyTokens")
        /// An address of no account.
        public static let addressNotFound = Code("addressNotFound")
        /// More PINs wait to be stretched than may.
        public static let overloaded = Code("overloaded")

        /// An account with the name exists.
        public static let nameTaken = Code("nameTaken")
        /// An account's name, language or record beyond the limits of a store.
        public static let invalidAccount = Code("invalidAccount")
        /// No account with the name, or one without secrets.
        public static let accountNotFound = Code("accountNotFound")
        /// The account has another version than the one that was read.
        public static let conflict = Code("conflict")
        /// The store cannot be reached, or is busy.
        public static let storeUnavailable = Code("storeUnavailable")
        /// The database of the store lacks its tables.
        public static let missingTables = Code("missingTables")
        /// The store holds data that it did not write.
        public static let storeDamaged = Code("storeDamaged")
        /// The caller's task was cancelled.
        public static let cancelled = Code("cancelled")
    }
}
