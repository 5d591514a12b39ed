import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
@_spi(Layers) import LinkedDataKit
import OID4VPMessages

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// W3C credentials.
extension PresentationPreparation {
    /// Adds a credential without a presentation around it.
    mutating func addCredential(_ credential: VerifiableCredential, _ format: CredentialFormat) throws(OID4VPError) {
        let json: JSONValue = try OID4VPError.presenting(format) {
            switch credential.form {
            case .linkedData(let document): .object(document.unverifiedMembers)
            case .token(let token): .string(try token.compactSerialization())
            }
        }
        parts.append(.ready(json))
    }

    /// Adds one presentation of credentials of one format.
    mutating func addPresentation(of items: [PresentationItem], by holder: W3CHolder) throws(OID4VPError) {
        let unique = items.uniqueCredentials
        let credentials = unique.compactMap { item in
            if case .w3c(let credential) = item.content { credential } else { nil }
        }
        let context = PendingContext(
            id: random.uuid(),
            credentials: unique.map(\.credential),
            queries: items.map(\.query),
            holder: holder
        )
        if items.first?.format == .linkedData {
            try addLinkedData(credentials, items.version, context)
        } else {
            try addToken(credentials, items.version, context)
        }
    }

    private mutating func addLinkedData(
        _ credentials: [VerifiableCredential],
        _ version: DataModelVersion,
        _ context: PendingContext
    ) throws(OID4VPError) {
        let holder = context.holder
        let names = [holder.suite.type] + [holder.suite.cryptosuite].compactMap { $0 }
        guard request.metadata?.presentationAlgorithms(for: .linkedData)?.acceptsProof(names) ?? true,
            holderLists(nil, context.queries, .linkedData).allSatisfy({ names.contains(where: $0.contains) })
        else { throw Self.notTaken(.linkedData) }
        let members = try OID4VPError.presenting(.linkedData) {
            try W3CPresentationContent(
                version: version,
                contexts: holder.suite.contexts(in: version),
                holder: holder.id,
                credentials: credentials
            ).members
        }
        guard !options.leavesProofsToCaller else {
            addCallersProof(members, context)
            return
        }
        guard let key = holder.key else {
            throw OID4VPError(.missingHolderKey, "the holder's key is unknown", path: ["ldp_vc"])
        }
        let unsigned = try OID4VPError.presenting(.linkedData) {
            try options.prover.prepare(
                members,
                suite: holder.suite,
                options: LinkedDataProofOptions(
                    verificationMethod: holder.verificationMethod,
                    purpose: .authentication,
                    created: options.statesProofTime ? time : nil,
                    challenge: ExactText(binding.nonce),
                    domains: [ExactText(binding.audience)]
                ),
                for: key,
                algorithm: holder.algorithm
            )
        }
        parts.append(.proof(unsigned, key, context.id))
        pending.append(
            context.pending(.linkedData, unsigned.algorithm, .linkedData(members, holder.suite), unsigned.bytesToSign)
        )
    }

    /// A proof over whatever the caller makes of the JSON: the bytes to sign are the presentation with the proof's members.
    private mutating func addCallersProof(_ members: JSONObject, _ context: PendingContext) {
        let holder = context.holder
        var proof: JSONObject = ["type": .string(holder.suite.type.text)]
        if let cryptosuite = holder.suite.cryptosuite { proof["cryptosuite"] = .string(cryptosuite.text) }
        proof["verificationMethod"] = .string(holder.verificationMethod.text)
        proof["proofPurpose"] = "authentication"
        proof["challenge"] = .string(binding.nonce)
        proof["domain"] = .string(binding.audience)
        var document = members
        document["proof"] = .object(proof)
        parts.append(.callersProof(members, proof: proof, context.id))
        let text = JSONValue.object(document).encoded()
        pending.append(context.pending(.linkedData, nil, .linkedData(members, holder.suite), text))
    }

    private mutating func addToken(
        _ credentials: [VerifiableCredential],
        _ version: DataModelVersion,
        _ context: PendingContext
    ) throws(OID4VPError) {
        let holder = context.holder
        guard let key = holder.key else {
            throw OID4VPError(.missingHolderKey, "the holder's key is unknown", path: ["jwt_vc_json"])
        }
        let algorithm = try algorithm(
            JWSAlgorithm.signing(with: key, named: holder.algorithm?.rawValue),
            amongListed: holderLists(
                request.metadata?.presentationAlgorithms(for: .jwt)?.algorithms,
                context.queries,
                .jwt
            ),
            .jwt
        )
        guard let signatureAlgorithm = algorithm.signatureAlgorithm(for: key) else { throw Self.notTaken(.jwt) }
        let claims = try tokenClaims(credentials, version, holder)
        let header: JOSEHeader = [
            "alg": .string(algorithm.rawValue), "kid": .string(holder.verificationMethod.text),
            "typ": version == .v2 ? "vp+jwt" : "JWT",
        ]
        let unsigned = try OID4VPError.presenting(.jwt) {
            try JWS.Unsigned(payload: JSONValue.object(claims).encoded(), header: header)
        }
        parts.append(.token(unsigned, key, context.id))
        pending.append(context.pending(.jwt, signatureAlgorithm, .token, unsigned.bytesToSign))
    }

