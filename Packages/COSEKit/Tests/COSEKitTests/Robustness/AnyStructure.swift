import CBORKit
import COSEKit
import CryptoCore
import Foundation

/// Reads bytes as whatever structure of COSE they may be, and looks into every part of it.
///
/// The fuzz targets read with the same source.
enum AnyStructure {
    /// Every identifier up to three digits, in either bucket.
    private static let everything: COSEPolicy = {
        var policy = COSEPolicy(algorithms: Set((-999...999).map { COSEAlgorithm(rawValue: $0) }))
        policy.allowsUnprotectedAlgorithm = true
        return policy
    }()

    private static func secret(_ length: Int) -> SecretBytes { SecretBytes([UInt8](repeating: 7, count: length)) }

    /// Reads a tagged message, a token, a key set or a key, and everything in it; throws what the first step throws.
    static func explore(_ bytes: [UInt8]) throws {
        let document = try CBORDocument(bytes)
        switch document.root.kind {
        case .tag: try explore(CWT(cbor: document.root).message)
        case .map: try explore(COSEKey(cbor: document.root))
        default: for key in try COSEKeySet(cbor: document.root).keys { try explore(key) }
        }
    }

    static func explore(_ message: COSETaggedMessage) throws {
        switch message {
        case .sign1(let message):
            explore(message)
            _ = try? message.toBeSigned()
        case .sign(let message):
            explore(message)
            for index in message.signatures.indices { _ = try? message.toBeSigned(signatureAt: index) }
            for signature in message.signatures { explore(signature) }
        case .mac0(let message):
            explore(message)
            _ = try message.verify(with: secret(32), policy: everything)
        case .mac(let message):
            explore(message)
            message.recipients.forEach(explore)
            _ = try? message.toBeMaced()
        case .encrypt0(let message):
            explore(message)
            _ = try message.decrypt(with: secret(16), policy: everything, baseIV: [1])
        case .encrypt(let message):
            explore(message)
            message.recipients.forEach(explore)
        }
    }

    private static func explore(_ recipient: COSERecipient) {
        explore(recipient as any COSECountersignable)
        recipient.recipients.forEach(explore)
    }

    private static func explore(_ target: any COSECountersignable) {
        explore(target.headers)
        for form in [COSECountersignatureForm.version2, .rfc8152] {
            for countersignature in (try? target.countersignatures(form)) ?? [] {
                explore(countersignature.headers)
                _ = try? target.toBeCountersigned(form, signer: countersignature.headers)
            }
            _ = try? target.abbreviatedCountersignature(form)
        }
    }

    private static func explore(_ headers: COSEHeaders) {
        _ = try? headers.algorithm()
        _ = try? headers.criticalLabels()
        _ = try? headers.keyID()
        _ = try? headers.contentType()
        _ = try? headers.type()
        _ = try? headers.initializationVector()
        _ = try? headers.partialInitializationVector()
        _ = try? headers.x5chain()
        _ = try? headers.x5bag()
        _ = try? headers.x5t()?.matches([UInt8]())
        _ = try? headers.x5u()
        if let claims = try? headers.cwtClaims() {
            _ = CWTClaimsPolicy().verify(claims, at: .distantPast)
            _ = try? claims.confirmation()
        }
        if let view = try? headers.parameter(.ephemeralKey), let key = try? COSEKey(cbor: view) {
            _ = try? key.publicKey()
        }
        for label in headers.unprotected.labels { _ = headers.unprotected[label] }
    }

    private static func explore(_ key: COSEKey) throws {
        _ = key.description
        _ = try? key.thumbprint()
        _ = try? key.privateKey()
        _ = try key.publicKey()
    }
}
