public import CryptoCore
public import JOSEKit
import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keys from the certificate chain in the header's `x5c`, once the chain leads to a trusted anchor (SD-JWT VC, inline X.509
/// certificates).
public struct X509IssuerKeys: IssuerKeyResolver {
    /// The required relation between `iss`, if present, and the certificate.
    public enum NameRule: Hashable, Sendable {
        /// It must be a uniformResourceIdentifier of the certificate's subjectAltName, or an https URL whose host is one of
        /// its dNSNames.
        case subjectAlternativeName
        /// It is not compared: the issuer is the subject of the certificate, whatever `iss` says.
        case notCompared
    }

    private let validator: CertificatePathValidator
    private let nameRule: NameRule
    /// The types of the anchors that are limited to some.
    private let types: [Certificate: Set<ExactText>?]

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - validator: The trusted anchors, and the demands on a path to one of them. A path to an anchor does not
    ///     entitle its key to issue credentials: the policy has to distinguish issuers from others that the anchors
    ///     certified, as `.credentialIssuer` does.
    ///   - nameRule: The required relation between `iss` and the certificate.
    public init(_ validator: CertificatePathValidator, nameRule: NameRule = .subjectAlternativeName) {
        self.init(validator, nameRule, types: [:])
    }

    private init(
        _ validator: CertificatePathValidator,
        _ nameRule: NameRule,
        types: [Certificate: Set<ExactText>?]
    ) {
        self.validator = validator
        self.nameRule = nameRule
        self.types = types
    }

    /// Makes a resolver with the usual demands on paths and issuers (`CertificatePathPolicy.credentialIssuer`), which
    /// caches valid paths.
    ///
    /// A certificate that is limited to another purpose by its extended key usage, such as that of a web server or an
    /// mdoc reader, is refused as an issuer's.
    ///
    /// - Parameters:
    ///   - anchors: The trusted certificates, each for all types of credentials.
    ///   - nameRule: The required relation between `iss` and the certificate.
    public init(anchors: [Certificate], nameRule: NameRule = .subjectAlternativeName) {
        self.init(authorities: anchors.map { IssuerAnchor($0, credentialTypes: nil) }, nameRule: nameRule)
    }

    /// Makes a resolver for anchors that vouch for certain types of credentials, with the usual demands on paths and issuers,
    /// which caches valid paths.
    ///
    /// A credential of a type that the anchor of its issuer is not trusted for is refused (SD-JWT VC, issuer authorization).
    ///
    /// - Parameters:
    ///   - authorities: The trusted certificates with their types. Several entries may name one certificate; together they
    ///     stand for all types that any of them names.
    ///   - nameRule: The required relation between `iss` and the certificate.
    public init(authorities: [IssuerAnchor], nameRule: NameRule = .subjectAlternativeName) {
        let types = authorities.typesByCertificate
        let validator = CertificatePathValidator(
            anchors: authorities.map(\.certificate),
            policy: .credentialIssuer,
            cache: CertificateChainCache()
        )
        self.init(validator, nameRule, types: types)
    }

    /// The key of the certificate.
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/issuerKeyNotFound`` for a missing chain,
    ///   ``SDJWTError/Code/issuerNotTrusted`` for a chain without a trusted anchor, ``SDJWTError/Code/issuerMismatch``
    ///   for a certificate of another issuer, or one that does not match the header's `x5t` or `x5t#S256`.
    public func key(for header: JOSEHeader, issuer: String?, at time: Date) throws(SDJWTError) -> IssuerKey {
        let chain = try reading(jose: .issuerKeyNotFound) { () throws(JOSEError) in
            let maximum = min(validator.policy.maximumChainLength, .max - 1) + 1
            return try header.certificateChain(limits: JOSELimits(certificates: maximum))
        }
        guard let chain else { throw SDJWTError(.issuerKeyNotFound, "the header holds no certificates", path: ["x5c"]) }
        switch validator.validate(encodedChain: chain.map { $0[...] }, at: time).verdict {
        case .refused(let refusal): throw SDJWTError(.issuerNotTrusted, refusal.description, path: ["x5c"])
        case .verified(let chain):
            try reading(jose: .issuerMismatch) { () throws(JOSEError) in
                try header.requireThumbprints(of: chain.leaf)
            }
            if let issuer { try requireName(issuer, of: chain.leaf) }
            return IssuerKey(chain).limited(to: types[chain.anchor] ?? nil)
        }
    }

    private func requireName(_ issuer: String, of leaf: Certificate) throws(SDJWTError) {
        guard nameRule == .subjectAlternativeName else { return }
        let isNamed: Bool
        do throws(CryptoError) {
            isNamed = try leaf.names(issuer: issuer)
        } catch {
            throw SDJWTError(.issuerMismatch, error.message, path: ["x5c"], cause: error)
        }
        guard isNamed else {
            throw SDJWTError(.issuerMismatch, "the certificate does not name the issuer \"\(issuer)\"", path: ["iss"])
        }
    }
}

extension Certificate {
    /// Returns `true` for an issuer whose `iss` is a uniformResourceIdentifier of the subjectAltName, or an https URL whose host
    /// is one of its dNSNames.
    func names(issuer: String) throws(CryptoError) -> Bool {
        guard let names = try subjectAlternativeName else { return false }
        if names.containsURI(issuer) { return true }
        guard let url = try? IssuerIdentifier(issuer), !url.isAddress else { return false }
        return names.containsDNSName(url.host)
    }
}
