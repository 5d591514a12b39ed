public import JSONKit
public import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential that was shown and verified, as results list it.
///
/// ```swift
/// for credential in try await server.result(of: transaction.id)["pid"] {
///     print("\(credential.issuer.name) vouches for the name")
///     admit(credential.values(at: ["given_name"]).first)
/// }
/// ```
public struct DisclosedCredential: Hashable, Sendable {
    /// An issuer that the verifier trusts.
    public struct Issuer: Hashable, Sendable {
        /// The name that the issuer's key vouches for: `iss`, the identifier of a W3C issuer, or the subject of an issuer's
        /// certificate that does not name `iss`.
        public let name: String
        /// The subject of the trust anchor that vouches for the issuer's certificate; nil for an issuer whose key was found in
        /// another way, such as by its metadata or its DID.
        public let trustAnchor: String?

        /// Names an issuer.
        init(name: String, trustAnchor: String?) {
            self.name = name
            self.trustAnchor = trustAnchor
        }
    }

    /// The query that it answers.
    public let query: QueryID
    /// The format.
    public let format: CredentialFormat
    /// The types: the `vct` of an SD-JWT VC, the document type of an mdoc, the expanded types of a W3C credential.
    public let types: [ExactText]
    /// The issuer.
    public let issuer: Issuer
    /// The time in which the credential is valid, in whole seconds.
    public let validity: CredentialValidity
    /// Indicates that the holder has proved possession of the key that the credential is bound to.
    public let isHolderBound: Bool
    /// The disclosed claims: without those that are about the credential itself, such as `iss`, `vct`, `cnf`, `exp` and `status`.
    ///
    /// They are in the places where a query asks for them: the elements of an mdoc by namespace, the claims of a W3C credential in
    /// `credentialSubject`.
    public let claims: JSONObject
    /// The entries of `transaction_data` that the holder authorized with the presentation.
    public let authorizedTransactions: [String]

    /// The values that a path selects, of an array those of the disclosed elements; none where it leads nowhere.
    public func values(at path: ClaimPath) -> [JSONValue] { (try? path.values(in: .object(claims))) ?? [] }
}

extension DisclosedCredential {
    /// Takes a verified credential.
    init(_ credential: PresentedCredential, query: QueryID) {
        self.query = query
        format = credential.format
        types = credential.types
        issuer = Issuer(name: credential.issuer, trustAnchor: credential.trustAnchor)
        validity = credential.validity.inWholeSeconds
        isHolderBound = credential.isHolderBound
        claims = credential.format.divide(credential.claims).own
        authorizedTransactions = credential.authorizedTransactions
    }
}

extension CredentialValidity {
    /// The seconds since 1970 that are wholly within the validity.
    var seconds: (start: Int64?, end: Int64?) {
        func second(_ time: Double) -> Int64 { Int64(exactly: time) ?? (time < 0 ? .min : .max) }
        return (
            start.map { second($0.timeIntervalSince1970.rounded(.up)) },
            end.map { second($0.timeIntervalSince1970.rounded(.down)) }
        )
    }

    /// The validity between two seconds since 1970.
    init(fromSecond start: Int64?, untilSecond end: Int64?, includesEnd: Bool) {
        func time(_ second: Int64) -> Date { Date(timeIntervalSince1970: Double(second)) }
        self.init(from: start.map(time), until: end.map(time), includesEnd: includesEnd)
    }

    fileprivate var inWholeSeconds: CredentialValidity {
        CredentialValidity(fromSecond: seconds.start, untilSecond: seconds.end, includesEnd: includesEnd)
    }
}

extension VerifiedResponse {
    /// The credentials as results list them, in the order of the request.
    public var disclosed: [DisclosedCredential] {
        answers.flatMap { answer in answer.credentials.map { DisclosedCredential($0, query: answer.query) } }
    }
}

extension DisclosedCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String { "\(format) credential of \(types.map(\.description).joined(separator: ", "))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
