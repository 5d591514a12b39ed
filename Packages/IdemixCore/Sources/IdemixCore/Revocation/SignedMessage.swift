import CBORKit
import CryptoCore

/// A message with an ECDSA signature (P-256, SHA-256) around it: the CBOR map `{"Msg": message, "Sig": signature}`.
struct SignedMessage {
    /// The largest size of a signed message in bytes; an accumulator of 4096 bits takes less than one thousand.
    static let maximumByteCount = 64 << 10
    /// The algorithm of the signature.
    static let algorithm = SignatureAlgorithm.ecdsaSHA256

    /// The message.
    let message: [UInt8]
    /// The signature in DER.
    private let signature: [UInt8]

    /// Puts a message and its signature r‖s together.
    ///
    /// - Throws: ``IdemixError/Code/signingFailed`` for a signature that does not verify with the key.
    init(_ message: [UInt8], signature: [UInt8], key: PublicKey) throws(IdemixError) {
        guard key.isValidSignature(signature, for: message, algorithm: Self.algorithm) else {
            throw IdemixError(.signingFailed, "the signature does not verify with the issuer's key", path: ["ECDSA"])
        }
        do {
            self.signature = try ECDSASignature(rawRepresentation: signature, curve: .p256).derRepresentation
        } catch {
            throw IdemixError(.signingFailed, "the signature is not r and s", path: ["ECDSA"], cause: error)
        }
        self.message = message
    }

    /// Reads a signed message; nothing is verified.
    init(decoding bytes: [UInt8]) throws(IdemixError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw IdemixError(
                .limitExceeded,
                "a signed message of \(bytes.count) bytes, \(Self.maximumByteCount) allowed"
            )
        }
        do {
            let map = try CBORDocument(bytes).root.map()
            message = Array(try map.required("Msg").bytes())
            signature = Array(try map.required("Sig").bytes())
        } catch {
            throw IdemixError(.invalidSignedMessage, "not a map of Msg and Sig", cause: error)
        }
    }

    /// The message, after its signature has been verified.
    func verifiedMessage(key: PublicKey) throws(IdemixError) -> [UInt8] {
        guard key.isValidSignature(signature, for: message, algorithm: Self.algorithm, format: .der) else {
            throw IdemixError(.invalidSignedMessage, "the signature does not verify")
        }
        return message
    }

    /// The CBOR map.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.beginMap(count: 2)
        writer.write(text: "Msg")
        writer.write(bytes: message)
        writer.write(text: "Sig")
        writer.write(bytes: signature)
        return writer.finish()
    }
}
