// Requests, results and errors of the protocol come with the server that uses them.
@_exported public import IRMAMessages

/// The reason that a server cannot be made or cannot do its work.
///
/// Refusals of requests are `RemoteError`s of IRMAMessages, as wallets and requestors see them. Tests and callers compare
/// `code`; `path` names the setting, `message` is for people and may change.
public struct IRMAServerError: CodedError {
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

        /// A setting that cannot work, alone or with the others.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// Settings that production mode refuses.
        public static let unsafeConfiguration = Code("unsafeConfiguration")
        /// A revocation key that no credential was issued with.
        public static let unknownRevocationKey = Code("unknownRevocationKey")
        /// The accumulator of a credential type cannot be retrieved or changed.
        public static let revocationFailed = Code("revocationFailed")
        /// SD-JWT copies of a credential cannot be issued.
        public static let copyRefused = Code("copyRefused")
        /// Another process changed the records at the same time.
        public static let conflict = Code("conflict")
        /// The store of the records cannot be reached, or is busy.
        public static let storeUnavailable = Code("storeUnavailable")
        /// The database of the store lacks its tables.
        public static let missingTables = Code("missingTables")
        /// The store holds data that no revocation authority wrote.
        public static let storeDamaged = Code("storeDamaged")
        /// The caller's task was cancelled.
        public static let cancelled = Code("cancelled")
    }
}