    /// The claims of a VP-JWT: in the data model 2.0 the presentation itself, before that with the presentation in `vp`.
    private func tokenClaims(
        _ credentials: [VerifiableCredential],
        _ version: DataModelVersion,
        _ holder: W3CHolder
    ) throws(OID4VPError) -> JSONObject {
        let presentation = try OID4VPError.presenting(.jwt) {
            try W3CPresentationContent(
                version: version,
                holder: version == .v2 ? holder.id : nil,
                credentials: credentials
            ).members
        }
        let seconds = time.timeIntervalSince1970.rounded(.down)
        guard let now = Int(exactly: seconds), let end = Int(exactly: (seconds + options.tokenLifetime).rounded(.down))
        else { throw OID4VPError(.presentationFailed, "the time is out of range", path: ["iat"]) }
        var claims = version == .v2 ? presentation : [:]
        claims["iss"] = .string(holder.id)
        claims["aud"] = .string(binding.audience)
        claims["nonce"] = .string(binding.nonce)
        claims["iat"] = .integer(now)
        claims["nbf"] = .integer(now)
        claims["exp"] = .integer(end)
        claims["jti"] = .string("urn:uuid:" + random.uuid())
        if version == .v1 { claims["vp"] = .object(presentation) }
        return claims
    }
}

/// The parts of a pending signature that all W3C presentations share.
private struct PendingContext {
    let id: PendingSignature.ID
    let credentials: [CredentialName]
    let queries: [QueryID]
    let holder: W3CHolder

    func pending(
        _ format: CredentialFormat,
        _ algorithm: SignatureAlgorithm?,
        _ subject: PendingSignature.Subject,
        _ bytesToSign: [UInt8]
    ) -> PendingSignature {
        PendingSignature(
            id: id,
            format: format,
            credentials: credentials,
            queries: queries,
            keyReference: .name(holder.verificationMethod.text),
            key: holder.key,
            algorithm: algorithm,
            subject: subject,
            bytesToSign: bytesToSign
        )
    }
}

extension [PresentationItem] {
    /// The version of the data model for a presentation: one of 2.0 can hold linked-data credentials of both.
    var version: DataModelVersion { contains { $0.version == .v2 } ? .v2 : .v1 }
}

extension PresentationItem {
    /// The version that a W3C credential claims to be of; nil for another credential.
    fileprivate var version: DataModelVersion? {
        if case .w3c(let credential) = content { credential.version } else { nil }
    }

    /// Returns `true` if one presentation can hold both credentials: tokens of the data model 2.0 stand in envelopes, and
    /// tokens of 1.1 as texts, which 2.0 has no place for.
    func canShareVersion(with other: PresentationItem) -> Bool { format != .jwt || version == other.version }
}

extension VerifiableCredential {
    /// The version that the credential claims to be of.
    fileprivate var version: DataModelVersion {
        switch form {
        case .linkedData(let document):
            let context = document.unverifiedDocument["@context"]
            return (context?[0] ?? context)?.stringValue == DataModelVersion.v2.contextURL ? .v2 : .v1
        case .token(let token): return W3CTokenForm(token).version
        }
    }
}

extension LinkedDataProofSuite {
    /// The contexts that define the terms of the suite's proofs, beside that of the data model.
    fileprivate func contexts(in version: DataModelVersion) -> [JSONValue] {
        switch self {
        case .ed25519Signature2020: ["https://w3id.org/security/suites/ed25519-2020/v1"]
        case .jsonWebSignature2020: ["https://w3id.org/security/suites/jws-2020/v1"]
        // The context of 1.1 defines these two, and protects their terms.
        case .ed25519Signature2018: version == .v1 ? [] : ["https://w3id.org/security/suites/ed25519-2018/v1"]
        case .rsaSignature2018: version == .v1 ? [] : ["https://w3id.org/security/v2"]
        default: version == .v1 ? ["https://w3id.org/security/data-integrity/v2"] : []
        }
    }
}
