import COSEKit
package import CryptoCore
package import DIDKit
import JOSEKit
import JSONKit
import MdocElements
import MdocKit
import OID4VPMessages
import SDJWTKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

// mdocs and SD-JWTs.
extension PresentationPreparation {
    /// Adds a DeviceResponse with a document for each credential; what several queries ask of one is merged.
    mutating func addDeviceResponse(_ items: [PresentationItem]) throws(OID4VPError) {
        let transcript = try binding.sessionTranscript()
        var documents: [(PreparedMdocDocument.UnsignedSignature, PendingSignature.ID)] = []
        for first in items.uniqueCredentials {
            let answers = items.filter { $0.credential == first.credential }
            let entries = answers.flatMap { transactions(for: $0.query) }
            let (prepared, unsigned) = try OID4VPError.presenting(.mdoc) {
                let prepared = try PreparedMdocDocument(
                    try IssuerSigned.merging(answers),
                    deviceNameSpaces: DataElements(try options.transactionElements.values(for: entries)),
                    sessionTranscript: transcript
                )
                return (prepared, try prepared.unsignedSignature())
            }
            let deviceKey = prepared.issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey
            let key = try OID4VPError.presenting(.mdoc, .missingHolderKey) { try deviceKey.publicKey() }
            let metadata = request.metadata?.algorithms(for: .mdoc)?.holderAlgorithms
            let lists = holderLists(metadata, answers.map(\.query), .mdoc)
            let names = MdocCredential.algorithms(of: key)
            guard lists.allSatisfy({ names.contains(where: $0.contains) }) else { throw Self.notTaken(.mdoc) }
            let id = random.uuid()
            documents.append((unsigned, id))
            pending.append(
                PendingSignature(
                    id: id,
                    format: .mdoc,
                    credentials: [first.credential],
                    queries: answers.map(\.query),
                    keyReference: .coseKey(deviceKey.encoded()),
                    key: key,
                    algorithm: unsigned.algorithm,
                    subject: .deviceAuthentication(
                        prepared.issuerSigned.docType,
                        taggedBytes: prepared.deviceAuthentication.taggedBytes
                    ),
                    bytesToSign: unsigned.bytesToSign
                )
            )
        }
        parts.append(.documents(documents))
    }

    /// Adds an SD-JWT.
    ///
    /// - Parameter isBound: The verifier's demand on key binding; nil to bind where the credential permits it.
    mutating func add(_ sdJWT: SDJWT, _ item: PresentationItem, isBound: Bool?) async throws(OID4VPError) {
        let confirmation = try OID4VPError.presenting(item.format) { try sdJWT.unverifiedPayload().claims["cnf"] }
        guard isBound ?? (confirmation != nil) else {
            let text = try OID4VPError.presenting(item.format) { try sdJWT.compactSerialization() }
            parts.append(.ready(.string(text)))
            return
        }
        guard let confirmation else {
            throw OID4VPError(.missingHolderKey, "the credential names no key of the holder", path: [item.format.text])
        }
        let (reference, key, jwk) = try await holderKey(confirmation, item.format)
        let algorithm = try algorithm(
            JWSAlgorithm.signing(with: key, named: jwk?.algorithm),
            amongListed: holderLists(
                request.metadata?.algorithms(for: item.format)?.holderAlgorithms,
                [item.query],
                item.format
            ),
            item.format
        )
        guard let signatureAlgorithm = algorithm.signatureAlgorithm(for: key) else { throw Self.notTaken(item.format) }
        let keyBinding = try request.keyBinding(
            authorizing: transactions(for: item.query),
            audience: binding.audience,
            at: time
        )
        let unsigned = try OID4VPError.presenting(item.format) {
            try sdJWT.prepareKeyBinding(keyBinding, algorithm: algorithm)
        }
        let id = random.uuid()
        parts.append(.keyBinding(unsigned, item.format, key, id))
        pending.append(
            PendingSignature(
                id: id,
                format: item.format,
                credentials: [item.credential],
                queries: [item.query],
                keyReference: reference,
                key: key,
                algorithm: signatureAlgorithm,
                subject: .keyBinding,
                bytesToSign: unsigned.bytesToSign
            )
        )
    }

    /// The key that an SD-JWT names.
    private func holderKey(
        _ confirmation: JSONValue,
        _ format: CredentialFormat
    ) async throws(OID4VPError) -> (HolderKeyReference, PublicKey, JWK?) {
        do {
            switch try JWTConfirmation(json: confirmation) {
            case .key(let jwk): return (.jwk(jwk), try jwk.publicKey(), jwk)
            case .keyID(let name):
                if let key = keys.namedKeys[ExactText(name)] { return (.name(name), key, nil) }
                return (.name(name), try await options.resolver.holderKey(named: name, at: time), nil)
            case .thumbprint:
                throw OID4VPError(.missingHolderKey, "a thumbprint does not hold the key", path: [format.text])
            }
        } catch let error as OID4VPError {
            throw error
        } catch {
            throw OID4VPError(
                .missingHolderKey,
                "the holder's key cannot be found",
                path: [format.text],
                cause: error
            )
        }
    }
}

extension IssuerSigned {
    /// The items that any of several answers with the same mdoc discloses.
    fileprivate static func merging(_ answers: [PresentationItem]) throws -> IssuerSigned {
        var elements: Set<DataElementReference> = []
        var credential: IssuerSigned?
        for answer in answers {
            guard case .mdoc(let issuerSigned, let disclosed) = answer.content else { continue }
            credential = credential ?? issuerSigned
            elements.formUnion(disclosed)
        }
        guard let credential else { throw OID4VPError(.presentationFailed, "there is no mdoc") }
        return try credential.limitDisclosures { elements.contains($0) }
    }
}

extension DIDResolver {
    /// The key of a DID URL, or the only one of a DID, that serves to authenticate the holder.
    package func holderKey(named name: String, at time: Date) async throws(DIDError) -> PublicKey {
        let url = try DIDURL(name)
        guard url.isDID else {
            return try await verificationMethod(url, for: .authentication, at: time).publicKey()
        }
        return try await document(of: url.did, at: time).onlyVerificationMethod(for: .authentication, at: time)
            .publicKey()
    }
}
