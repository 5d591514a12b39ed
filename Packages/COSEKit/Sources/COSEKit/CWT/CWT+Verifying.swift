import CBORKit
import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The claims of a token whose every layer was verified or decrypted and whose claims passed the policy.
///
/// Only ``CWT/verify(policy:claims:at:options:key:)`` makes values of this type.
public struct VerifiedCWT: Sendable {
    /// The claims.
    public let claims: CWTClaims
    /// The verified payloads, from the outermost message to the one that holds the claims.
    public let layers: [COSEVerifiedPayload]

    init(claims: CWTClaims, layers: [COSEVerifiedPayload]) {
        self.claims = claims
        self.layers = layers
    }
}

extension CWT {
    /// The checks of a token, in their order: the messages of every layer, the claims set, the claims.
    public static let checks: [Check] = [.protection, .structure] + CWTClaimsPolicy.checks

    /// Verifies or decrypts the token, layer by layer, and checks its claims (RFC 8392 section 7.2).
    ///
    /// - Parameters:
    ///   - policy: The caller's policy for every layer's message.
    ///   - claimsPolicy: The caller's policy for the claims.
    ///   - time: The time.
    ///   - options: Limits for nested tokens and claims.
    ///   - key: The caller's key for the message of a layer, the outermost first.
    public func verify(
        policy: COSEPolicy,
        claims claimsPolicy: CWTClaimsPolicy,
        at time: Date,
        options: COSEReadingOptions = .default,
        key: @Sendable (COSETaggedMessage) async throws -> CWTKey
    ) async -> Verification<VerifiedCWT> {
        var checklist = Checklist(Self.checks, at: time)
        let layers = await checklist.check(.protection) { () async throws(CheckFault) in
            do throws(COSEError) {
                return try await verifiedLayers(policy, claimsPolicy.maximumNesting, options) {
                    message throws(COSEError) in
                    try await COSEError.ofAsyncCaller { try await key(message) }
                }
            } catch {
                throw error.fault
            }
        }
        guard let layers else { return checklist.verification(of: nil) }
        let claims = checklist.check(.structure) { () throws(CheckFault) in
            try CheckFault.converting { () throws(COSEError) in try Self.claims(of: layers, options) }
        }
        guard let claims else { return checklist.verification(of: nil) }
        claimsPolicy.check(claims, in: &checklist)
        return checklist.verification(of: VerifiedCWT(claims: claims, layers: layers))
    }

    private func verifiedLayers(
        _ policy: COSEPolicy,
        _ maximumNesting: Int,
        _ options: COSEReadingOptions,
        _ key: @Sendable (COSETaggedMessage) async throws(COSEError) -> CWTKey
    ) async throws(COSEError) -> [COSEVerifiedPayload] {
        var layers: [COSEVerifiedPayload] = []
        var message = message
        while true {
            guard layers.count < maximumNesting else {
                throw COSEError(.nestedTooDeep, "tokens are nested deeper than \(maximumNesting)")
            }
            let layer = try await message.verified(with: key(message), policy)
            layers.append(layer)
            guard Self.isToken(layer.payload) else { return layers }
            message = try CWT(decoding: layer.payload, options: options).message
        }
    }

    /// Returns `true` for a payload that is a token itself, which starts with a tag (RFC 8392 section 7.2).
    private static func isToken(_ payload: ArraySlice<UInt8>) -> Bool {
        payload.first.map { $0 >> 5 == 6 } ?? false
    }

    private static func claims(
        of layers: [COSEVerifiedPayload],
        _ options: COSEReadingOptions
    ) throws(COSEError) -> CWTClaims {
        let claims = try CWTClaims(decoding: layers.last?.payload ?? [], options: options.cbor)
        for layer in layers {
            for headers in [layer.headers, layer.signerHeaders].compactMap({ $0 }) {
                try requireAgreement(of: headers.protected, with: claims)
                try requireAgreement(of: headers.unprotected, with: claims)
            }
        }
        return claims
    }

