import JOSEKit
public import JSONKit
@_spi(Layers) public import LinkedDataKit
public import OID4VPMessages
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A W3C credential in a wallet, verified when it was stored: with linked-data proofs or as a token.
///
/// One with a base proof of `ecdsa-sd-2023` is presented in part, with a proof that is derived from it; any other discloses all
/// or nothing.
public struct W3CCredential: QueryableCredential {
    /// The name of the credential in the wallet.
    public let credentialName: CredentialName
    /// The credential.
    public let credential: VerifiableCredential
    /// `ldp_vc` or `jwt_vc_json`.
    public let format: CredentialFormat
    /// The expanded types; in a token, and under proofs that cover the JSON itself, one that no context defines stays as it is.
    public let types: [ExactText]
    /// The members of the credential, with those that the claims of a token of the data model 1.1 stand for.
    public let claims: JSONObject
    /// The claims set of a token of the data model 1.1, in which the credential is the claim `vc`; nil otherwise.
    public let envelope: JSONObject?
    /// Indicates that the holder can prove to be the subject.
    public let isHolderBound: Bool
    /// The types and cryptosuites of the proofs, or the algorithm of the token; of a credential with a base proof those of that
    /// proof, from which the presented one is derived.
    public let issuerAlgorithms: [ExactText]
    /// Indicates a base proof: a presentation leaves claims out.
    public let disclosesSelectively: Bool
    /// The time within `issuanceDate`, `validFrom`, `expirationDate` and `validUntil`, as far as they are there, and within `nbf`
    /// and `exp` of a token.
    ///
    /// A time that cannot be read counts as absent.
    public let validity: CredentialValidity
    /// Derives the proofs of presentations.
    let prover: LinkedDataProver

    /// Takes a credential.
    ///
    /// - Parameters:
    ///   - name: The name in the wallet.
    ///   - credential: The credential.
    ///   - isHolderBound: Pass `true` if the wallet has the key of the subject; nil takes a subject that is a DID for
    ///     one.
    ///   - processor: Expands the types, and the document that a proof is derived for.
    ///   - options: The options of JSON-LD that the credential was verified with, such as the vocabularies that are accepted.
    /// - Throws: `LinkedDataError` if the credential cannot be read, or the contexts of one with linked-data proofs, unless they
    ///   cover the JSON itself; with code `claimMismatch` for a token whose claims say something else than the credential in it.
    public init(
        name: CredentialName,
        _ credential: VerifiableCredential,
        isHolderBound: Bool? = nil,
        using processor: JSONLDProcessor = JSONLDProcessor(),
        options: JSONLDOptions = .proofs
    ) throws(LinkedDataError) {
        credentialName = name
        self.credential = credential
        prover = LinkedDataProver(processor: processor, options: options)
        claims = try credential.unverifiedMembers()
        var validities = [CredentialValidity(members: claims)]
        switch credential.form {
        case .linkedData(let document):
            format = .linkedData
            envelope = nil
            let bases = document.proofs.filter(\.isBaseProof)
            disclosesSelectively = !bases.isEmpty
            issuerAlgorithms = (bases.isEmpty ? document.proofs : bases).flatMap {
                [$0.suite.type] + [$0.suite.cryptosuite].compactMap { $0 }
            }
            types = try Self.types(of: document, claims, processor, options)
        case .token(let token):
            format = .jwt
            disclosesSelectively = false
            let (header, payload) = try token.unverifiedParts()
            validities.append(JWTClaims(payload).validity)
            envelope = payload["vc"] == nil ? nil : payload
            issuerAlgorithms = header["alg"]?.stringValue.map { JWSAlgorithm(rawValue: $0).names } ?? []
            types = processor.types(ofToken: claims)
        }
        let subject = claims["credentialSubject"]
        let id = (subject?[0] ?? subject)?["id"]?.stringValue
        validity = CredentialValidity(
            from: validities.compactMap(\.start).max(),
            until: validities.compactMap(\.end).min()
        )
        self.isHolderBound = isHolderBound ?? (id?.hasPrefix("did:") == true)
    }

    /// The expanded types of a document; under proofs that cover the JSON itself, one with an unknown context has those that are
    /// IRIs already.
    private static func types(
        of document: SecuredDocument,
        _ members: JSONObject,
        _ processor: JSONLDProcessor,
        _ options: JSONLDOptions
    ) throws(LinkedDataError) -> [ExactText] {
        do throws(LinkedDataError) {
            let node = try processor.expand(.object(members), options: options).value[0]
            return (node?["@type"]?.arrayValue ?? []).compactMap(\.stringValue).map(ExactText.init)
        } catch {
            guard error.code == .loadingRemoteContextFailed, document.isCoveredAsJSON else { throw error }
            return processor.types(ofToken: members)
        }
    }
}

extension CredentialValidity {
    /// The validity that the members of a credential give; either version's context gives all four a meaning.
    package init(members: JSONObject) {
        func times(_ names: String...) -> [Date] {
            names.compactMap { members[$0]?.stringValue.flatMap(XMLDateTime.dateAssumingUTC) }
        }
        self.init(
            from: times("issuanceDate", "validFrom").max(),
            until: times("expirationDate", "validUntil").min()
        )
    }
}

extension JWT {
    /// The header and the claims set, for showing a credential that was verified before.
    fileprivate func unverifiedParts() throws(LinkedDataError) -> (JOSEHeader, JSONObject) {
        do throws(JOSEError) {
            let claims = try JWTClaims(decoding: jws.unverifiedPayload ?? [])
            return (try unverifiedHeader(), claims.members)
        } catch {
            throw LinkedDataError(
                .malformedDocument,
                "the header or the claims cannot be read",
                path: error.path,
                cause: error.withoutPlace
            )
        }
    }
}

extension W3CCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The format and the types, without the claims.
    public var description: String { "\(format) credential of \(types.map(\.description).joined(separator: ", "))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
