import CBORKit
import COSEKit
import CryptoCore
public import DIDKit
import JOSEKit
public import JSONKit
public import LinkedDataKit
import MdocElements
public import MdocKit
public import SDJWTKit

/// A presented credential that has passed every check.
///
/// Only ``PresentationVerifier`` makes values of this type. A query sees it as it sees the credentials of a wallet.
public struct PresentedCredential: QueryableCredential {
    /// The credential by its format.
    public enum Credential: Sendable {
        /// A document with the device's signature or MAC.
        case mdoc(VerifiedMdocDocument)
        /// An SD-JWT VC, with a Key Binding JWT or without.
        case sdJWT(VerifiedSDJWT)
        /// A W3C credential; the holder is nil for one that was presented without a proof.
        case w3c(VerifiedW3CCredential, holder: DID?)
    }

    /// The credential.
    public let credential: Credential
    /// The place in the response.
    public let credentialName: CredentialName
    /// The format.
    public let format: CredentialFormat
    /// The types, with those that they extend.
    public let types: [ExactText]
    /// The claims that were disclosed.
    public let claims: JSONObject
    /// The claims set of the token around a credential of the data model 1.1; nil for others.
    public let envelope: JSONObject?
    /// Indicates that the holder has proved possession of the key that the credential is bound to.
    public let isHolderBound: Bool
    /// The key identifiers in the certificates of the issuer.
    public let authorityKeyIdentifiers: [[UInt8]]
    /// The algorithm of the issuer's signature, by its names.
    public let issuerAlgorithms: [ExactText]
    /// The issuer, by a name that its key vouches for.
    ///
    /// It is `iss` (`VerifiedSDJWT.issuerName`: of an issuer with a certificate that does not name `iss`, the subject), the identifier
    /// of a W3C issuer, or for an mdoc the issuer of the document signer's certificate.
    public let issuer: String
    /// The subject of the trust anchor that the issuer's certificates end at; nil for an issuer whose key was found in another way.
    public let trustAnchor: String?
    /// The time in which the credential is valid: that of an mdoc's `validityInfo`, from `nbf` until `exp`, or that of a W3C
    /// credential.
    public let validity: CredentialValidity
    /// The entries of `transaction_data` that the holder authorized with the presentation.
    public let authorizedTransactions: [String]

    /// Takes a verified document.
    ///
    /// - Parameter algorithm: The algorithm of the issuer's signature, which the issuer signed.
    init(
        _ document: VerifiedMdocDocument,
        algorithm: COSEAlgorithm?,
        named name: String,
        authorizing transactions: [String]
    ) {
        credential = .mdoc(document)
        credentialName = CredentialName(name)
        format = .mdoc
        types = [ExactText(document.docType.text)]
        var claims = JSONObject()
        for group in document.elements.groups {
            let members = group.elements.map { identifier, element in
                (name: identifier.text, value: JSONValue(dataElement: element.view))
            }
            claims[group.nameSpace.text] = .object(JSONObject(members))
        }
        self.claims = claims
        envelope = nil
        isHolderBound = true
        authorityKeyIdentifiers = document.signer.authorityKeyIdentifiers
        let curve = (try? document.signer.leaf.publicKey())?.curve
        issuerAlgorithms = algorithm.map { MdocAlgorithmNames.ofSignature($0.rawValue, on: curve) } ?? []
        issuer = document.signer.leaf.issuer.description
        trustAnchor = document.trustAnchor.certificate.subject.description
        let info = document.validityInfo
        validity = CredentialValidity(from: info.validFrom, until: info.validUntil, includesEnd: true)
        authorizedTransactions = transactions
    }

    /// Takes a verified SD-JWT VC.
    init(_ sdJWT: VerifiedSDJWT, named name: String, authorizing transactions: [String]) {
        credential = .sdJWT(sdJWT)
        credentialName = CredentialName(name)
        let type = (try? sdJWT.header.type())?.lowercased()
        format = type == "vc+sd-jwt" ? .olderSDJWT : .sdJWT
        let extended = sdJWT.typeMetadata?.types ?? []
        let trusted = sdJWT.trustedCredentialTypes
        // A type that the credential only claims or extends counts if its issuer is trusted for it, too.
        let others = (sdJWT.otherCredentialTypes + extended).filter { trusted?.contains(ExactText($0)) ?? true }
        if others.isEmpty {
            types = sdJWT.credentialType.map { [ExactText($0)] } ?? []
        } else {
            var known: Set<ExactText> = []
            types = ([sdJWT.credentialType].compactMap { $0 } + others)
                .map { ExactText($0) }.filter { known.insert($0).inserted }
        }
        claims = sdJWT.claims
        envelope = nil
        isHolderBound = sdJWT.keyBinding != nil
        authorityKeyIdentifiers = sdJWT.issuerCertificateChain?.authorityKeyIdentifiers ?? []
        issuerAlgorithms = (try? sdJWT.header.signatureAlgorithm())?.names ?? []
        issuer = sdJWT.issuerName ?? ""
        trustAnchor = sdJWT.issuerCertificateChain?.anchor.subject.description
        validity = CredentialValidity(JWTClaims(sdJWT.claims))
        authorizedTransactions = transactions
    }