    /// Claims that stand in a header too must be the same there, protected or not (RFC 9597 section 2).
    private static func requireAgreement(of headers: COSEHeaderMap, with claims: CWTClaims) throws(COSEError) {
        guard let repeated = try headers.cwtClaims() else { return }
        for label in repeated.labels {
            guard let claim = claims[label] else { continue }
            guard claim == repeated[label] else {
                throw COSEError(
                    .claimMismatch,
                    "claim \(label) differs between header and payload",
                    path: ["CWT Claims"]
                )
            }
        }
    }
}

extension COSEHeaderParameters {
    /// The claims in the header (`CWT Claims`, RFC 9597), or nil if the parameter is absent.
    ///
    /// In an unprotected header anybody can set them: those of ``VerifiedCWT`` are the same as in the payload where that has
    /// them, and unverified where it has not.
    public func cwtClaims() throws(COSEError) -> CWTClaims? {
        guard let view = try parameter(.cwtClaims) else { return nil }
        return try CWTClaims(cbor: view)
    }
}

extension COSETaggedMessage {
    /// The payload of the message, verified or decrypted with a key of the kind that it takes.
    fileprivate func verified(
        with key: CWTKey,
        _ policy: COSEPolicy
    ) async throws(COSEError) -> COSEVerifiedPayload {
        switch (self, key.kind) {
        case (.sign1(let message), .signature(let key)):
            return try message.verify(with: key, policy: policy)
        case (.sign(let message), .signature(let key)):
            return try message.verified(policy) { _ throws(COSEError) in key }
        case (.mac0(let message), .symmetric(let key)):
            return try message.verify(with: key, policy: policy)
        case (.mac(let message), .recipient(let key, let context)):
            return try await message.verify(with: key, policy: policy, context: context)
        case (.encrypt0(let message), .symmetric(let key)):
            return try message.decrypt(with: key, policy: policy)
        case (.encrypt(let message), .recipient(let key, let context)):
            return try await message.decrypt(with: key, policy: policy, context: context)
        case (_, .coseKey(let key, let context)):
            return try await verified(with: key, context, policy)
        default:
            throw COSEError(.keyMismatch, "the key is of another kind than a \(messageType) takes")
        }
    }

    /// The payload of the message, verified or decrypted with a COSE_Key within the key's own restrictions.
    private func verified(
        with key: COSEKey,
        _ context: COSEKeyDerivationContext,
        _ policy: COSEPolicy
    ) async throws(COSEError) -> COSEVerifiedPayload {
        switch self {
        case .sign1(let message): return try message.verify(with: key, policy: policy)
        case .sign(let message):
            return try message.verified(policy) { signature throws(COSEError) in
                try key.publicKey(toVerify: signature.headers)
            }
        case .mac0(let message): return try message.verify(with: key, policy: policy)
        case .mac(let message):
            return try await message.verify(with: COSERecipientKey(key), policy: policy, context: context)
        case .encrypt0(let message): return try message.decrypt(with: key, policy: policy)
        case .encrypt(let message):
            return try await message.decrypt(with: COSERecipientKey(key), policy: policy, context: context)
        }
    }
}

extension COSESign {
    /// The payload, verified by the first signature that the key verifies.
    ///
    /// - Throws: The error of the first signature if none verifies.
    fileprivate func verified(
        _ policy: COSEPolicy,
        _ key: (COSESignature) throws(COSEError) -> PublicKey
    ) throws(COSEError) -> COSEVerifiedPayload {
        var failure: COSEError?
        for (index, signature) in signatures.enumerated() {
            do throws(COSEError) {
                return try verify(signatureAt: index, with: key(signature), policy: policy)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? COSEError(.notEnoughSignatures, "there is no signature", path: ["COSE_Sign", "signatures"])
    }
}

extension Check {
    /// Every layer of the token is verified or decrypted.
    public static let protection: Check = "protection"
}
