// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

/// An error of a wallet's store of credentials, or of the storage beneath it.
///
/// Two errors compare by their `code`; the rest is for people.
public struct CredentialStoreError: CodedError {
    /// The parts of the error.
    public let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    public init(_ details: ErrorDetails<Code>) {
        self.details = details
    }
}

extension CredentialStoreError {
    /// The kind of a ``CredentialStoreError``; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// A storage cannot be read or written: no such folder, no permission, no space, a wrong key size, or it is closed.
        public static let storageFailed = Code("storageFailed")
        /// The content of a storage is not what was written there, or the key is another one.
        public static let storageDamaged = Code("storageDamaged")
        /// A value of a storage was changed by another task or process meanwhile.
        public static let storageConflict = Code("storageConflict")
        /// A storage was set back to an earlier state, such as by a copy of its file.
        public static let storageRolledBack = Code("storageRolledBack")
        /// The caller's task was cancelled before a storage was read, or before a change was made.
        public static let cancelled = Code("cancelled")
        /// A stored value of a later form.
        public static let unsupportedVersion = Code("unsupportedVersion")
        /// A credential that is not in the store.
        public static let unknownCredential = Code("unknownCredential")
        /// A copy of a credential that its rotation policy allows no more uses of.
        public static let spentCopy = Code("spentCopy")
        /// A copy of a credential that is in the store already.
        public static let duplicateCopy = Code("duplicateCopy")
        /// A copy outside its validity period: expired, or not yet valid.
        public static let outsideValidity = Code("outsideValidity")
        /// A copy that the format's reader refuses with the store's options; the cause says why.
        public static let unreadableCopy = Code("unreadableCopy")
        /// No copies, or copies of several types.
        public static let invalidCopies = Code("invalidCopies")
        /// More copies, or a longer handle of a key, than a store takes.
        public static let limitExceeded = Code("limitExceeded")
    }
}

extension CredentialStoreError {
    /// Returns `true` for an error of one value, with which others of the storage can be read.
    var isAboutOneValue: Bool { ![.storageFailed, .storageRolledBack, .storageConflict, .cancelled].contains(code) }
}

/// A credential of a store, or one copy of it, that cannot be read.
public struct UnreadableValue: Sendable {
    /// The store's name for the credential, or for the copy.
    public let id: String
    /// The reason.
    public let error: CredentialStoreError

    /// Names a value with the reason.
    init(id: String, error: CredentialStoreError) {
        self.id = id
        self.error = error
    }
}
