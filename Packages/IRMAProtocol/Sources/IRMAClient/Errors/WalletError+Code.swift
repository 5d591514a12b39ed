public import IRMAMessages

extension WalletError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    ///
    /// Most kinds have the name by which wallets report them; ``kind`` is that name for every code.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name by which wallets report the error.
        public let kind: ClientErrorKind
        /// The kind's name, as in the source.
        public let description: String

        private init(_ kind: ClientErrorKind) {
            self.init(kind.name, kind)
        }

        private init(_ name: String, _ kind: ClientErrorKind) {
            self.kind = kind
            description = name
        }

        /// Server and wallet have no version of the protocol in common.
        public static let protocolVersionNotSupported = Code(.protocolVersionNotSupported)
        /// The server could not be reached, or its answer was lost.
        public static let transport = Code(.transport)
        /// The URL is not https.
        public static let https = Code(.https)
        /// A keyshare server's token does not verify.
        public static let invalidJWT = Code("invalidJWT", .invalidJWT)
        /// The text is not a pointer, or names an unknown kind of session.
        public static let unknownAction = Code(.unknownAction)
        /// A proof or a signature could not be made, or does not verify.
        public static let crypto = Code(.crypto)
        /// A witness is missing, superfluous, invalid or too old.
        public static let revocation = Code(.revocation)
        /// The session ended before the wallet was paired.
        public static let pairingRejected = Code(.pairingRejected)
        /// The server did not accept the proofs; ``WalletError/proofStatus`` says why.
        public static let rejected = Code(.rejected)
        /// A message could not be written or read.
        public static let serialization = Code(.serialization)
        /// The keyshare server failed or refused.
        public static let keyshare = Code(.keyshare)
        /// The user is not enrolled at the scheme's keyshare server.
        public static let keyshareUnenrolled = Code(.keyshareUnenrolled)
        /// The server answered with an error; ``WalletError/remoteError`` has it.
        public static let api = Code(.api)
        /// The server's answer has no meaning.
        public static let serverResponse = Code(.serverResponse)
        /// The request names an unknown scheme, issuer, credential type, attribute or key.
        public static let unknownIdentifier = Code(.unknownIdentifier)
        /// The request lacks an attribute of a credential to be issued.
        public static let requiredAttributeMissing = Code(.requiredAttributeMissing)
        /// A scheme could not be fetched.
        public static let configurationDownload = Code(.configurationDownload)
        /// The scheme is unknown.
        public static let unknownScheme = Code("unknownScheme", .unknownSchemeManager)
        /// The scheme is invalid.
        public static let invalidScheme = Code("invalidScheme", .invalidSchemeManager)
        /// The request breaks a rule of the protocol, or the wallet's policy.
        public static let invalidRequest = Code(.invalidRequest)
        /// Server and wallet disagree about the random-blind attributes.
        public static let randomBlind = Code("randomBlind", .randomBlind)

        /// The user or the task ended the session.
        public static let cancelled = Code("cancelled", .rejected)
        /// The user gave no PIN, or too many wrong ones.
        public static let pinRequired = Code("pinRequired", .keyshare)
        /// The keyshare server has blocked the account for a while; ``WalletError/keyshareRefusal`` has the time.
        public static let keyshareBlocked = Code("keyshareBlocked", .keyshare)
        /// The keyshare server, or a proxy before it, has too much to do, or had no time to answer.
        ///
        /// Nothing is tried again. The server may have handled the request all the same: a wrong PIN may have been counted, and
        /// a change of the PIN made.
        public static let keyshareOverloaded = Code("keyshareOverloaded", .keyshare)
        /// A timestamp server demands a proof of work that is too difficult, or of an unknown form.
        public static let proofOfWork = Code("proofOfWork", .serverResponse)
        /// The choice does not answer the request.
        public static let invalidChoice = Code("invalidChoice", .panic)
        /// The call does not fit the state of the session.
        public static let invalidState = Code("invalidState", .panic)
        /// The wallet has no such credential, or its type does not allow the operation.
        public static let credentialNotAvailable = Code("credentialNotAvailable", .panic)
        /// The storage could not be read or written.
        public static let storageFailed = Code("storageFailed", .panic)
        /// A stored value is not the one that the wallet wrote, or the key is wrong.
        public static let storageDamaged = Code("storageDamaged", .panic)
        /// Another wallet over the same storage, such as one of another process, was faster with a change; the next attempt
        /// goes on from what it wrote.
        public static let storageConflict = Code("storageConflict", .panic)
        /// The storage was set back to an earlier state, as `RollbackCheckedCredentialStorage` notices.
        public static let storageRolledBack = Code("storageRolledBack", .panic)
    }
}