    /// Takes a verified W3C credential.
    ///
    /// - Parameters:
    ///   - holder: The party that presented it; nil for one without a presentation.
    ///   - isHolderBound: Indicates that the policy takes the holder for the one that the credential is bound to.
    init(
        _ verified: VerifiedW3CCredential,
        holder: DID?,
        isHolderBound: Bool,
        named name: String,
        using processor: JSONLDProcessor
    ) throws(CheckFault) {
        credential = .w3c(verified, holder: holder)
        credentialName = CredentialName(name)
        claims = verified.content.members
        self.isHolderBound = isHolderBound
        authorityKeyIdentifiers = []
        issuer = verified.content.issuer.id.text
        trustAnchor = nil
        let (start, end) = (verified.content.validFrom, verified.content.validUntil)
        authorizedTransactions = []
        switch verified.securing {
        case .linkedData(let document):
            format = .linkedData
            types = try CheckFault.converting { () throws(LinkedDataError) in
                document.expanded == nil
                    ? processor.types(ofToken: verified.content.members) : try verified.expandedTypes()
            }
            envelope = nil
            validity = CredentialValidity(from: start, until: end)
            issuerAlgorithms = document.proofs.flatMap {
                [$0.proof.suite.type] + [$0.proof.suite.cryptosuite].compactMap { $0 }
            }
        case .token(let jws):
            format = .jwt
            types = processor.types(ofToken: verified.content.members)
            let payload = try CheckFault.converting { () throws(JOSEError) in try JWTClaims(decoding: jws.payload) }
            envelope = payload["vc"] == nil ? nil : payload.members
            let token = CredentialValidity(payload)
            validity = CredentialValidity(
                from: [start, token.start].compactMap { $0 }.max(),
                until: [end, token.end].compactMap { $0 }.min()
            )
            issuerAlgorithms = jws.algorithm.names
        }
    }
}

extension CredentialValidity {
    /// From `nbf` until `exp`; the verification has refused claims that are no times.
    fileprivate init(_ claims: JWTClaims) {
        self.init(from: (try? claims.notBefore()) ?? nil, until: (try? claims.expirationTime()) ?? nil)
    }
}

extension PresentedCredential {
    /// Indicates that the holder could leave claims out: by the format, or with a derived proof of `ecdsa-sd-2023`.
    public var disclosesSelectively: Bool {
        guard case .w3c(let verified, _) = credential, case .linkedData(let document) = verified.securing else {
            return format.disclosesSelectively
        }
        return document.proofs.contains { $0.proof.suite == .ecdsaSD2023 }
    }

    /// The values that a path of a query selects; none where it leads nowhere.
    ///
    /// The wallet counts the elements of an array that it holds, of which an SD-JWT may disclose only some: an index counts the
    /// issued elements, or the disclosed ones, since decoys look like elements that are withheld.
    public func values(at path: ClaimPath) -> [JSONValue] {
        let disclosed = (try? path.values(in: .object(claims))) ?? []
        guard case .sdJWT(let sdJWT) = credential, path.components.contains(where: \.isIndex) else { return disclosed }
        return disclosed + ((try? sdJWT.payload.values(atIssued: path)) ?? [])
    }
}

extension ClaimPath.Component {
    fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension ValidatedCertificateChain {
    /// The key identifiers that the certificates of the chain name their issuers' keys by.
    fileprivate var authorityKeyIdentifiers: [[UInt8]] {
        certificates.compactMap { $0.authorityKeyIdentifier?.keyIdentifier.map { Array($0) } }
    }
}

/// The verified answer to a request: for each query that is answered, the credentials.
public struct VerifiedResponse: Sendable {
    /// The credentials that answer one query.
    public struct Answer: Sendable {
        /// The query.
        public let query: QueryID
        /// The credentials, at least one.
        public let credentials: [PresentedCredential]
    }

    /// The answers, in the order of the request.
    public let answers: [Answer]

    init(_ answers: [Answer]) {
        self.answers = answers
    }

    /// The credentials that answer a query; none if it is not answered.
    public subscript(query: QueryID) -> [PresentedCredential] {
        answers.first { $0.query == query }?.credentials ?? []
    }
}

extension PresentedCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String { "\(format) credential of \(types.map(\.description).joined(separator: ", "))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PresentedCredential.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format, without the claims.
    public var description: String {
        switch self {
        case .mdoc: "verified mdoc"
        case .sdJWT: "verified SD-JWT"
        case .w3c: "verified W3C credential"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
