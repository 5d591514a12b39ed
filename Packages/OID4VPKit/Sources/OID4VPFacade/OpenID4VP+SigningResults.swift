import JOSEKit
import OID4VPKit
import OID4VPMessages
import Synchronization

// From the signatures of the app to presentations.
extension OpenID4VP {
    /// The session with what was prepared for it.
    func prepared() throws(OpenID4VPException) -> (Session, Construction) {
        guard let session = state.withLock({ $0.session }) else {
            throw InvalidData(message: "No request has been authenticated", className: Self.className)
        }
        guard let construction = session.construction else {
            throw InvalidData(message: "No unsigned VP token has been constructed", className: Self.className)
        }
        return (session, construction)
    }

    /// The presentations with signatures by format.
    func token(
        _ results: [FormatType: any VPTokenSigningResult],
        _ construction: Construction
    ) throws -> VPToken {
        for format in construction.formats where results[format] == nil {
            throw InvalidData(
                message: "Missing VP token signing result for the format \(format.rawValue)",
                className: Self.className
            )
        }
        var signatures: [PendingSignature.ID: PresentationSignature] = [:]
        for (format, result) in results {
            let entries = construction.entries(of: format)
            guard !entries.isEmpty else {
                throw InvalidData(
                    message: "VP token signing result not required for the format \(format.rawValue)",
                    className: Self.className
                )
            }
            for (id, signature) in try self.signatures(result, entries, format) { signatures[id] = signature }
        }
        return try construction.unsigned.completed(with: signatures)
    }

    /// The presentations with signatures in the order of the list.
    func token(_ results: [VPTokenSigningResultV2], _ construction: Construction) throws -> VPToken {
        guard results.count == construction.entries.count else {
            throw InvalidData(
                message: "There are \(results.count) signing results for \(construction.entries.count) unsigned tokens",
                className: Self.className
            )
        }
        var signatures: [PendingSignature.ID: PresentationSignature] = [:]
        for (result, (format, pending)) in zip(results, construction.entries) {
            signatures[pending.id] =
                format == .ldp_vc
                ? try proof(result.signedData, pending) : .bytes(try bytes(result.signedData, format))
        }
        return try construction.unsigned.completed(with: signatures)
    }

    private func signatures(
        _ result: any VPTokenSigningResult,
        _ entries: [PendingSignature],
        _ format: FormatType
    ) throws -> [(PendingSignature.ID, PresentationSignature)] {
        switch (format, result) {
        case (.ldp_vc, let result as LdpVPTokenSigningResult):
            return try entries.map { ($0.id, try proof($0.hasJWS ? result.jws : result.proofValue, $0)) }
        case (.mso_mdoc, let result as MdocVPTokenSigningResult):
            let given = result.docTypeToDeviceAuthentication
            try requireSame(Set(given.keys), Set(entries.compactMap(\.docType)), format)
            return try entries.map { entry in
                guard let signed = given[entry.docType ?? ""] else { throw missing("device authentication", format) }
                guard !signed.signature.isEmpty else { throw missing("signature", format) }
                guard signed.algorithm == entry.algorithmName else {
                    throw InvalidData(
                        message: "The device key signs with \(entry.algorithmName), not with \(signed.algorithm)",
                        className: Self.className
                    )
                }
                return (entry.id, .bytes(try bytes(signed.signature, format)))
            }
        case (_, let result as SdJwtVpTokenSigningResult) where format.isSDJWT:
            let given = result.uuidToKbJWTSignature
            try requireSame(Set(given.keys), Set(entries.map(\.id)), format)
            return try entries.map { ($0.id, .bytes(try bytes(given[$0.id] ?? "", format))) }
        default:
            throw InvalidData(
                message: "The VP token signing result is not one for the format \(format.rawValue)",
                className: Self.className
            )
        }
    }

    private func requireSame(_ given: Set<String>, _ needed: Set<String>, _ format: FormatType) throws {
        guard given == needed else {
            throw InvalidData(
                message: "The signatures are not those that the unsigned VP token for \(format.rawValue) asks for",
                className: Self.className
            )
        }
    }

    private func missing(_ name: String, _ format: FormatType) -> InvalidData {
        InvalidData(message: "Missing \(name) for the format \(format.rawValue)", className: Self.className)
    }

    /// A proof in whichever form: a detached JWS, a multibase value, or the bare signature in base64url.
    private func proof(_ text: String?, _ pending: PendingSignature) throws -> PresentationSignature {
        guard let text, !text.isEmpty else { throw missing(pending.hasJWS ? "jws" : "proofValue", .ldp_vc) }
        if pending.hasJWS {
            return text.contains("..") || settings.ldpDataToSign == .presentationJSON
                ? .jws(text) : .bytes(try bytes(text, .ldp_vc))
        }
        // base64url of an Ed25519 signature has 86 characters; in base58btc with its prefix it has more.
        let isBare = settings.ldpDataToSign == .bytesToSign && text.utf8.count == 86
        return isBare ? .bytes(try bytes(text, .ldp_vc)) : .proofValue(text)
    }

    private func bytes(_ text: String, _ format: FormatType) throws -> [UInt8] {
        guard !text.isEmpty else { throw missing("signature", format) }
        do {
            return try Base64URL.decode(text)
        } catch {
            throw Base64DecodingFailed(
                message: "The signature for the format \(format.rawValue) is not in base64url",
                className: Self.className,
                cause: error
            )
        }
    }
}
