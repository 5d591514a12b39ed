public import CryptoCore
public import LinkedDataKit
public import MdocKit
public import MdocResults
public import SDJWTKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A relying party's lasting demands on responses, beside those of each format's verifier.
public struct PresentationPolicy: Sendable {
    /// The profile whose demands presentations must meet; nil for none.
    public var profile: PresentationProfile?
    /// The largest age of a holder's proof in seconds, beside the clock skew, for proofs that state their time.
    public var maximumProofAge: TimeInterval = 300
    /// Indicates that a refused presentation refuses the response, even where the queries are answered without it.
    public var requiresEveryPresentation = false
    /// The rule for trusted authorities of other kinds than `aki`; nil to accept none of them.
    ///
    /// Without a rule a ``TransactionServer`` starts no transaction that only such authorities could answer.
    public var isTrustedAuthority: DCQLEvaluationOptions.AuthorityRule?
    /// The rules for transactions that an mdoc authorizes, by type; an mdoc authorizes no other.
    public var mdocTransactions: [ExactText: MdocTransactionRule] = [:]
    /// Indicates that a device signature over another transcript is distinguished from one by another key.
    ///
    /// It takes some hundreds of signature checks. It is made once for each response, and of documents alone that the
    /// issuer has signed.
    public var diagnosesTranscripts = true
    /// The options for reading mdocs.
    public var mdocReading: MdocReadingOptions = .strict
    /// The limits for SD-JWTs.
    public var sdJWTLimits: SDJWTLimits = .default
    /// The limits for W3C presentations.
    public var documentLimits: DocumentLimits = .default
    /// Expands the types of credentials in tokens.
    public var processor = JSONLDProcessor()
    /// The user's own checks, made after all others.
    public var additionalChecks: [AdditionalCheck<VerifiedResponse>] = []

    /// Sets the defaults, to be changed one by one.
    public init() {}
}

extension PresentationPolicy {
    /// Refuses a query with trusted authorities none of which the verifier could find in a credential.
    func requireKnownAuthorities(of query: DCQLQuery) throws(OID4VPError) {
        guard isTrustedAuthority == nil else { return }
        for (place, query) in query.credentials.enumerated() where !query.trustedAuthorities.isEmpty {
            let isKnown = query.trustedAuthorities.contains { $0.type == TrustedAuthority.authorityKeyIdentifier }
            guard isKnown else {
                let types = query.trustedAuthorities.map(\.type.text).joined(separator: ", ")
                throw OID4VPError(
                    .invalidQuery,
                    "the policy has no rule for authorities of the kind \(types): every response would be refused",
                    path: ["dcql_query", "credentials[\(place)]", "trusted_authorities"]
                )
            }
        }
    }
}

/// Decides that an mdoc authorizes a transaction of one type (appendix B.2).
///
/// ```swift
/// policy.mdocTransactions["payment"] = MdocTransactionRule { entry, document in
///     guard document["org.example.payment", "hash"]?.value == hash(of: entry) else {
///         throw CheckFault.failed(.transactionNotAuthorized, "the document authorizes another payment")
///     }
/// }
/// ```
public struct MdocTransactionRule: Sendable {
    private let body: @Sendable (String, VerifiedMdocDocument) throws -> Void

    /// Decides by a function.
    ///
    /// - Parameter body: Takes an entry of `transaction_data` as it was sent, and the document. A `CheckFault` that
    ///   it throws is the result of the check, an error of a layer is a failure, and any other error makes the check
    ///   unavailable.
    public init(_ body: @escaping @Sendable (String, VerifiedMdocDocument) throws -> Void) {
        self.body = body
    }

    func check(_ entry: String, _ document: VerifiedMdocDocument) throws(CheckFault) {
        try CheckFault.ofCaller { try body(entry, document) }
    }
}

/// A verifier's expectation of the holder's proof in one presentation.
public struct HolderProofExpectation: Sendable {
    /// The verifier's name: `aud` of a token, `domain` of a linked-data proof.
    public var audience: String
    /// The verifier's value: `nonce` of a token, `challenge` of a linked-data proof.
    public var nonce: String
    /// Indicates that a credential without a proof is refused.
    public var isRequired: Bool
    /// The transcript of the session, for mdocs; nil refuses them.
    public var sessionTranscript: SessionTranscript?
    /// The verifier's keys that a device may have agreed a MAC key with.
    public var readerKeys: [any KeyAgreement]
    /// The transactions that the holder must authorize: entries of `transaction_data` as they were sent.
    public var transactionData: [String]
    /// The transactions among them that another credential may authorize instead.
    var optionalTransactions: Set<ExactText> = []
    /// The values of the session, for finding out over which transcript a device signed; nil to leave that out.
    public var knowledge: SessionKnowledge?

    /// Describes a proof.
    public init(
        audience: String,
        nonce: String,
        isRequired: Bool = true,
        sessionTranscript: SessionTranscript? = nil,
        readerKeys: [any KeyAgreement] = [],
        transactionData: [String] = []
    ) {
        self.audience = audience
        self.nonce = nonce
        self.isRequired = isRequired
        self.sessionTranscript = sessionTranscript
        self.readerKeys = readerKeys
        self.transactionData = transactionData
        knowledge = nil
    }
}
