import COSEKit
import CryptoCore
public import JSONKit
import MdocElements
public import MdocKit
public import OID4VPMessages
package import SDJWTKit

/// An mdoc in a wallet, verified when it was stored.
///
/// ```swift
/// let result = query.evaluate(over: [MdocCredential(stored)], at: now)
/// ```
public struct MdocCredential: QueryableCredential {
    /// The credential in the wallet's store.
    public let stored: StoredMdoc
    /// The elements by namespace and identifier, in JSON.
    public let claims: JSONObject
    /// The key identifiers in the certificates of the issuer's signature.
    public let authorityKeyIdentifiers: [[UInt8]]
    /// The algorithm of the issuer's signature, by its names in JOSE and its numbers in COSE.
    public let issuerAlgorithms: [ExactText]

    /// The wallet's own name for the credential.
    public var credentialName: CredentialName { CredentialName(stored.id) }
    /// `mso_mdoc`.
    public var format: CredentialFormat { .mdoc }
    /// The document type.
    public var types: [ExactText] { [ExactText(stored.docType.text)] }
    /// The algorithm of the device key, in the same forms; nil for a key that cannot be read.
    public var holderAlgorithms: [ExactText]? {
        guard let key = try? stored.issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey() else {
            return nil
        }
        return Self.algorithms(of: key)
    }
    /// From `validFrom` to `validUntil` of the issuer's signature, both included (ISO/IEC 18013-5, 12.3.5).
    public var validity: CredentialValidity {
        let info = stored.issuerSigned.mobileSecurityObject.validityInfo
        return CredentialValidity(from: info.validFrom, until: info.validUntil, includesEnd: true)
    }
    /// Indicates that the wallet has the device key.
    public let isHolderBound: Bool

    /// Takes a credential.
    ///
    /// - Parameters:
    ///   - stored: The credential in the wallet's store.
    ///   - hasDeviceKey: Pass `false` if the wallet lacks the device key: queries that demand holder binding then leave the
    ///     credential out.
    public init(_ stored: StoredMdoc, hasDeviceKey: Bool = true) {
        self.stored = stored
        isHolderBound = hasDeviceKey
        claims = JSONObject(
            stored.issuerSigned.nameSpaces.map { group in
                let members = group.items.map { item in
                    (name: item.elementIdentifier.text, value: JSONValue(dataElement: item.elementValue))
                }
                return (name: group.nameSpace.text, value: .object(JSONObject(members)))
            }
        )
        let headers = stored.issuerSigned.issuerAuth.headers
        let chain = (try? headers.unprotected.x5chain(allowingArrayOfOne: true)) ?? []
        // A certificate that cannot be read vouches for nothing.
        let certificates = chain.map { try? Certificate(der: $0) }
        authorityKeyIdentifiers = certificates.compactMap { certificate in
            certificate?.authorityKeyIdentifier?.keyIdentifier.map { Array($0) }
        }
        let curve = (certificates.first ?? nil).flatMap { (try? $0.publicKey())?.curve }
        issuerAlgorithms =
            (try? headers.algorithm()).map { MdocAlgorithmNames.ofSignature($0.rawValue, on: curve) } ?? []
    }

    /// The names of the algorithm that a device key signs with; none for a key that cannot sign.
    static func algorithms(of key: PublicKey) -> [ExactText] {
        key.curve.map { MdocAlgorithmNames.ofKey(on: $0) } ?? []
    }
}

extension MdocCredential {
    /// The document for a match, not yet authenticated by the device key: the elements that its claims name, and no others.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - sessionTranscript: The transcript of the response.
    /// - Throws: `MdocError`; with code `invalidValue` for the match of another credential.
    public func presentation(
        of match: QueryMatch,
        sessionTranscript: SessionTranscript
    ) throws(MdocError) -> PreparedMdocDocument {
        guard match.credential == credentialName else {
            throw MdocError(.invalidValue, "the match is that of another credential")
        }
        let elements = elements(at: match.disclosedPaths)
        let selected = try stored.issuerSigned.limitDisclosures { elements.contains($0) }
        return try PreparedMdocDocument(selected, sessionTranscript: sessionTranscript)
    }

    /// The elements that some claims name.
    ///
    /// A path of Presentation Exchange may name a namespace, or a part of an element, which is disclosed whole.
    package func elements(at claims: [ClaimPath]) -> Set<DataElementReference> {
        var elements: Set<DataElementReference> = []
        for group in stored.issuerSigned.nameSpaces {
            for item in group.items {
                let place: [ClaimPath.Component] = [
                    .name(group.nameSpace.text), .name(item.elementIdentifier.text),
                ]
                guard claims.contains(where: { zip($0.components, place).allSatisfy(==) }) else { continue }
                elements.insert(DataElementReference(group.nameSpace, item.elementIdentifier))
            }
        }
        return elements
    }
}

extension MdocCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String { "\(format) credential of \(types.map(\.description).joined(separator: ", "))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
