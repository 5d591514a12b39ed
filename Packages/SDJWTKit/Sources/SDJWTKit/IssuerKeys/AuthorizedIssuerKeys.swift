public import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys of issuers, each trusted for certain types of credentials alone (SD-JWT VC, issuer authorization).
///
/// A trusted issuer is not thereby entitled to every type: a university vouches for diplomas, not for identity documents. A type
/// that an issuer lists in `aka_vcts`, or whose metadata extend another type, is its own claim and no evidence of a right.
///
/// ```swift
/// let issuerKeys = AuthorizedIssuerKeys(KnownIssuerKeys(keys), types: [
///     "https://university.example": ["https://credentials.example/diploma"],
///     "https://registry.example": ["urn:eudi:pid:1"],
/// ])
/// ```
///
/// For issuers with certificates, ``X509IssuerKeys`` takes the types of each anchor.
public struct AuthorizedIssuerKeys: IssuerKeyResolver {
    /// Returns the types that an issuer is trusted for, by `vct`; nil for all.
    ///
    /// - Parameters:
    ///   - issuer: The value of `iss`, or nil if it is absent.
    ///   - key: The key that was found, such as one with the chain that vouches for it.
    public typealias Rule = @Sendable (_ issuer: String?, _ key: IssuerKey) -> Set<ExactText>?

    private let keys: any IssuerKeyResolver
    private let rule: Rule

    /// Limits the issuers of a source by a rule of the caller's own.
    public init(_ keys: any IssuerKeyResolver, rule: @escaping Rule) {
        self.keys = keys
        self.rule = rule
    }

    /// Limits the issuers of a source by their names.
    ///
    /// - Parameters:
    ///   - keys: The source, which decides which issuers are trusted at all.
    ///   - types: The types that each issuer is trusted for, by `iss`. An issuer without an entry, or without `iss`, is trusted
    ///     for none.
    public init(_ keys: any IssuerKeyResolver, types: [ExactText: Set<ExactText>]) {
        self.init(keys) { issuer, _ in issuer.flatMap { types[ExactText($0)] } ?? [] }
    }

    /// The key of an issuer, limited to its types.
    ///
    /// - Throws: The errors of the source.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) async throws(SDJWTError) -> IssuerKey {
        let key = try await keys.key(for: header, issuer: issuer, at: time)
        return key.limited(to: rule(issuer, key))
    }

    /// The key that the source finds now, limited to the issuer's types, or nil.
    public func renewedKey(for header: JOSEHeader, issuer: String?, at time: Date) async -> IssuerKey? {
        guard let key = await keys.renewedKey(for: header, issuer: issuer, at: time) else { return nil }
        return key.limited(to: rule(issuer, key))
    }
}
