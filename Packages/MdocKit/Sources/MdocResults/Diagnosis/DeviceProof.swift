import COSEKit
import CryptoCore
import MdocKit

/// A document's device signature or MAC, with all that is needed to check it against one payload after another.
struct DeviceProof {
    /// The reason that the proof cannot be checked against any payload.
    struct Obstacle: Error {
        let message: String
    }

    private enum Form {
        case signature(COSESign1, PublicKey)
        case mac(COSEMac0, [SecretBytes])
    }

    private let form: Form
    /// The same with the ephemeral key of the engagement, if that is known.
    private let mistaken: Form?

    init(
        of document: MdocDocument,
        engagementsKey: PublicKey?,
        readerKeys: [any KeyAgreement]
    ) async throws(Obstacle) {
        let deviceKey: PublicKey
        do throws(COSEError) {
            deviceKey = try document.issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey()
        } catch {
            throw Obstacle(message: "the device key cannot be used: \(error.message)")
        }
        let deviceAuth = document.deviceSigned.deviceAuth
        form = try await Self.form(deviceAuth, deviceKey, readerKeys)
        guard let engagementsKey else {
            mistaken = nil
            return
        }
        mistaken = try? await Self.form(deviceAuth, engagementsKey, readerKeys)
    }

    private static func form(
        _ deviceAuth: DeviceAuth,
        _ key: PublicKey,
        _ readerKeys: [any KeyAgreement]
    ) async throws(Obstacle) -> Form {
        switch deviceAuth {
        case .deviceSignature(let signature): .signature(signature, key)
        case .deviceMac(let mac): .mac(mac, try await secrets(readerKeys, key))
        }
    }

    /// The shared secrets of the reader's keys and the device's.
    private static func secrets(
        _ readerKeys: [any KeyAgreement],
        _ deviceKey: PublicKey
    ) async throws(Obstacle) -> [SecretBytes] {
        var secrets: [SecretBytes] = []
        for readerKey in readerKeys where readerKey.publicKey.curve == deviceKey.curve {
            do throws(MdocError) {
                secrets.append(try await readerKey.mdocSharedSecret(with: deviceKey))
            } catch {
                throw Obstacle(message: error.description)
            }
        }
        guard !secrets.isEmpty else {
            throw Obstacle(message: "none of the reader's keys is on the curve of the device key")
        }
        return secrets
    }

    /// Indicates that it is a MAC.
    var isMAC: Bool {
        if case .mac = form { true } else { false }
    }

    /// Indicates that it can be checked with the ephemeral key of the engagement.
    var hasEngagementsKey: Bool { mistaken != nil }

    /// Returns `true` if it was made over a payload.
    func fits(_ payload: AuthenticationPayload) throws(Obstacle) -> Bool {
        switch payload.key {
        case .credential: try Self.fits(payload, form)
        // A key on another curve than the credential's is no obstacle: it only does not fit.
        case .engagement: (try? mistaken.map { try Self.fits(payload, $0) }) ?? false
        }
    }

    private static func fits(_ payload: AuthenticationPayload, _ form: Form) throws(Obstacle) -> Bool {
        let bytes = payload.attempt.deviceAuthenticationBytes
        switch form {
        case .signature(let signature, let key):
            return try holds { () throws(COSEError) in
                try signature.verify(with: key, policy: MdocAlgorithms.signatures, detachedPayload: bytes)
            }
        case .mac(let mac, let secrets):
            for secret in secrets {
                let key = try macKey(secret, payload.salt)
                let holds = try holds { () throws(COSEError) in
                    try mac.verify(with: key, policy: MdocAlgorithms.macs, detachedPayload: bytes)
                }
                if holds { return true }
            }
            return false
        }
    }

    private static func macKey(_ secret: SecretBytes, _ salt: [UInt8]) throws(Obstacle) -> SecretBytes {
        do throws(MdocError) {
            return try DeviceMacKey.derive(from: secret, salt: salt)
        } catch {
            throw Obstacle(message: error.description)
        }
    }

    /// Tells a wrong signature or MAC from one that no payload can make right.
    private static func holds(_ verify: () throws(COSEError) -> COSEVerifiedPayload) throws(Obstacle) -> Bool {
        do throws(COSEError) {
            _ = try verify()
            return true
        } catch {
            guard error.code == .invalidSignature || error.code == .invalidMAC else {
                throw Obstacle(message: error.message)
            }
            return false
        }
    }
}
