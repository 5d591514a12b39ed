import SDJWTKit
// The vocabulary of all layers comes with each of them.
@_exported public import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Check {
    /// The response has the credential that it names for a query, and no other.
    public static let submission: Check = "submission"
    /// The credential has the format that was asked for.
    public static let credentialFormat: Check = "credentialFormat"
    /// One of the authorities that the query trusts vouches for the credential.
    public static let trustedAuthority: Check = "trustedAuthority"
    /// The requested claims are disclosed, with one of the requested values.
    public static let requestedClaims: Check = "requestedClaims"
    /// All required queries are answered, and no others.
    public static let query: Check = "query"
}

extension Reason {
    /// The format is not accepted, or not the one that was asked for.
    public static let unexpectedFormat: Reason = "unexpectedFormat"
    /// A credential is not at the place that the response names.
    public static let credentialNotFound: Reason = "credentialNotFound"
    /// A credential that was not asked for.
    public static let unrequestedCredential: Reason = "unrequestedCredential"
    /// None of the authorities that the query trusts vouches for the credential.
    public static let authorityNotTrusted: Reason = "authorityNotTrusted"
    /// A required query is not answered.
    public static let queryNotAnswered: Reason = "queryNotAnswered"
    /// A response that a page of another origin received.
    public static let originMismatch: Reason = "originMismatch"
    /// No credential authorizes a transaction.
    public static let transactionNotAuthorized: Reason = "transactionNotAuthorized"
}

extension PresentationVerifier {
    /// The checks of a response, in the order of the specification; each query is a part.
    ///
    /// `structure` is about the session that presentations must be bound to.
    public static let responseChecks: [Check] = [.structure, .query, .transactionData]

    /// The checks of the answer to one query; each presentation is a part.
    public static let queryChecks: [Check] = [
        .submission, .credentialFormat, .algorithm, .credentialType, .trustedAuthority, .holderBinding,
        .requestedClaims,
    ]

    /// The checks of one presentation, beside those of its format, which are a part.
    public static let presentationChecks: [Check] = [.structure, .transactionData]
}

extension Checklist {
    /// Starts with checks of this module and the refusals of parts that decide about the whole.
    ///
    /// A refusal's check stands before those that were not reached because of it, and behind the structure of all.
    init(_ checks: [Check], refusedBy refusals: [Refusal], at time: Date) {
        guard !refusals.isEmpty else {
            self.init(checks, at: time)
            return
        }
        var inner: [Check] = []
        let start = checks.first == .structure ? 1 : 0
        for refusal in refusals where !inner.contains(refusal.check) {
            if refusal.check != .structure || start == 0 { inner.append(refusal.check) }
        }
        self.init(
            checks.prefix(start) + inner + checks.dropFirst(start).filter { !inner.contains($0) },
            at: time
        )
    }
}
