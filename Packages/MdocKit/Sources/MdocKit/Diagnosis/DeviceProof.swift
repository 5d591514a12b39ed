import COSEKit
import CryptoCore

/// A document's device signature or MAC, with all that is needed to check it against one payload after another.
struct DeviceProof {
    /// Why it can be checked against no payload.
    struct Obstacle: Error {
        let message: String
    }

    private enum Form {
        case signature(COSESign1, PublicKey)
        case mac(COSEMac0, [SecretBytes])
    }

    private let form: Form

    init(of document: Document, readerKeys: [any KeyAgreement]) async throws(Obstacle) {
        let deviceKey: PublicKey
        do throws(COSEError) {
            deviceKey = try document.issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey()
        } catch {
            throw Obstacle(message: "the device key cannot be used: \(error.message)")
        }
        switch document.deviceSigned.deviceAuth {
        case .deviceSignature(let signature): form = .signature(signature, deviceKey)
        case .deviceMac(let mac): form = .mac(mac, try await Self.secrets(readerKeys, deviceKey))
        }
    }

    /// What the reader's keys and the device key agree on.
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

    /// Whether it is a MAC.
    var isMAC: Bool {
        if case .mac = form { true } else { false }
    }

    /// Whether it was made over a payload.
    func fits(_ payload: AuthenticationPayload) throws(Obstacle) -> Bool {
        let bytes = payload.attempt.deviceAuthenticationBytes
        switch form {
        case .signature(let signature, let deviceKey):
            return try Self.holds { () throws(COSEError) in
                try signature.verify(with: deviceKey, policy: MdocAlgorithms.signatures, detachedPayload: bytes)
            }
        case .mac(let mac, let secrets):
            for secret in secrets {
                let key: SecretBytes
                do throws(MdocError) {
                    key = try DeviceMacKey.derive(from: secret, salt: payload.salt)
                } catch {
                    throw Obstacle(message: error.description)
                }
                let holds = try Self.holds { () throws(COSEError) in
                    try mac.verify(with: key, policy: MdocAlgorithms.macs, detachedPayload: bytes)
                }
                if holds { return true }
            }
            return false
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
