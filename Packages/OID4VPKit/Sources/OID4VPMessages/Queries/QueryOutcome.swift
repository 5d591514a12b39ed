public import SDJWTKit

/// The result of one query over the credentials of a store.
public struct QueryOutcome: Sendable {
    /// The query.
    public let id: QueryID
    /// The credentials that answer it, in the order of the store.
    public let matches: [QueryMatch]
    /// The credentials that do not, and the reasons.
    ///
    /// They are for the user and for developers. Nothing of them may be sent to the verifier, which would learn the
    /// wallet's contents.
    public let mismatches: [QueryMismatch]
    /// Indicates that the verifier takes several credentials for the query.
    public let allowsMultiple: Bool

    /// Returns the match of a credential, or nil.
    public func match(of credential: CredentialName) -> QueryMatch? {
        matches.first { $0.credential == credential }
    }
}

/// A credential that answers a query, and the claims to disclose.
public struct QueryMatch: Hashable, Sendable {
    /// The credential.
    public let credential: CredentialName
    /// The claims that the query asks of it, in the order of the query; nothing else may be disclosed that the holder can
    /// withhold.
    public let claims: [ClaimPath]
    /// The paths to what is disclosed: those of ``claims``, where a claim asks for elements of an array by their values those
    /// to each of them.
    public let disclosedPaths: [ClaimPath]
    /// The paths of ``claims`` as the query writes them: with `null` for all elements of an array, and an index where the
    /// query counts the elements.
    package let askedPaths: [ClaimPath]
    /// The place of the chosen claim set in `claim_sets`; nil if the query has none.
    public let claimSet: Int?

    init(
        _ credential: CredentialName,
        claims: [ClaimPath],
        disclosedPaths: [ClaimPath]? = nil,
        askedPaths: [ClaimPath]? = nil,
        claimSet: Int? = nil
    ) {
        self.credential = credential
        self.claims = claims
        self.disclosedPaths = disclosedPaths ?? claims
        self.askedPaths = askedPaths ?? claims
        self.claimSet = claimSet
    }
}

/// A credential that does not answer a query.
public struct QueryMismatch: Hashable, Sendable {
    /// The reason that a credential does not answer: an open set.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason's name.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The credential has another format.
        public static let format = Reason("format")
        /// The credential is signed with an algorithm or by a proof that is not listed.
        public static let algorithm = Reason("algorithm")
        /// The credential has another type.
        public static let type = Reason("type")
        /// None of the trusted authorities vouches for the credential.
        public static let trustedAuthority = Reason("trustedAuthority")
        /// A proof of possession is required, and the credential permits none.
        public static let holderBinding = Reason("holderBinding")
        /// Claims are missing.
        public static let missingClaims = Reason("missingClaims")
        /// Claims have other values than those that are asked for.
        public static let otherValues = Reason("otherValues")
        /// No claim set is complete.
        public static let claimSets = Reason("claimSets")
        /// Disclosure must be limited to the requested claims, which the format cannot do.
        public static let limitedDisclosure = Reason("limitedDisclosure")
        /// The paths and filters take too many steps on the credential, or search a text that is too long.
        public static let limitExceeded = Reason("limitExceeded")
        /// The credential answers but for its end: it has expired.
        public static let expired = Reason("expired")
        /// The credential answers but for its start: it is not valid yet.
        public static let notYetValid = Reason("notYetValid")
    }

    /// The credential.
    public let credential: CredentialName
    /// The reason.
    public let reason: Reason
    /// The claims that the reason is about; empty for reasons that are about none.
    public let claims: [ClaimPath]

    init(_ credential: CredentialName, _ reason: Reason, claims: [ClaimPath] = []) {
        self.credential = credential
        self.reason = reason
        self.claims = claims
    }
}

/// The name of one query for a credential: the `id` of a DCQL credential query or of an input descriptor.
public struct QueryID: ExactName {
    /// The name as transmitted.
    public let text: String

    /// Takes a name.
    public init(_ text: String) {
        self.text = text
    }
}
