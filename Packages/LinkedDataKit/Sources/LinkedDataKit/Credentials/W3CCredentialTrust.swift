public import DIDKit
@_spi(Layers) public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decides which issuers are trusted, and for which types.
///
/// ```swift
/// let trust = W3CCredentialTrust.issuers(["did:web:university.example"])
/// ```
public struct W3CCredentialTrust: Sendable {
    /// A purpose that an issuer may be trusted for, of an open set.
    public struct Purpose: Hashable, Sendable {
        /// The name, in lower camel case.
        public let name: String

        /// Names a purpose.
        public init(_ name: String) {
            self.name = name
        }

        /// Issuing credentials of their types.
        public static let issue = Purpose("issue")
        /// Signing the lists that say which credentials are revoked.
        public static let signStatusLists = Purpose("signStatusLists")
    }

    /// A question about an issuer whose signature has been verified.
    public struct Question: Sendable {
        /// The issuer.
        public let issuer: ExactText
        /// The DID that signed for it.
        public let controller: DID
        /// The purpose.
        public let purpose: Purpose
        /// The types of the credential, as it spells them.
        ///
        /// A proof over the graph does not cover the spelling; decide by ``expandedTypes`` where they are known.
        public let types: [ExactText]
        /// The IRIs of the types, of a credential with linked-data proofs; nil for one in a token, and for one with an unknown
        /// context, whose proofs cover the JSON itself.
        public let expandedTypes: [ExactText]?
    }

    private let body: @Sendable (Question, Date) async throws -> Void

    /// Decides by a function.
    ///
    /// - Parameter body: Decides for a time. A `CheckFault` that it throws is the result of the check, an error of a layer
    ///   is a failure, and any other error makes the check unavailable.
    public init(_ body: @escaping @Sendable (Question, Date) async throws -> Void) {
        self.body = body
    }

    /// Trusts these issuers to issue and to sign status lists, whatever the type.
    public static func issuers(_ issuers: Set<ExactText>) -> W3CCredentialTrust {
        W3CCredentialTrust { question, _ in
            guard issuers.contains(question.issuer) else {
                throw CheckFault.failed(.issuerNotTrusted, "\(question.issuer) is not trusted", path: ["issuer"])
            }
        }
    }

    func check(_ question: Question, at time: Date) async throws(CheckFault) {
        try await CheckFault.ofAsyncCaller { try await body(question, time) }
    }
}
